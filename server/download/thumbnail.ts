import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Archive } from '../archive.ts';
import { withPicture } from '../media/fetch-picture.ts';
import { exists } from '../media/shelf.ts';
import { makeThumbnail } from '../media/thumbnail.ts';
import { thumbnailPath, thumbnailUrl } from '../video/thumbnail-path.ts';

/** Where the picture of a queue item can be seen, or null while it has not been fetched. */
export async function shownThumbnail({ config }: Archive, id: string): Promise<string | null> {
  return (await exists(join(config.cacheFolder, thumbnailPath(id)))) ? thumbnailUrl(id) : null;
}

/** Fetches the picture of a queue item from its site. That it cannot be had never stops anything: it is only a picture. */
export async function fetchThumbnail(
  { config, tools, log }: Archive,
  id: string,
  url: string,
  signal: AbortSignal,
): Promise<void> {
  const { ffmpeg, gate } = tools;
  if (!ffmpeg) return;
  const target = join(config.cacheFolder, thumbnailPath(id));
  if (await exists(target)) return;
  try {
    await mkdir(dirname(target), { recursive: true });
    await withPicture(gate.fetch, url, target, signal, (path) => makeThumbnail(ffmpeg, path, target, signal));
  } catch (error) {
    log.info({ id, err: error }, 'no thumbnail for the queue item');
  }
}
