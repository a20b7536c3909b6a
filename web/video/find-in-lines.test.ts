import { expect, test } from 'vitest';
import { findInLines, foldLines } from './find-in-lines.ts';
import { lineAt, linesOfVtt, srtOf } from './vtt.ts';

const said = (...texts: string[]) => texts.map((text, place) => ({ start: place * 2, end: place * 2 + 2, text }));

test.each([
  ['cafe', 'Das Café am Meer', 'Café'],
  ['STRASSE', 'die strasse', 'strasse'],
  ['море', 'Чёрное МОРЕ', 'МОРЕ'],
  ['черное', 'Чёрное море', 'Чёрное'],
  ['東京', '私は東京に住む', '東京'],
  ['خبز', 'الخُبز طازج', 'خُبز'],
  ['바다', '푸른 바다', '바다'],
])('“%s” is found in “%s”', (words, text, found) => {
  const [hit] = findInLines(foldLines(said('nothing', text)), words);
  expect(hit).toMatchObject({ line: 1 });
  expect(text.slice(hit!.from, hit!.to).normalize('NFC')).toBe(found.normalize('NFC'));
});

test('every place in a line is found, and nothing when nothing is asked', () => {
  expect(findInLines(foldLines(said('tea for tea')), 'tea')).toEqual([
    { line: 0, from: 0, to: 3 },
    { line: 0, from: 8, to: 11 },
  ]);
  expect(findInLines(foldLines(said('tea')), '  ')).toEqual([]);
});

test('a word is found in each of five thousand lines', () => {
  const lines = foldLines(said(...Array.from({ length: 5000 }, (_, place) => `line ${place} of a long talk about trains`)));
  expect(findInLines(lines, 'trains')).toHaveLength(5000);
});

test('subtitles are read as text, each line once, and written as SRT', () => {
  const vtt = `WEBVTT\nKind: captions\n\nNOTE 00:00:00.000 --> no\n\n1\n00:00:01.000 --> 00:00:02.500 align:start\n<c.x>Tom &amp; <i>Ann</i></c>\nsay\n\n00:02.500 --> 00:00:03.000\nTom & Ann say\n\n01:00:00.000 --> 01:00:01.000\n&lt;b&gt;\n`;
  const lines = linesOfVtt(vtt);
  expect(lines).toEqual([
    { start: 1, end: 2.5, text: 'Tom & Ann say' },
    { start: 3600, end: 3601, text: '<b>' },
  ]);
  expect(srtOf(lines)).toContain('2\n01:00:00,000 --> 01:00:01,000\n<b>\n');
  expect([0, 1, 60, 9999].map((second) => lineAt(lines, second))).toEqual([-1, 0, 0, 1]);
});
