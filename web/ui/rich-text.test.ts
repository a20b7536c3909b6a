import { expect, test } from 'vitest';
import { parseRichText } from './rich-text.ts';

test('splits links and timestamps without losing text', () => {
  const text = 'See https://a.example/x?y=1 at 1:05, (0:30) and 1:02:03.';
  const pieces = parseRichText(text, 4000);
  expect(pieces).toEqual([
    { text: 'See ' },
    { text: 'https://a.example/x?y=1', href: 'https://a.example/x?y=1' },
    { text: ' at ' },
    { text: '1:05', seconds: 65 },
    { text: ', (' },
    { text: '0:30', seconds: 30 },
    { text: ') and ' },
    { text: '1:02:03', seconds: 3723 },
    { text: '.' },
  ]);
  expect(pieces.map((chunk) => chunk.text).join('')).toBe(text);
});

test('ignores timestamps beyond the end of the video', () => expect(parseRichText('at 9:59', 60)).toEqual([{ text: 'at 9:59' }]));

test.each([
  'javascript:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  'mailto:a@b.example',
  'notes.md',
  '<img src=x onerror=alert(1)>',
])('does not link %s', (text) => expect(parseRichText(text, 10).some((chunk) => 'href' in chunk)).toBe(false));
