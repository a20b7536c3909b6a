import { expect, test } from 'vitest';
import { cuesOfSegments, withoutRepetitions } from './cues.ts';

test('a long sentence becomes cues of the same length, of two lines each', () => {
  const text =
    'And Mr. John Dashwood had then leisure to consider how much there might be prudently in his power to do for them.';
  const cues = cuesOfSegments([{ start: 1, end: 9, text }], 300);
  expect(cues.map(({ text: part }) => part)).toEqual([
    'And Mr. John Dashwood had then leisure to\nconsider how',
    'much there might be prudently in his power\nto do for them.',
  ]);
  expect([cues[0]!.start, cues[1]!.end]).toEqual([301, 309]);
  expect(cues[0]!.end).toBeCloseTo(cues[1]!.start, 5);
});

test('words longer than a line and texts without spaces are broken', () => {
  for (const { text } of cuesOfSegments([{ start: 0, end: 5, text: '字'.repeat(200) }], 0))
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(42);
});

test('no cue is longer than seven seconds', () => {
  const cues = cuesOfSegments([{ start: 0, end: 30, text: 'One two three four five' }], 0);
  expect(cues.length).toBeGreaterThan(3);
  for (const { start, end } of cues) expect(end - start).toBeLessThanOrEqual(7);
  expect(cuesOfSegments([{ start: 0, end: 30, text: 'Hm' }], 0)).toEqual([{ start: 0, end: 7, text: 'Hm' }]);
});

test('a text that is repeated three times in a row is dropped, twice is kept', () => {
  const cue = (text: string, start: number) => ({ start, end: start + 1, text });
  const cues = ['a', 'b', 'b', 'c', 'c', 'c', 'd'].map(cue);
  expect(withoutRepetitions(cues).map(({ text }) => text)).toEqual(['a', 'b', 'b', 'd']);
});
