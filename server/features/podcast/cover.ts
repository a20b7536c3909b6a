import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { channelArtPath } from '../../archive/channel/art-files.ts';
import { playlistArtPath } from '../../archive/playlist/artwork.ts';
import { thumbnailPath } from '../../archive/storage/thumbnail-path.ts';
import { removeFile } from '../../platform/files/files.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { toolOf } from '../../platform/context/tools.ts';
import { placeholderImage } from '../../platform/http/files/placeholder-image.ts';
import { makeArtwork } from '../../platform/media/thumbnail.ts';
import { inCache, resolveStoredPath } from '../../platform/storage/stored-path.ts';
import { findEpisodes } from './find-episodes.ts';
import type { VideoSource } from '../smart-list/video-source.ts';
import type { OpenFeed } from './store.ts';

// Covers are files in the cache folder, `podcasts/<number>.jpg`, rendered on request.

const coversFolder = inCache('podcasts/');

const weekMs = 7 * 86_400_000;

declare module '../../platform/context/app-state.ts' {
  interface AppState {
    /** Covers being rendered, by feed. */
    podcastCovers: Map<number, Promise<string | null>>;
  }
}

const changedAt = async ({ files }: AppContext, path: string) => (await files.stat(path))?.modifiedMs ?? null;

/** Returns the picture of a channel or playlist that exists, else that of the first video. */
async function findPicture(app: AppContext, feed: OpenFeed, { filter }: VideoSource) {
  const own =
    feed.type === 'channel'
      ? [channelArtPath(feed.targetId, 'thumb'), channelArtPath(feed.targetId, 'tvart')]
      : feed.type === 'playlist'
        ? [playlistArtPath(feed.targetId)]
        : [];
  for (const name of own) {
    const path = inCache(name);
    const changed = await changedAt(app, path);
    if (changed !== null) return { path, changed };
  }
  const { episodes } = await findEpisodes(app.db, { accountId: feed.accountId, filter, page: { size: 1, from: 0 } });
  const path = episodes[0] && inCache(thumbnailPath(episodes[0].id));
  // The first video changes often, and its picture is not that of the feed: renewed once a week.
  return path && (await changedAt(app, path)) !== null ? { path, changed: Date.now() - weekMs } : null;
}

/** Deletes the covers of feeds that were revoked. */
async function deleteOrphans({ db, files }: AppContext) {
  const numbers = new Set((await db.selectFrom('podcast').select('number').execute()).map(({ number }) => number));
  for await (const { path } of files.list(coversFolder))
    if (!numbers.has(Number.parseInt(path.slice(coversFolder.length), 10))) await files.remove(path);
}

async function renderCover(app: AppContext, feed: OpenFeed, source: VideoSource): Promise<string | null> {
  const { files, tools, log } = app;
  const path = `${coversFolder}${feed.number}.jpg`;
  const target = resolveStoredPath(app, path);
  const picture = await findPicture(app, feed, source);
  const made = await changedAt(app, path);
  if (made !== null && made >= (picture?.changed ?? 0)) return files.localPath(path);
  const ffmpeg = await toolOf(tools, 'ffmpeg');
  if (!ffmpeg) return null;
  await mkdir(dirname(target), { recursive: true });
  const drawn = `${target}.source`;
  try {
    if (!picture) await writeFile(drawn, placeholderImage('film'));
    const from = picture ? await files.localPath(picture.path) : drawn;
    await makeArtwork(ffmpeg, 'cover', from, target, AbortSignal.timeout(60_000));
    await files.save(path);
    await deleteOrphans(app);
    return target;
  } catch (error) {
    log.info({ feed: feed.number, err: error }, 'cannot render the cover of a podcast feed');
    return made === null ? null : files.localPath(path);
  } finally {
    await removeFile(drawn);
  }
}

/** Returns the path of the cover of a feed, rendered first if it is missing or outdated; null if it cannot be rendered. */
export function findCover(app: AppContext, feed: OpenFeed, source: VideoSource): Promise<string | null> {
  const { podcastCovers: rendering } = app.state;
  const cover = rendering.get(feed.number) ?? renderCover(app, feed, source).finally(() => rendering.delete(feed.number));
  rendering.set(feed.number, cover);
  return cover;
}
