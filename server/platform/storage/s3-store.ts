import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rename, stat, utimes } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  AbortMultipartUploadCommand,
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { Config, S3Config } from '../config/config.ts';
import { PathTakenError, removeFile } from '../files/files.ts';
import type { Move, Moved } from '../files/move.ts';
import { fileMissing, StorageError, type FileInfo, type FileStore } from './file-store.ts';
import { trimFolder } from './local-copies.ts';
import { hasPrefix, inBackups, keyOf, pathOfKey, resolveStoredPath } from './stored-path.ts';
import { setNewest } from '../lib/set-newest.ts';

// An S3-compatible bucket. Only operations that all servers of this API have are used; a condition on a write is a second
// safeguard, because several servers ignore it. See docs/decisions/s3.md.

/** How long a local copy of a file that can change is used before the bucket is asked again, in milliseconds. */
const freshMs = 60_000;
/** Number of copies whose last comparison is remembered; the others are compared at their next use. */
const maxCompared = 20_000;
/** Size that local copies are reduced to, in bytes. */
const copiesBytes = 4e9;
/** Validity of a link, in seconds: longer than most videos are watched. */
const linkSeconds = 6 * 3600;
/** Object with the mark of the archive. */
const markerKey = 'reelkeep.txt';
/** S3 allows 10,000 parts of at least 5 MiB. */
const partBytes = (sizeBytes: number) => Math.max(8 * 2 ** 20, Math.ceil(sizeBytes / 9_000));

/** Connections to the bucket: more than files are sent at once (stream-limits.ts), and each of them needs one until it ends. */
const maxSockets = 512;

const isAbsence = (error: unknown) => error instanceof S3ServiceException && ['NotFound', 'NoSuchKey'].includes(error.name);

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
export const reasonOf = (error: unknown) => {
  const { name, message } = error as Error;
  return name && name !== 'Error' && name !== 'AggregateError' ? `${name}: ${message}` : message || name;
};

/** Passes on an abort and a missing file, and makes every other failure a StorageError. */
async function ask<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await work();
  } catch (error) {
    signal?.throwIfAborted();
    if (isAbsence(error) || error instanceof PathTakenError || error instanceof StorageError) throw error;
    throw new StorageError(reasonOf(error), { cause: error });
  }
}

