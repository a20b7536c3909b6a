import { expect, test } from 'vitest';
import { formatSrt, lineIndexAt, parseVtt } from './vtt.ts';

test('parses WebVTT without repeated lines, and formats it as SRT', () => {
  const vtt = `WEBVTT\nKind: captions\n\nNOTE 00:00:00.000 --> no\n\n1\n00:00:01.000 --> 00:00:02.500 align:start\n<c.x>Tom &amp; <i>Ann</i></c>\nsay\n\n00:02.500 --> 00:00:03.000\nTom & Ann say\n\n01:00:00.000 --> 01:00:01.000\n&lt;b&gt;\n`;
  const lines = parseVtt(vtt);
  expect(lines).toEqual([
    { start: 1, end: 2.5, text: 'Tom & Ann say' },
    { start: 3600, end: 3601, text: '<b>' },
  ]);
  expect(formatSrt(lines)).toContain('2\n01:00:00,000 --> 01:00:01,000\n<b>\n');
  expect([0, 1, 60, 9999].map((second) => lineIndexAt(lines, second))).toEqual([-1, 0, 0, 1]);
});
