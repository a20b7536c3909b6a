import { expect, test } from 'vitest';
import { parseHighlights, parseClock, splitAtRanges, startAtMatch } from './highlight.ts';

test('parses highlights and returns everything else as text', () => {
  const line = 'now we &lt;i&gt;<span class="settings-current">score</span>&lt;/i&gt; it &amp;lt; &#39;so&#39;';
  expect(parseHighlights(line)).toEqual([
    { text: 'now we <i>', isMarked: false },
    { text: 'score', isMarked: true },
    { text: "</i> it &lt; 'so'", isMarked: false },
  ]);
  expect(parseHighlights('<b>bold</b>')).toEqual([{ text: '<b>bold</b>', isMarked: false }]);
});

test('parses a time to whole seconds', () => {
  expect(parseClock('01:02:03.900')).toBe(3723);
  expect(parseClock('00:00:00.000')).toBe(0);
});

test('shortens long text before the first match, at a word', () => {
  const before = { text: 'one two three four five six seven eight nine ten eleven ', isMarked: false };
  const match = { text: 'dough', isMarked: true };
  expect(startAtMatch([before, match])).toEqual([{ text: '… five six seven eight nine ten eleven ', isMarked: false }, match]);
  expect(startAtMatch([match, before])).toEqual([match, before]);
  expect(startAtMatch([before])).toEqual([before]);
});

test('splits a text at its matches', () => {
  const ranges = (text: string, ...places: [number, number][]) =>
    splitAtRanges(text, places).map((segment) => (segment.isMarked ? `[${segment.text}]` : segment.text));
  expect(ranges('tea for two', [0, 3], [8, 11])).toEqual(['[tea]', ' for ', '[two]']);
  expect(ranges('a 🪐 tea', [5, 8])).toEqual(['a 🪐 ', '[tea]']);
  expect(ranges('tea')).toEqual(['tea']);
});
