import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rename, stat, utimes } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { GetObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import type { Config, S3Config } from '../config/config.ts';
import { removeFile } from '../files/files.ts';
import { setNewest } from '../lib/set-newest.ts';
import { fileMissing } from './file-store.ts';
import { ask, headObject, isAbsence } from './s3-requests.ts';
import { hasPrefix, inBackups, keyOf, resolveStoredPath } from './stored-path.ts';

/** How long a local copy of a file that can change is used before the bucket is asked again, in milliseconds. */
const freshMs = 60_000;
/** Number of copies whose last comparison is remembered; the others are compared at their next use. */
const maxCompared = 20_000;

/** The copies that this server has of files in a bucket. */
export function createS3Copies(config: Config & { s3: S3Config }, client: S3Client) {
  const localOf = (path: string) => resolveStoredPath({ config }, path);
  const objectOf = (path: string) => ({ Bucket: config.s3.bucket, Key: keyOf(path) });
  /** When copies of files that can change were last compared with the bucket. */
  const comparedAt = new Map<string, number>();
  const fetching = new Map<string, Promise<string>>();

  const noteCompared = (path: string) => setNewest(comparedAt, path, Date.now(), maxCompared);

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
      const stored = await headObject(client, objectOf(path));
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

  return { localOf, localPath, noteCompared, forget: (path: string) => void comparedAt.delete(path) };
}
