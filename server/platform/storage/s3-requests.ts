import { HeadObjectCommand, S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import type { S3Config } from '../config/config.ts';
import { PathTakenError } from '../files/files.ts';
import { StorageError, type FileInfo } from './file-store.ts';

/** Connections to the bucket: more than files are sent at once (stream-limits.ts), and each of them needs one until it ends. */
const maxSockets = 512;

export const isAbsence = (error: unknown) =>
  error instanceof S3ServiceException && ['NotFound', 'NoSuchKey'].includes(error.name);

/** Opens a client. It tries three times, and gives up a request when nothing arrives for half a minute. */
export function openS3Client({ endpoint, region, accessKey, secretKey, pathStyle }: S3Config): S3Client {
  return new S3Client({
    ...(endpoint && { endpoint }),
    region,
    credentials: { accessKeyId: accessKey, secretAccessKey: secretKey },
    forcePathStyle: pathStyle,
    maxAttempts: 3,
    requestHandler: {
      connectionTimeout: 5_000,
      requestTimeout: 30_000,
      throwOnRequestTimeout: true,
      httpAgent: { maxSockets },
      httpsAgent: { maxSockets },
    },
  });
}

/** Returns the reason of a failed request for people. */
const reasonOf = (error: unknown) => {
  const { name, message } = error as Error;
  return name && name !== 'Error' && name !== 'AggregateError' ? `${name}: ${message}` : message || name;
};

/** Passes on an abort and a missing file, and makes every other failure a StorageError. */
export async function ask<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await work();
  } catch (error) {
    signal?.throwIfAborted();
    if (isAbsence(error) || error instanceof PathTakenError || error instanceof StorageError) throw error;
    throw new StorageError(reasonOf(error), { cause: error });
  }
}

interface StoredObject extends FileInfo {
  sha256: string | undefined;
}

/** Returns what is stored of an object; null if it does not exist. */
export async function headObject(client: S3Client, object: { Bucket: string; Key: string }): Promise<StoredObject | null> {
  return ask(async () => {
    try {
      const { ContentLength = 0, LastModified, Metadata } = await client.send(new HeadObjectCommand(object));
      return { sizeBytes: ContentLength, modifiedMs: LastModified?.getTime() ?? 0, sha256: Metadata?.sha256 };
    } catch (error) {
      if (isAbsence(error)) return null;
      throw error;
    }
  });
}
