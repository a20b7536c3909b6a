import { opendir } from 'node:fs/promises';
import { extname, join } from 'node:path';

/** File extensions of media files. */
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
const maxDepth = 6;

/** Hidden files, and files and folders created by NAS and desktop systems. */
export const ignoredNames =
  /^(\.|@eaDir$|[#@]recycle$|#snapshot$|@Recently-Snapshot$|lost\+found$|System Volume Information$|\$RECYCLE\.BIN$)/i;

/** A file, or an unreadable folder with its error code. */
export type Found = { path: string; what: 'media' | 'subtitle' | 'other' } | { path: string; what: 'unread'; code: string };

/**
 * Walks the media folder. Paths are relative with forward slashes. Hidden and system files are skipped. An unreadable or deleted
 * subfolder does not end the walk.
 */
export async function* walkMedia(root: string, below = '', depth = 0): AsyncGenerator<Found> {
  const folders: string[] = [];
  try {
    for await (const entry of await opendir(join(root, below))) {
      if (ignoredNames.test(entry.name)) continue;
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
  if (depth < maxDepth) for (const folder of folders.sort()) yield* walkMedia(root, folder, depth + 1);
}
