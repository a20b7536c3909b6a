import { expect, test } from 'vitest';
import { findInLines, normalizeLines } from './find-in-lines.ts';

const cues = (...texts: string[]) => texts.map((text, place) => ({ start: place * 2, end: place * 2 + 2, text }));

test.each([
  ['cafe', 'Das Café am Meer', 'Café'],
  ['STRASSE', 'die strasse', 'strasse'],
  ['море', 'Чёрное МОРЕ', 'МОРЕ'],
  ['черное', 'Чёрное море', 'Чёрное'],
  ['東京', '私は東京に住む', '東京'],
  ['خبز', 'الخُبز طازج', 'خُبز'],
  ['바다', '푸른 바다', '바다'],
])('finds “%s” in “%s”', (words, text, found) => {
  const [hit] = findInLines(normalizeLines(cues('nothing', text)), words);
  expect(hit).toMatchObject({ line: 1 });
  expect(text.slice(hit!.from, hit!.to).normalize('NFC')).toBe(found.normalize('NFC'));
});

test('finds every match in a line, and none for a blank query', () => {
  expect(findInLines(normalizeLines(cues('tea for tea')), 'tea')).toEqual([
    { line: 0, from: 0, to: 3 },
    { line: 0, from: 8, to: 11 },
  ]);
  expect(findInLines(normalizeLines(cues('tea')), '  ')).toEqual([]);
});

test('finds a word in five thousand lines', () => {
  const lines = normalizeLines(cues(...Array.from({ length: 5000 }, (_, place) => `line ${place} of a long talk about trains`)));
  expect(findInLines(lines, 'trains')).toHaveLength(5000);
});
