import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { AppContext } from '../../platform/context/app-context.ts';
import { withFetchedImage } from '../../platform/media/fetch-picture.ts';
import { makeArtwork } from '../../platform/media/thumbnail.ts';
import { inCache, resolveStoredPath } from '../../platform/storage/stored-path.ts';
import type { ChannelInfo } from '../../platform/ytdlp/channel.ts';
import { channelArtPath, type ChannelArtKind } from './art-files.ts';

interface FailedArt {
  id: string;
  art: ChannelArtKind;
  url: string;
  tries: number;
  /** When it is fetched again, epoch seconds. */
  retryAt: number;
  error: Error;
}

declare module '../../platform/context/app-state.ts' {
  interface AppState {
    channelArt: {
      /** Images that could not be fetched, by path. */
      failed: Map<string, FailedArt>;
      /** Channels whose site offers no picture. */
      withoutPicture: Set<string>;
    };
  }
}

export const createChannelArtState = () => ({ failed: new Map<string, FailedArt>(), withoutPicture: new Set<string>() });

// After the last one the next refresh of the channel or the thumbnail check fetches the image.
const retrySeconds = [30, 120, 600, 3600, 6 * 3600];
const maxFailed = 1000;

const flagOf = { thumb: 'hasThumb', banner: 'hasBanner', tvart: 'hasTvart' } as const;

/** Fetches one image of a channel. A failure is logged, and retried by `retryChannelArt`. */
async function fetchArt(app: AppContext, { id, art, url, tries }: Omit<FailedArt, 'retryAt' | 'error'>, signal: AbortSignal) {
  const { files, tools, log, now } = app;
  const { ffmpeg, proxy } = tools;
  const { failed } = app.state.channelArt;
  const path = inCache(channelArtPath(id, art));
  const target = resolveStoredPath(app, path);
  const shape = art === 'thumb' ? 'square' : 'banner';
  failed.delete(path);
  try {
    if (!ffmpeg) throw new Error('ffmpeg is not installed yet');
    await mkdir(dirname(target), { recursive: true });
    await withFetchedImage(proxy.fetch, url, target, signal, (fetched) => makeArtwork(ffmpeg, shape, fetched, target, signal));
    await files.save(path, signal);
    return true;
  } catch (problem) {
    signal.throwIfAborted();
    const error = problem as Error;
    log.info({ channel: id, art, tries, err: error }, 'cannot fetch an image of a channel');
    const wait = retrySeconds[tries];
    if (wait !== undefined && failed.size < maxFailed)
      failed.set(path, { id, art, url, tries: tries + 1, retryAt: now() + wait, error });
    return false;
  }
}

const markFetched = (app: AppContext, id: string, arts: ChannelArtKind[]) =>
  app.db
    .updateTable('channel')
    .set(Object.fromEntries(arts.map((art) => [flagOf[art], 1])))
    .where('id', '=', id)
    .execute();

/** Fetches the images of a channel. An existing image is kept if the site does not offer it now. */
export async function fetchChannelImages(app: AppContext, id: string, info: ChannelInfo, signal: AbortSignal): Promise<void> {
  const urls = { thumb: info.avatarUrl, banner: info.bannerUrl, tvart: info.bannerUrl };
  const { withoutPicture } = app.state.channelArt;
  if (urls.thumb) withoutPicture.delete(id);
  else withoutPicture.add(id);
  const fetched: ChannelArtKind[] = [];
  for (const art of ['thumb', 'banner', 'tvart'] as const) {
    const url = urls[art];
    if (url && (await fetchArt(app, { id, art, url, tries: 0 }, signal))) fetched.push(art);
  }
  if (fetched.length > 0) await markFetched(app, id, fetched);
}

/** Whether the site of a channel offers no picture, as far as a lookup since the start of the server has shown. */
export const hasNoPictureToFetch = ({ state }: Pick<AppContext, 'state'>, id: string) => state.channelArt.withoutPicture.has(id);

/** Why the picture of a channel could not be fetched, if it could not. */
export const pictureError = ({ state }: Pick<AppContext, 'state'>, id: string): Error | undefined =>
  state.channelArt.failed.get(inCache(channelArtPath(id, 'thumb')))?.error;

/** Periodic job: fetches images again whose last attempt failed, later each time. */
export async function retryChannelArt(app: AppContext, signal: AbortSignal): Promise<void> {
  const due = [...app.state.channelArt.failed.values()].filter(({ retryAt }) => retryAt <= app.now());
  for (const failed of due) {
    if (!(await fetchArt(app, failed, signal))) continue;
    await markFetched(app, failed.id, [failed.art]);
    app.announce('channel', 'video');
  }
}
