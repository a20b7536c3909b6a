import { expect, test } from 'vitest';
import { piecesOf } from './rich-text.ts';

test('links and times become pieces of their own, and nothing is lost', () => {
  const text = 'See https://a.example/x?y=1 at 1:05, (0:30) and 1:02:03.';
  const pieces = piecesOf(text, 4000);
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
  expect(pieces.map((piece) => piece.text).join('')).toBe(text);
});

test('times behind the end of the video are words', () => expect(piecesOf('at 9:59', 60)).toEqual([{ text: 'at 9:59' }]));

test.each([
  'javascript:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  'mailto:a@b.example',
  'notes.md',
  '<img src=x onerror=alert(1)>',
])('%s is no link', (text) => expect(piecesOf(text, 10).some((piece) => 'href' in piece)).toBe(false));