/** The files in the bucket of the configuration. */
export function createS3Store(config: Config & { s3: S3Config }): FileStore & { client: S3Client } {
  const client = openS3Client(config.s3);
  const Bucket = config.s3.bucket;
  const localOf = (path: string) => resolveStoredPath({ config }, path);
  const objectOf = (path: string) => ({ Bucket, Key: keyOf(path) });
  /** When copies of files that can change were last compared with the bucket. */
  const comparedAt = new Map<string, number>();
  const fetching = new Map<string, Promise<string>>();

  const noteCompared = (path: string) => setNewest(comparedAt, path, Date.now(), maxCompared);

  async function head(path: string): Promise<(FileInfo & { sha256: string | undefined }) | null> {
    return ask(async () => {
      try {
        const { ContentLength = 0, LastModified, Metadata } = await client.send(new HeadObjectCommand(objectOf(path)));
        return { sizeBytes: ContentLength, modifiedMs: LastModified?.getTime() ?? 0, sha256: Metadata?.sha256 };
      } catch (error) {
        if (isAbsence(error)) return null;
        throw error;
      }
    });
  }

  async function upload(
    path: string,
    local: string,
    { sizeBytes, sha256 }: { sizeBytes: number; sha256?: string },
    { isNew, signal }: { isNew: boolean; signal?: AbortSignal | undefined },
  ): Promise<FileInfo> {
    signal?.throwIfAborted();
    const task = new Upload({
      client,
      params: {
        ...objectOf(path),
        Body: createReadStream(local),
        ...(sha256 && { Metadata: { sha256 } }),
        ...(isNew && { IfNoneMatch: '*' }),
      },
      partSize: partBytes(sizeBytes),
      queueSize: 2,
    });
    const abort = () => void task.abort();
    signal?.addEventListener('abort', abort, { once: true });
    try {
      await ask(() => task.done(), signal);
    } catch (error) {
      // The object is there: from another try, whose answer was lost.
      const cause = (error as Error).cause;
      if (!isNew || !(cause instanceof S3ServiceException) || cause.$metadata.httpStatusCode !== 412) throw error;
    } finally {
      signal?.removeEventListener('abort', abort);
    }
    const stored = await head(path);
    if (!stored) throw new StorageError(`${path} is not in the bucket after it was written`);
    const isSame = stored.sizeBytes === sizeBytes && (sha256 === undefined || stored.sha256 === sha256);
    if (!isSame) throw isNew ? new PathTakenError(path) : new StorageError(`${path} has another size than what was written`);
    return stored;
  }

  /** Downloads an object next to its local path and renames it there. */
  async function fetchCopy(path: string, signal?: AbortSignal): Promise<string> {
    const local = localOf(path);
    const tempPath = `${local}.${randomUUID()}.part`;
    // Backups contain secrets.
    await mkdir(dirname(local), { recursive: true, ...(path.startsWith(inBackups('')) && { mode: 0o700 }) });
    const once = async () => {
      const { Body, ContentLength, LastModified } = await client.send(new GetObjectCommand(objectOf(path)));
      await pipeline(Body as Readable, createWriteStream(tempPath), { ...(signal && { signal }) });
      if ((await stat(tempPath)).size !== ContentLength) throw new Error('the answer was cut off');
      const modified = LastModified ?? new Date();
      await utimes(tempPath, new Date(), modified);
      await rename(tempPath, local);
    };
    try {
      await ask(async () => {
        for (let attempt = 1; ; attempt++) {
          try {
            return await once();
          } catch (error) {
            if (attempt === 3 || signal?.aborted || isAbsence(error)) throw error;
          }
        }
      }, signal);
    } catch (error) {
      if (isAbsence(error)) throw fileMissing(path);
      throw error;
    } finally {
      await removeFile(tempPath);
    }
    noteCompared(path);
    return local;
  }

  /** Returns the local copy if it has the content of the bucket. */
  async function validCopy(path: string): Promise<string | null> {
    const local = localOf(path);
    const copy = await stat(local).catch(() => null);
    if (!copy) return null;
    // Media never change. Other files are compared from time to time, because another server may have replaced them.
    if (hasPrefix(path) && Date.now() - (comparedAt.get(path) ?? -Infinity) > freshMs) {
      const stored = await head(path);
      const isCurrent = stored?.sizeBytes === copy.size && stored.modifiedMs === Math.floor(copy.mtimeMs);
      // A file that was written a moment ago is being saved, and must be neither deleted nor replaced.
      if (!isCurrent && Math.abs(Date.now() - copy.mtimeMs) < freshMs) return local;
      if (!stored) {
        await removeFile(local);
        throw fileMissing(path);
      }
      if (!isCurrent) return null;
      noteCompared(path);
    }
    if (Date.now() - copy.atimeMs > 600_000) await utimes(local, new Date(), copy.mtime).catch(() => undefined);
    return local;
  }

  async function remove(path: string): Promise<void> {
    await ask(() => client.send(new DeleteObjectCommand(objectOf(path))));
    comparedAt.delete(path);
    await removeFile(localOf(path));
  }

  const read = async (path: string) => {
    const { Body } = await client.send(new GetObjectCommand(objectOf(path)));
    return Buffer.from((await Body?.transformToByteArray()) ?? []);
  };

  /** Moves an image. An interrupted move leaves both objects, with the same content. */
  async function move({ from, to }: Move): Promise<Moved> {
    const [source, target] = [await head(from), await head(to)];
    if (!source) return target ? 'moved' : 'absent';
    if (target && (source.sizeBytes !== target.sizeBytes || !(await ask(() => read(from))).equals(await ask(() => read(to)))))
      throw new PathTakenError(to);
    const CopySource = `${Bucket}/${keyOf(from)}`.split('/').map(encodeURIComponent).join('/');
    if (!target) await ask(() => client.send(new CopyObjectCommand({ ...objectOf(to), CopySource })));
    if ((await head(to))?.sizeBytes !== source.sizeBytes)
      throw new StorageError(`${to} is not in the bucket after it was copied`);
    await remove(from);
    comparedAt.delete(to);
    return 'moved';
  }

  async function localPath(path: string, signal?: AbortSignal): Promise<string> {
    const copy = await validCopy(path);
    if (copy) return copy;
    signal?.throwIfAborted();
    const running = fetching.get(path);
    if (!running) {
      const promise = fetchCopy(path, signal).finally(() => fetching.delete(path));
      fetching.set(path, promise);
      return promise;
    }
    try {
      return await running;
    } catch (error) {
      // The one who began has stopped; the others still want it.
      if ((error as Error).name === 'AbortError' && !signal?.aborted) return localPath(path, signal);
      throw error;
    }
  }

  return {
    client,
    isRemote: true,
    stat: head,
    async read(path, range, signal) {
      try {
        return await ask(async () => {
          const Range = range && `bytes=${range.from}-${range.to}`;
          const { Body, ContentLength } = await client.send(new GetObjectCommand({ ...objectOf(path), Range }), {
            ...(signal && { abortSignal: signal }),
          });
          const body = Body as Readable;
          const hasRange = !range || ContentLength === range.to - range.from + 1;
          if (!hasRange) {
            body.destroy();
            throw new Error(`the bucket did not answer with the bytes ${range.from} to ${range.to} of ${path}`);
          }
          await once(body, 'readable', { ...(signal && { signal }) });
          return body;
        }, signal);
      } catch (error) {
        if (isAbsence(error)) throw fileMissing(path);
        throw error;
      }
    },
    localPath,
    async put(path, local, content, signal) {
      const stored = await head(path); // of an earlier try
      if (stored?.sizeBytes === content.sizeBytes && stored.sha256 === content.sha256) return;
      if (stored) throw new PathTakenError(path);
      await upload(path, local, content, { isNew: true, signal });
    },
    async save(path, signal) {
      const local = localOf(path);
      const { size } = await stat(local);
      const { modifiedMs } = await upload(path, local, { sizeBytes: size }, { isNew: false, signal });
      // Servers recognize a current copy by size and time.
      await utimes(local, new Date(), new Date(modifiedMs));
      noteCompared(path);
    },
    async move(moves) {
      const results: Moved[] = [];
      for (const one of moves) results.push(await move(one).catch((problem: unknown) => ({ problem })));
      return results;
    },
    remove,
    async *list(start, signal) {
      let ContinuationToken: string | undefined;
      do {
        signal?.throwIfAborted();
        const page = await ask(() => client.send(new ListObjectsV2Command({ Bucket, Prefix: keyOf(start), ContinuationToken })));
        for (const { Key = '', Size = 0, LastModified } of page.Contents ?? []) {
          const path = pathOfKey(Key);
          if (path !== null && !Key.endsWith('/')) yield { path, sizeBytes: Size, modifiedMs: LastModified?.getTime() ?? 0 };
        }
        ContinuationToken = page.NextContinuationToken;
      } while (ContinuationToken);
    },
    async link(path, { type, disposition }) {
      if (!config.s3.redirect) return null;
      const command = new GetObjectCommand({
        ...objectOf(path),
        ResponseContentType: type,
        ResponseContentDisposition: disposition,
      });
      return getSignedUrl(client, command, { expiresIn: linkSeconds });
    },
    async readMarker() {
      try {
        return await ask(async () => {
          const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: markerKey }));
          return (await Body?.transformToString())?.trim() ?? null;
        });
      } catch (error) {
        if (isAbsence(error)) return null;
        throw error;
      }
    },
    async writeMarker(marker) {
      await ask(() =>
        client.send(new PutObjectCommand({ Bucket, Key: markerKey, Body: `${marker}\n`, ContentType: 'text/plain' })),
      );
    },
    async removeMarker() {
      await ask(() => client.send(new DeleteObjectCommand({ Bucket, Key: markerKey })));
    },
    async abortUploads(olderThanSeconds) {
      const { Uploads = [] } = await ask(() => client.send(new ListMultipartUploadsCommand({ Bucket })));
      const latest = Date.now() - olderThanSeconds * 1000;
      for (const { Key, UploadId, Initiated } of Uploads)
        if ((Initiated?.getTime() ?? 0) <= latest)
          await ask(() => client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId })));
    },
    trimCopies: () => trimFolder(config.cacheFolder, copiesBytes),
    close: () => client.destroy(),
  };
}
