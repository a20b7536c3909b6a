import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { AppContext } from '../../platform/context/app-context.ts';
import { withFetchedImage } from '../../platform/media/fetch-picture.ts';
import { exists } from '../../platform/files/files.ts';
import { makeThumbnail } from '../../platform/media/thumbnail.ts';
import { inCache, resolveStoredPath } from '../../platform/storage/stored-path.ts';
import { thumbnailPath, thumbnailUrl } from '../storage/thumbnail-path.ts';
import { setNewest } from '../../platform/lib/set-newest.ts';

declare module '../../platform/context/app-state.ts' {
  interface AppState {
    /** Whether the bucket has the thumbnails of queue items that were listed last, oldest first. */
    queueThumbnails: Map<string, { isThere: Promise<boolean>; at: number }>;
  }
}

/** How long the answer of the bucket about a thumbnail is used, in seconds. */
const rememberedSeconds = 20;
const maxRemembered = 1000;
/** A list of the queue is not held up longer by a bucket that does not answer. */
const maxWaitMs = 1000;

/** Asks the bucket whether it has a thumbnail, at most every 20 seconds. */
function isInBucket({ files, state, now, log }: AppContext, id: string): Promise<boolean> {
  const known = state.queueThumbnails.get(id);
  if (known && Math.abs(now() - known.at) < rememberedSeconds) return known.isThere;
  const isThere = files.stat(inCache(thumbnailPath(id))).then(
    (found) => found !== null,
    (error: unknown) => {
      log.info({ id, err: error }, 'cannot look for the thumbnail of a queue item');
      return false;
    },
  );
  setNewest(state.queueThumbnails, id, { isThere, at: now() }, maxRemembered);
  return isThere;
}

/** Returns the thumbnail URL of a queue item, or null if the thumbnail has not been fetched. */
export async function visibleThumbnail(app: AppContext, id: string): Promise<string | null> {
  if (await exists(resolveStoredPath(app, inCache(thumbnailPath(id))))) return thumbnailUrl(id);
  if (!app.files.isRemote) return null;
  const late = Promise.withResolvers<false>();
  const timer = setTimeout(() => late.resolve(false), maxWaitMs);
  const isThere = await Promise.race([isInBucket(app, id), late.promise]);
  clearTimeout(timer);
  return isThere ? thumbnailUrl(id) : null;
}

/** Fetches the thumbnail of a queue item from its site. Errors are only logged. */
export async function fetchThumbnail(app: AppContext, id: string, url: string, signal: AbortSignal): Promise<void> {
  const { files, tools, log } = app;
  const { ffmpeg, proxy } = tools;
  if (!ffmpeg) return;
  const path = inCache(thumbnailPath(id));
  const target = resolveStoredPath(app, path);
  try {
    if (await files.stat(path)) return;
    await mkdir(dirname(target), { recursive: true });
    await withFetchedImage(proxy.fetch, url, target, signal, (fetched) => makeThumbnail(ffmpeg, fetched, target, signal));
    await files.save(path, signal);
  } catch (error) {
    log.info({ id, err: error }, 'cannot fetch the thumbnail of a queue item');
  }
}
