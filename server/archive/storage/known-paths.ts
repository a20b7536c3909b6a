import { chunks, type Db } from '../../platform/db/db.ts';
import { mediaEndings } from './walk.ts';

const infoEnding = '.info.json';

/** Returns which of these paths are media files of videos, and which are other files of videos in the library. */
export async function knownPaths(db: Db, paths: string[]): Promise<{ media: Set<string>; others: Set<string> }> {
  // An info.json has the base name of its media file, whose extension can be any of `mediaEndings`.
  const withInfo = paths
    .filter((path) => path.endsWith(infoEnding))
    .flatMap((path) => [...mediaEndings].map((ending) => path.slice(0, -infoEnding.length) + ending));
  const [media, others] = [new Set<string>(), new Set<string>()];
  for (const part of chunks([...paths, ...withInfo])) {
    const rows = await db.selectFrom('video').select('mediaPath').where('mediaPath', 'in', part).execute();
    for (const { mediaPath } of rows) {
      media.add(mediaPath);
      others.add(mediaPath.replace(/\.[^.]+$/, infoEnding));
    }
  }
  for (const part of chunks(paths))
    for (const table of ['subtitle', 'smallCopy', 'chat'] as const)
      for (const { path } of await db.selectFrom(table).select('path').where('path', 'in', part).execute())
        if (path !== null) others.add(path);
  return { media, others };
}
