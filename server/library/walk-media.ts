import { opendir } from 'node:fs/promises';
import { extname, join } from 'node:path';

/** Of the files that are played. */
export const mediaEndings = new Set([
  '.mp4',
  '.m4v',
  '.mkv',
  '.webm',
  '.mov',
  '.m4a',
  '.mp3',
  '.opus',
  '.ogg',
  '.flac',
  '.wav',
  '.aac',
]);
const deepest = 6;

/** What network storage and desktops put into folders of their own accord, and hidden files. */
export const notOurs =
  /^(\.|@eaDir$|[#@]recycle$|#snapshot$|@Recently-Snapshot$|lost\+found$|System Volume Information$|\$RECYCLE\.BIN$)/i;

/** A file; or a folder that cannot be read, and the code of why. */
export type Found = { path: string; what: 'media' | 'subtitle' | 'other' } | { path: string; what: 'unread'; code: string };

/**
 * Every file below the media folder, folder by folder, by its path there with forward slashes; hidden and foreign ones are passed
 * over. A folder that cannot be read, or goes meanwhile, ends nothing.
 */
export async function* walkMedia(root: string, below = '', depth = 0): AsyncGenerator<Found> {
  const folders: string[] = [];
  try {
    for await (const entry of await opendir(join(root, below))) {
      if (notOurs.test(entry.name)) continue;
      const path = below ? `${below}/${entry.name}` : entry.name;
      if (entry.isDirectory()) folders.push(path);
      else if (!entry.isFile()) continue;
      else if (mediaEndings.has(extname(entry.name).toLowerCase())) yield { path, what: 'media' };
      else yield { path, what: entry.name.endsWith('.vtt') ? 'subtitle' : 'other' };
    }
  } catch (error) {
    if (below === '') throw error;
    yield { path: below, what: 'unread', code: (error as NodeJS.ErrnoException).code ?? 'unknown' };
  }
  if (depth < deepest) for (const folder of folders.sort()) yield* walkMedia(root, folder, depth + 1);
}
