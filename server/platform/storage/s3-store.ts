import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { stat, utimes } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3ServiceException,
  type S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { Config, S3Config } from '../config/config.ts';
import { PathTakenError, removeFile } from '../files/files.ts';
import type { Move, Moved } from '../files/move.ts';
import { fileMissing, StorageError, type FileInfo, type FileStore } from './file-store.ts';
import { trimFolder } from './local-copies.ts';
import { createS3Copies } from './s3-copies.ts';
import { ask, headObject, isAbsence, openS3Client } from './s3-requests.ts';
import { keyOf, pathOfKey } from './stored-path.ts';

// An S3-compatible bucket. Only operations that all servers of this API have are used; a condition on a write is a second
// safeguard, because several servers ignore it. See docs/decisions/s3.md.

/** Size that local copies are reduced to, in bytes. */
const copiesBytes = 4e9;
/** Validity of a link, in seconds: longer than most videos are watched. */
const linkSeconds = 6 * 3600;
/** Object with the mark of the archive. */
const markerKey = 'reelkeep.txt';
/** S3 allows 10,000 parts of at least 5 MiB. */
const partBytes = (sizeBytes: number) => Math.max(8 * 2 ** 20, Math.ceil(sizeBytes / 9_000));

/** The files in the bucket of the configuration. */
export function createS3Store(config: Config & { s3: S3Config }): FileStore & { client: S3Client } {
  const client = openS3Client(config.s3);
  const Bucket = config.s3.bucket;
  const objectOf = (path: string) => ({ Bucket, Key: keyOf(path) });
  const head = async (path: string) => headObject(client, objectOf(path));
  const { localOf, localPath, noteCompared, forget } = createS3Copies(config, client);

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

  async function remove(path: string): Promise<void> {
    await ask(() => client.send(new DeleteObjectCommand(objectOf(path))));
    forget(path);
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
    forget(to);
    return 'moved';
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
