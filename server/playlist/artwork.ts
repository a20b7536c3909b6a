import { copyFile, mkdir, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Archive } from '../archive.ts';
import type { Db, Tx } from '../db/db.ts';
import { withPicture } from '../media/fetch-picture.ts';
import { exists, removeFile } from '../media/shelf.ts';
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

/** The playlists of people's own that hold a video. */
export const customWith = async (db: Db | Tx, videoId: string): Promise<string[]> =>
  (
    await db
      .selectFrom('playlistEntry')
      .innerJoin('playlist', 'playlist.id', 'playlistEntry.playlistId')
      .select('playlist.id')
      .where('playlistEntry.videoId', '=', videoId)
      .where('playlist.kind', '=', 'custom')
      .execute()
  ).map(({ id }) => id);

/**
 * Gives playlists of people's own the picture of their first video; one that is empty has none. A picture that cannot be
 * copied never stopped anything.
 */
export async function lookLikeTheirFirst(archive: Archive, ids: readonly string[]): Promise<void> {
  const { db, config, log } = archive;
  for (const id of ids)
    try {
      const first = await db
        .selectFrom('playlistEntry')
        .select('videoId')
        .where('playlistId', '=', id)
        .orderBy('position')
        .limit(1)
        .executeTakeFirst();
      const hasThumb = first !== undefined && (await artFromVideo(archive, id, first.videoId));
      if (!hasThumb) await removeFile(join(config.cacheFolder, playlistArtPath(id)));
      await db
        .updateTable('playlist')
        .set({ hasThumb: hasThumb ? 1 : 0 })
        .where('id', '=', id)
        .execute();
    } catch (error) {
      log.warn({ playlist: id, err: error }, 'a playlist did not get its picture');
    }
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
