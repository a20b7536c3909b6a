import { expect, test } from 'vitest';
import { piecesOf, secondsAt } from './marked.ts';

test('what was found is marked, and nothing else is anything but text', () => {
  const line = 'now we &lt;i&gt;<span class="settings-current">score</span>&lt;/i&gt; it &amp;lt; &#39;so&#39;';
  expect(piecesOf(line)).toEqual([
    { text: 'now we <i>', isMarked: false },
    { text: 'score', isMarked: true },
    { text: "</i> it &lt; 'so'", isMarked: false },
  ]);
  expect(piecesOf('<b>bold</b>')).toEqual([{ text: '<b>bold</b>', isMarked: false }]);
});

test('a clock in seconds', () => {
  expect(secondsAt('01:02:03.900')).toBe(3723);
  expect(secondsAt('00:00:00.000')).toBe(0);
});
