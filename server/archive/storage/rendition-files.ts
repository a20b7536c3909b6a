import { stat, utimes } from 'node:fs/promises';
import type { AppContext } from '../../platform/context/app-context.ts';
import { removeFolder } from '../../platform/files/files.ts';
import { inCache, resolveStoredPath } from '../../platform/storage/stored-path.ts';

// Renditions are files in the cache folder, `renditions/<video id>/<stamp>-s1.m4a`. They can be rendered again at any time, so
// they have no rows and are in no backup. See docs/decisions/audio-renditions.md. Files of clips are next to them.

/** Start of the stored paths of all renditions. */
export const renditionsPrefix = inCache('renditions/');

export const renditionsFolder = (app: Pick<AppContext, 'config'>) => resolveStoredPath(app, inCache('renditions'));

/** Start of the stored paths of the renditions of a video; null if the id is no valid folder name. */
export const renditionPrefixOf = (videoId: string) =>
  /^[-\w][-\w.]{0,129}$/.test(videoId) ? `${renditionsPrefix}${videoId}/` : null;

/** Local folder of unfinished renditions. Its files cannot be requested. */
export const partialRenditionsFolder = (app: Pick<AppContext, 'config'>) => resolveStoredPath(app, `${renditionsPrefix}.making`);

/** Deletes all renditions of a video, after its file was deleted or replaced. */
export async function deleteRenditions(app: AppContext, videoId: string): Promise<void> {
  const { files, log } = app;
  const prefix = renditionPrefixOf(videoId);
  if (!prefix) return;
  try {
    if (files.isRemote) for await (const { path } of files.list(prefix)) await files.remove(path);
    await removeFolder(resolveStoredPath(app, prefix));
  } catch (error) {
    log.warn({ prefix, err: error }, 'cannot delete the renditions of a video; retrying in a minute');
  }
}

/** What identifies the content of the file of a clip. */
interface ClipFile {
  mode: 'copy' | 'exact';
  hasPicture: boolean;
  startMs: number;
  endMs: number;
  /** File extension, with the dot. */
  ending: string;
}

/** Returns the file name of a clip of the media file with this stamp. The same clips of several users are the same file. */
export const clipFileName = (stamp: string, { mode, hasPicture, startMs, endMs, ending }: ClipFile) =>
  `${stamp}-${mode}-${hasPicture ? 'video' : 'audio'}-${startMs}-${endMs}${ending}`;

/** Whether a path is that of a clip, and not of a rendition. */
export const isClipFile = (path: string) => /-(copy|exact)-(audio|video)-\d+-\d+\.\w+$/.test(path);

/** Whether the file of a clip has no picture. */
export const isAudioClip = (path: string) => /-audio-\d+-\d+\.\w+$/.test(path);

const hour = 3600;

/**
 * Records the time of the last use of a rendition explicitly, because file systems can be mounted without access times. Those of
 * local copies of a bucket are recorded when they are used.
 */
export async function recordUse(app: AppContext, path: string): Promise<void> {
  if (app.files.isRemote) return;
  const local = resolveStoredPath(app, path);
  const about = await stat(local).catch(() => null);
  const now = app.now();
  if (about && Math.abs(now - about.atimeMs / 1000) > hour) await utimes(local, now, about.mtime).catch(() => undefined);
}
