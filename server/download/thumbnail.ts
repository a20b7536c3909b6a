import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Archive } from '../archive.ts';
import { exists, removeFile } from '../media/shelf.ts';
import { makeThumbnail } from '../media/thumbnail.ts';
import { thumbnailPath, thumbnailUrl } from '../video/thumbnail-path.ts';

const mostBytes = 10 * 1024 * 1024;

/** Where the picture of a queue item can be seen, or null while it has not been fetched. */
export async function shownThumbnail({ config }: Archive, id: string): Promise<string | null> {
  return (await exists(join(config.cacheFolder, thumbnailPath(id)))) ? thumbnailUrl(id) : null;
}

/** Fetches the picture of a queue item from its site. That it cannot be had never stops anything: it is only a picture. */
export async function fetchThumbnail({ config, tools, log }: Archive, id: string, url: string, signal: AbortSignal): Promise<void> {
  if (!tools.ffmpeg) return;
  const target = join(config.cacheFolder, thumbnailPath(id));
  if (await exists(target)) return;
  const fetched = `${target}.fetched`;
  try {
    const answer = await tools.gate.fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(15_000)]) });
    if (!answer.ok) throw new Error(`the site answered ${answer.status}`);
    const bytes = new Uint8Array(await answer.arrayBuffer());
    if (bytes.length > mostBytes) throw new Error('the picture is larger than 10 MB');
    await mkdir(dirname(target), { recursive: true });
    await writeFile(fetched, bytes);
    await makeThumbnail(tools.ffmpeg, fetched, target, signal);
  } catch (error) {
    log.info({ id, err: error }, 'no thumbnail for the queue item');
  } finally {
    await removeFile(fetched);
  }
}
