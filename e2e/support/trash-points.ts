import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { listFiles, type Point } from './killing.ts';

interface TrashContext {
  inData(path: string): string;
  runQuery(sql: string): unknown;
  /** Returns the path of a file of the film in the library. */
  libraryPath(ending: string): string;
  id: string;
}

/** Points at which to interrupt moving a film to the trash, restoring it and purging it. */
export function createTrashPoints({ inData, runQuery, libraryPath, id }: TrashContext) {
  const pathInTrash = (ending: string) =>
    globSync(inData(`media/.trash/*/${id}.${ending}`))[0] ?? inData(`media/.trash/none.${ending}`);
  const isInTrash = (ending: string) => () => existsSync(pathInTrash(ending)) && !existsSync(libraryPath(ending));
  const hasCount = (table: string, count: number) => () => runQuery(`select count(*) from ${table}`) === count;
  return {
    moveToTrash: (): Point[] => [
      { name: 'row deleted', calls: 'link', path: libraryPath('mp4'), isReached: hasCount('video', 0) },
      { name: 'linked into the trash', calls: 'unlink', path: libraryPath('mp4') },
      { name: 'partly in the trash', calls: 'unlink', path: libraryPath('en.vtt'), isReached: isInTrash('mp4') },
    ],
    restoreFromTrash: (): Point[] => [
      { name: 'restore started', calls: 'link', path: pathInTrash('mp4'), isReached: hasCount('video', 1) },
      { name: 'film restored, under two names', calls: 'unlink', path: pathInTrash('mp4') },
    ],
    purge: (): Point[] => [{ name: 'purged', calls: 'unlink', path: pathInTrash('info.json'), isReached: hasCount('trash', 0) }],
    /** Expects the film to be in the trash with all its files, once, and nowhere else. */
    expectInTrash(endings: string[]) {
      const files = listFiles(inData('media')).filter((path) => path !== '.reelkeep');
      expect(files.map((path) => path.replace(/^\.trash\/\w+\//, ''))).toEqual(endings.map((ending) => `${id}.${ending}`).sort());
      for (const ending of endings) expect(isInTrash(ending)()).toBe(true);
      expect([hasCount('trash', 1)(), hasCount('video', 0)()]).toEqual([true, true]);
      const expectedHash = runQuery("select json_extract(rows, '$[0].sha256') from trash_rows where table_name = 'video'");
      expect(
        createHash('sha256')
          .update(readFileSync(pathInTrash('mp4')))
          .digest('hex'),
      ).toBe(expectedHash);
    },
  };
}
