import { copyFile, mkdir, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { AppContext } from '../../platform/context/app-context.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import { withFetchedImage } from '../../platform/media/fetch-picture.ts';
import { makeThumbnail } from '../../platform/media/thumbnail.ts';
import { localPathOrNull } from '../../platform/storage/file-store.ts';
import { inCache, resolveStoredPath } from '../../platform/storage/stored-path.ts';
import { thumbnailPath } from '../storage/thumbnail-path.ts';
import type { Entry } from '../../platform/ytdlp/listing.ts';
import { publicId } from '../../platform/ytdlp/public-id.ts';

export const playlistArtPath = (id: string) => `playlists/${id}.jpg`;

/** Copies the thumbnail of an archived video as the artwork of a playlist. Returns false if the video has no thumbnail. */
export async function artFromVideo(app: AppContext, id: string, videoId: string): Promise<boolean> {
  const { files } = app;
  const from = await localPathOrNull(files, inCache(thumbnailPath(videoId)));
  if (!from) return false;
  const target = resolveStoredPath(app, inCache(playlistArtPath(id)));
  await mkdir(dirname(target), { recursive: true });
  await copyFile(from, `${target}.part`);
  await rename(`${target}.part`, target);
  await files.save(inCache(playlistArtPath(id)));
  return true;
}

/** Returns the ids of custom playlists that contain a video. */
export const customPlaylistsWith = async (db: Db | Tx, videoId: string): Promise<string[]> =>
  (
    await db
      .selectFrom('playlistEntry')
      .innerJoin('playlist', 'playlist.id', 'playlistEntry.playlistId')
      .select('playlist.id')
      .where('playlistEntry.videoId', '=', videoId)
      .where('playlist.kind', '=', 'custom')
      .execute()
  ).map(({ id }) => id);

/** Sets the artwork of custom playlists to the thumbnail of their first video. Empty playlists have none. Errors are only logged. */
export async function updateCustomArtwork(app: AppContext, ids: readonly string[]): Promise<void> {
  const { db, files, log } = app;
  for (const id of ids)
    try {
      const first = await db
        .selectFrom('playlistEntry')
        .select('videoId')
        .where('playlistId', '=', id)
        .orderBy('position')
        .limit(1)
        .executeTakeFirst();
      const hasThumb = first !== undefined && (await artFromVideo(app, id, first.videoId));
      if (!hasThumb) await files.remove(inCache(playlistArtPath(id)));
      await db
        .updateTable('playlist')
        .set({ hasThumb: hasThumb ? 1 : 0 })
        .where('id', '=', id)
        .execute();
    } catch (error) {
      log.warn({ playlist: id, err: error }, 'cannot update the artwork of a playlist');
    }
}

/** Creates the artwork of a playlist from its first entry with a thumbnail. Errors are only logged. */
export async function makePlaylistArt(app: AppContext, id: string, entries: Entry[], signal: AbortSignal): Promise<void> {
  const { db, files, tools, log } = app;
  const { ffmpeg, proxy } = tools;
  const path = inCache(playlistArtPath(id));
  const target = resolveStoredPath(app, path);
  const first = entries.find((entry) => entry.thumbnailUrl);
  if (!first?.thumbnailUrl || !ffmpeg) return;
  try {
    if (!(await artFromVideo(app, id, publicId(first.site, first.siteId)))) {
      await mkdir(dirname(target), { recursive: true });
      await withFetchedImage(proxy.fetch, first.thumbnailUrl, target, signal, (fetched) =>
        makeThumbnail(ffmpeg, fetched, target, signal),
      );
      await files.save(path, signal);
    }
    await db.updateTable('playlist').set({ hasThumb: 1 }).where('id', '=', id).execute();
  } catch (error) {
    signal.throwIfAborted();
    log.info({ playlist: id, err: error }, 'cannot create the artwork of a playlist');
  }
}
