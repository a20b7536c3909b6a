import { expect, test } from 'vitest';
import { groupNotes, type TimedNote } from './group-notes.ts';

const at = (...starts: number[]) => starts.map((start) => ({ start }) as TimedNote);
const starts = (groups: TimedNote[][]) => groups.map((group) => group.map(({ start }) => start));

test('groups notes whose marks would overlap, measured from the first of a group', () => {
  expect(starts(groupNotes(at(0, 4, 8, 12, 30), 10))).toEqual([[0, 4, 8], [12], [30]]);
  expect(starts(groupNotes(at(5, 5), 0.1))).toEqual([[5, 5]]);
  expect(groupNotes([], 10)).toEqual([]);
});
