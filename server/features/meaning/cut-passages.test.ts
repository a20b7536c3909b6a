import { expect, test } from 'vitest';
import { cutPassages, passagesPerTrack } from './cut-passages.ts';

const lines = (count: number, words: number, seconds = 4) =>
  Array.from({ length: count }, (_, place) => ({
    startSeconds: place * seconds,
    endSeconds: (place + 1) * seconds,
    text: Array.from({ length: words }, (_, word) => `w${place}-${word}`).join(' '),
  }));
const lengths = (some: { startMs: number; endMs: number }[]) => some.map(({ startMs, endMs }) => (endMs - startMs) / 1000);

test('cuts quick speech after about 75 words, and slow speech before 40 seconds', () => {
  expect(lengths(cutPassages(lines(20, 15)))).toEqual([20, 20, 20, 20]);
  expect(lengths(cutPassages(lines(20, 4)))).toEqual([40, 40]);
  expect(lengths(cutPassages(lines(1, 2)))).toEqual([4]);
});

test('keeps all lines in order, and a long line whole', () => {
  const long = { startSeconds: 0, endSeconds: 90, text: 'a very long line' };
  const passages = cutPassages([long, { startSeconds: 91, endSeconds: 93, text: 'the next' }]);
  expect(passages.map(({ text }) => text)).toEqual(['a very long line', 'the next']);
  const text = cutPassages(lines(50, 9))
    .map((passage) => passage.text)
    .join(' ');
  expect(text).toBe(
    lines(50, 9)
      .map((line) => line.text)
      .join(' '),
  );
});

test('counts two characters of Chinese or Japanese as a word', () => {
  const dense = lines(20, 1).map((line) => ({ ...line, text: '今日は天気がいいですから散歩に行きましょうね今日は天気がいい' }));
  expect(lengths(cutPassages(dense))[0]).toBeLessThan(30);
});

test('the mark changes with the text only', () => {
  const [one] = cutPassages(lines(3, 5));
  const [later] = cutPassages(
    lines(3, 5).map((line) => ({ ...line, startSeconds: line.startSeconds + 9, endSeconds: line.endSeconds + 9 })),
  );
  const [other] = cutPassages(lines(3, 6));
  expect(later!.mark).toBe(one!.mark);
  expect(other!.mark).not.toBe(one!.mark);
});

test('omits what is beyond the last passage that has a number', () => {
  expect(cutPassages(lines(passagesPerTrack + 9, 1, 60))).toHaveLength(passagesPerTrack);
});
