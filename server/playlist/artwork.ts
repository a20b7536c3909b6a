import { copyFile, mkdir, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Archive } from '../archive.ts';
import { withPicture } from '../media/fetch-picture.ts';
import { exists } from '../media/shelf.ts';
import { makeThumbnail } from '../media/thumbnail.ts';
import { thumbnailPath } from '../video/thumbnail-path.ts';
import type { Entry } from '../ytdlp/listing.ts';
import { wireId } from '../ytdlp/wire-id.ts';

export const playlistArtPath = (id: string) => `playlists/${id}.jpg`;

/** Takes the picture of an archived video as that of a playlist; false when there is none. */
export async function artFromVideo({ config }: Archive, id: string, videoId: string): Promise<boolean> {
  const from = join(config.cacheFolder, thumbnailPath(videoId));
  if (!(await exists(from))) return false;
  const target = join(config.cacheFolder, playlistArtPath(id));
  await mkdir(dirname(target), { recursive: true });
  await copyFile(from, `${target}.part`);
  await rename(`${target}.part`, target);
  return true;
}

/** A playlist looks like its first video that has a picture. That there is none never stopped anything. */
export async function makePlaylistArt(archive: Archive, id: string, entries: Entry[], signal: AbortSignal): Promise<void> {
  const { config, db, tools, log } = archive;
  const { ffmpeg, gate } = tools;
  const target = join(config.cacheFolder, playlistArtPath(id));
  const first = entries.find((entry) => entry.thumbnailUrl);
  if (!first?.thumbnailUrl || !ffmpeg) return;
  try {
    if (!(await artFromVideo(archive, id, wireId(first.site, first.siteId)))) {
      await mkdir(dirname(target), { recursive: true });
      await withPicture(gate.fetch, first.thumbnailUrl, target, signal, (path) => makeThumbnail(ffmpeg, path, target, signal));
    }
    await db.updateTable('playlist').set({ hasThumb: 1 }).where('id', '=', id).execute();
  } catch (error) {
    signal.throwIfAborted();
    log.info({ playlist: id, err: error }, 'a playlist has no picture');
  }
}
