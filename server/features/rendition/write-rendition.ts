import { message, type Message } from '#contract/messages.ts';
import { mkdir, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { missingSpace } from '../../archive/storage/disk-space.ts';
import { partialRenditionsFolder, renditionPrefixOf } from '../../archive/storage/rendition-files.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { removeFile, syncFile, syncFolder } from '../../platform/files/files.ts';
import { isDiskFull } from '../../platform/files/free-space.ts';
import { etagOf } from '../../platform/http/files/media-types.ts';
import { IncompleteFileError } from '../../platform/media/probe.ts';
import { MessageError } from '../../platform/messages/message-error.ts';
import { ProcessError } from '../../platform/process/run.ts';
import { StorageError } from '../../platform/storage/file-store.ts';
import { resolveStoredPath } from '../../platform/storage/stored-path.ts';
import { freeSpaceFor } from './rendition-cache.ts';

/** A file of the cache cannot be made; the message is for the user. */
export class CannotBe extends MessageError {}

interface RenditionFile {
  video: { id: string; mediaPath: string; stamp: string };
  name: string;
  /** Estimate of its size. */
  bytes: number;
  whyNoSpace(lacks: { free: number; needed: number }): Message;
  /** Writes and verifies the file at `target`. */
  write(files: { source: string; target: string }): Promise<void>;
}

/**
 * Moves a finished temporary file to the cache under its name, durably. Returns its stored path.
 * @throws CannotBe if the media file has changed
 */
export async function publishRendition(
  app: AppContext,
  { video: { id, stamp }, name, target }: { video: { id: string; stamp: string }; name: string; target: string },
  signal: AbortSignal,
): Promise<string> {
  const path = `${renditionPrefixOf(id)!}${name}`;
  const finished = resolveStoredPath(app, path);
  await syncFile(target);
  const now = await app.db.selectFrom('video').select(['sha256', 'sizeBytes']).where('id', '=', id).executeTakeFirst();
  if (!now || etagOf(now) !== stamp) throw new CannotBe(message('rendition.file-changed'));
  await mkdir(dirname(finished), { recursive: true });
  await rename(target, finished);
  await syncFolder(dirname(finished));
  await app.files.save(path, signal);
  return path;
}

/**
 * Makes room for a file of the cache: less recently used ones are removed.
 * @throws CannotBe without space
 */
export async function makeRoom(app: AppContext, bytes: number, whyNoSpace: RenditionFile['whyNoSpace']): Promise<void> {
  await freeSpaceFor(app, bytes);
  const lacks = await missingSpace(app, app.config.cacheFolder, bytes);
  if (lacks) throw new CannotBe(whyNoSpace(lacks));
}

/**
 * Makes a file of the cache: a temporary file is verified, synced, then renamed and saved. Returns its stored path. Less recently
 * used files make room for it.
 * @throws CannotBe without space, or if the media file has changed
 */
export async function writeRendition(
  app: AppContext,
  { video, name, bytes, whyNoSpace, write }: RenditionFile,
  signal: AbortSignal,
): Promise<string> {
  await makeRoom(app, bytes, whyNoSpace);
  const target = join(partialRenditionsFolder(app), name);
  await mkdir(partialRenditionsFolder(app), { recursive: true });
  await removeFile(target);
  let path: string;
  try {
    await write({ source: await app.files.localPath(video.mediaPath, signal), target });
    path = await publishRendition(app, { video, name, target }, signal);
  } finally {
    await removeFile(target);
  }
  await freeSpaceFor(app, 0, path);
  return path;
}

/** Returns the failure as messages for the user. Output of the program goes to the log. */
export function whyFailed(problem: unknown, texts: { program: Message; other: Message }): Message[] {
  if (problem instanceof CannotBe || problem instanceof IncompleteFileError || problem instanceof StorageError)
    return problem.messages;
  if (isDiskFull(problem)) return [message('error.disk')];
  return [problem instanceof ProcessError ? texts.program : texts.other];
}
