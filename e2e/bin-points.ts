import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { filesBelow, type Point } from './killing.ts';

interface Around {
  inData(path: string): string;
  asked(sql: string): unknown;
  /** Where a file of the film stands. */
  shelf(ending: string): string;
  id: string;
}

/** Where a film can be cut off on its way into the bin, back, and away for good. */
export function pointsOfBin({ inData, asked, shelf, id }: Around) {
  const inBin = (ending: string) => globSync(inData(`media/.bin/*/${id}.${ending}`))[0] ?? inData(`media/.bin/none.${ending}`);
  const rests = (ending: string) => () => existsSync(inBin(ending)) && !existsSync(shelf(ending));
  const counts = (table: string, count: number) => () => asked(`select count(*) from ${table}`) === count;
  return {
    intoTheBin: (): Point[] => [
      { name: 'its row gone', calls: 'link', path: shelf('mp4'), isSeen: counts('video', 0) },
      { name: 'a name in the bin', calls: 'unlink', path: shelf('mp4') },
      { name: 'some in the bin', calls: 'unlink', path: shelf('en.vtt'), isSeen: rests('mp4') },
    ],
    outOfTheBin: (): Point[] => [
      { name: 'on its way back', calls: 'link', path: inBin('mp4'), isSeen: counts('video', 1) },
      { name: 'the film back, under two names', calls: 'unlink', path: inBin('mp4') },
    ],
    goneForGood: (): Point[] => [{ name: 'gone for good', calls: 'unlink', path: inBin('info.json'), isSeen: counts('bin', 0) }],
    /** It rests in the bin with all its files, once, and nowhere else. */
    expectInBin(endings: string[]) {
      const files = filesBelow(inData('media')).filter((path) => path !== '.reelkeep');
      expect(files.map((path) => path.replace(/^\.bin\/\w+\//, ''))).toEqual(endings.map((ending) => `${id}.${ending}`).sort());
      for (const ending of endings) expect(rests(ending)()).toBe(true);
      expect([counts('bin', 1)(), counts('video', 0)()]).toEqual([true, true]);
      const said = asked("select json_extract(rows, '$[0].sha256') from bin_rows where of_table = 'video'");
      expect(
        createHash('sha256')
          .update(readFileSync(inBin('mp4')))
          .digest('hex'),
      ).toBe(said);
    },
  };
}
