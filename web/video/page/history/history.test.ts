import { expect, test } from 'vitest';
import { buildTimeline } from './timeline.ts';
import { diffWords, onlyChanges } from './word-diff.ts';

const marked = (before: string, after: string) =>
  diffWords(before, after)
    .map(({ kind, text }) => ({ same: text, removed: `[-${text}-]`, added: `[+${text}+]` })[kind])
    .join('');

test.each([
  ['The night train', 'The day train', 'The [-night-][+day+] train'],
  ['Our first film', 'A second film', '[-Our first-][+A second+] film'],
  ['Slow bread', 'Slow bread (remastered)', 'Slow bread[+ (remastered)+]'],
  ['', 'New', '[+New+]'],
  ['Gone', '', '[-Gone-]'],
  ['one\ntwo', 'one\nthree\ntwo', 'one\n[+three\n+]two'],
  ['夜の列車です', '昼の列車です', '[-夜-][+昼+]の列車です'],
])('marks the words that change from %j to %j', (before, after, expected) => expect(marked(before, after)).toBe(expected));

test('shows very long texts without common words as replaced, quickly', () => {
  const text = (word: string) => Array.from({ length: 20_000 }, (_, n) => `${word}${n}`).join(' ');
  expect(diffWords(text('a'), text('b')).map(({ kind }) => kind)).toEqual(['removed', 'added']);
});

test('shortens unchanged parts to the text next to the changes', () => {
  const [before, between, after] = ['a', 'b', 'c'].map((letter) => `${letter} `.repeat(200));
  const short = onlyChanges(diffWords(`${before}one ${between}two ${after}`, `${before}1 ${between}2 ${after}`));
  expect(short.map(({ kind, text }) => `${kind} ${text.length}`)).toEqual(
    'same 60,removed 3,added 1,same 119,removed 3,added 1,same 60'.split(','),
  );
  expect(short[0]!.text).toMatch(/^…( a)+ $/);
});

test('lists changes newest first, each with the next value, texts and thumbnail of one refresh together', () => {
  const history = [
    { what: 'thumbnail' as const, until: 5_003, value: 'b.jpg' },
    { what: 'title' as const, until: 5_000, value: 'B' },
    { what: 'title' as const, until: 1_000, value: 'A' },
  ];
  expect(buildTimeline(history, { title: 'C', description: 'same', thumbnail: 'c.jpg' })).toEqual([
    {
      at: 5_003,
      fields: [
        { field: 'title', before: 'B', after: 'C' },
        { field: 'thumbnail', before: 'b.jpg', after: 'c.jpg' },
      ],
    },
    { at: 1_000, fields: [{ field: 'title', before: 'A', after: 'B' }] },
  ]);
});
