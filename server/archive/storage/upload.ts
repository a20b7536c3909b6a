import { randomBytes } from 'node:crypto';
import { extname } from 'node:path';
import type { AppContext } from '../../platform/context/app-context.ts';
import { LeaseLostError } from '../../platform/context/task.ts';
import type { Tx } from '../../platform/db/db.ts';

// Files reach a bucket before their rows are written. Until then a row of `upload` names them, so that files of an upload that was
// never finished can be found and deleted. See docs/decisions/s3.md.

/** A verified local file and its path in the bucket. */
export interface UploadedFile {
  local: string;
  path: string;
  sizeBytes: number;
  sha256: string;
}

interface Upload {
  /** The media file, or the only file: its name is in no other upload. */
  id: string;
  /** Number of the queue item, 0 without one. */
  number: number;
  paths: string[];
}

/** A part of file names that no other upload has, so that a path in a bucket never gets a second content. */
export const uniquePart = () => randomBytes(8).toString('hex');

/**
 * Path of the media file of a video without its extension. In a bucket each download has its own. File names contain no text from
 * the site; both ids are sanitized.
 */
export const newStem = ({ files }: Pick<AppContext, 'files'>, channelId: string, videoId: string) =>
  `${channelId}/${videoId}${files.isRemote ? `.${uniquePart()}` : ''}`;

/** Path without its extension. */
export const stemOf = (path: string) => path.slice(0, path.length - extname(path).length);

/** Records an upload before its first file is in the bucket. */
export const beginUpload = ({ db, runId, now }: AppContext, { id, number, paths }: Upload) =>
  db
    .insertInto('upload')
    .values({ id, number, runId, startedAt: now(), paths: JSON.stringify(paths), manifest: null })
    .execute();

/** Takes over an upload that an earlier run of this server began. Returns false if it was given up and its files are deleted. */
export async function resumeUpload({ db, runId, now }: AppContext, id: string): Promise<boolean> {
  const row = await db
    .updateTable('upload')
    .set({ runId, startedAt: now() })
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function putFiles({ files }: AppContext, uploaded: UploadedFile[], signal?: AbortSignal): Promise<void> {
  for (const { path, local, sizeBytes, sha256 } of uploaded) await files.put(path, local, { sizeBytes, sha256 }, signal);
}

/**
 * Ends an upload in the transaction that writes the rows of its files.
 * @throws LeaseLostError if another server has finished it, or it was given up
 */
export async function commitUpload(tx: Tx, id: string): Promise<void> {
  const row = await tx.deleteFrom('upload').where('id', '=', id).returning('id').executeTakeFirst();
  if (!row) throw new LeaseLostError();
}
