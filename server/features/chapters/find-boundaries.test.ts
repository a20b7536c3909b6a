import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  findBoundaries,
  maxChapters,
  minChapters,
  shortestChapter,
  type SpokenLine,
  type SpokenPassage,
} from './find-boundaries.ts';

const dimensions = 384;

/** A vector of one of some subjects, with noise. */
function vectorOf(subject: number, noise: number): Int8Array {
  let seed = subject * 7919 + 1;
  const random = () => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 2 ** 32 - 0.5;
  const base = Array.from({ length: dimensions }, random);
  seed = noise + 104_729;
  return Int8Array.from(base, (one) => Math.round(100 * one + 60 * random()));
}

/** Passages of half a minute and lines of five seconds about subjects, each for some seconds. */
function talk(parts: readonly [subject: number, seconds: number][], pauses = true) {
  const passages: SpokenPassage[] = [];
  const lines: SpokenLine[] = [];
  let at = 0;
  const subjectAt: number[] = [];
  for (const [subject, seconds] of parts)
    for (let line = 0; line < seconds / 5; line++, at += 5) {
      const pause = pauses && line === seconds / 5 - 1 ? 1 : 0;
      lines.push({ startSeconds: at, endSeconds: at + 5 - pause, words: ['the', `word${subject}`, `thing${subject}`, 'and'] });
      subjectAt.push(subject);
    }
  for (let start = 0; start < at; start += 30)
    passages.push({
      startMs: start * 1000,
      endMs: Math.min(at, start + 30) * 1000,
      vector: vectorOf(subjectAt[Math.min(subjectAt.length - 1, Math.floor(start / 5) + 3)]!, start),
    });
  return { passages, lines };
}
const starts = (parts: readonly [number, number][], pauses = true) => {
  const { passages, lines } = talk(parts, pauses);
  return findBoundaries(passages, lines);
};

describe('boundaries of chapters', () => {
  test('are at the line where the subject changes, also within a passage', () => {
    expect(
      starts([
        [1, 310],
        [2, 245],
        [3, 400],
      ]),
    ).toEqual([0, 310, 555]);
    // Captions of the site overlap, so there are no pauses.
    const parts: [number, number][] = [
      [1, 310],
      [2, 245],
      [3, 400],
      [1, 205],
    ];
    expect(starts(parts, false)).toEqual([0, 310, 555, 955]);
  });

  test('there are none in a talk about one subject, in a short one, or with two subjects', () => {
    expect(starts([[1, 1500]])).toEqual([]);
    expect(
      starts([
        [1, 100],
        [2, 100],
        [3, 100],
      ]),
    ).toEqual([]);
    expect(
      starts([
        [1, 600],
        [2, 600],
      ]),
    ).toEqual([]);
    expect(findBoundaries([], [])).toEqual([]);
  });

  test('at most twelve, and none shorter than two minutes', () => {
    const many = starts(Array.from({ length: 30 }, (_, subject) => [subject, 180] as [number, number]));
    expect(many).toHaveLength(maxChapters);
    const short = starts([
      [1, 300],
      [2, 60],
      [3, 300],
      [4, 300],
    ]);
    expect(short.length).toBeLessThan(5);
  });

  test('any input', () => {
    const time = fc.oneof(fc.integer({ min: 0, max: 10_000_000 }), fc.double({ min: 0, max: 1e7, noNaN: true }));
    const passages = fc.array(
      fc.record({
        startMs: time,
        endMs: time,
        vector: fc.tuple(fc.nat(5), fc.nat(1000), fc.boolean()).map(([a, b, isEmpty]) => {
          return isEmpty ? new Int8Array(dimensions) : vectorOf(a, b);
        }),
      }),
      { maxLength: 60 },
    );
    const lines = fc.array(
      fc.record({ startSeconds: fc.nat(10_000), endSeconds: fc.nat(10_000), words: fc.array(fc.string({ maxLength: 5 })) }),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(passages, lines, fc.boolean(), (unsorted, unsortedLines, isSorted) => {
        const some = isSorted ? unsorted.toSorted((a, b) => a.startMs - b.startMs) : unsorted;
        const spoken = isSorted ? unsortedLines.toSorted((a, b) => a.startSeconds - b.startSeconds) : unsortedLines;
        const found = findBoundaries(some, spoken);
        expect(found).toEqual(findBoundaries(some, spoken));
        expect(found.length === 0 || (found.length >= minChapters && found.length <= maxChapters)).toBe(true);
        for (const [place, start] of found.entries()) {
          if (place === 0) expect(start).toBe(0);
          else expect(start - found[place - 1]!).toBeGreaterThanOrEqual(shortestChapter);
        }
      }),
    );
  });
});
