import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dynamicRanges } from '#contract/playback.ts';
import { heightClass, isBetterQuality, isSameEdit, type Quality } from './quality.ts';

const qualities: fc.Arbitrary<Quality> = fc
  .record({
    height: fc.constantFrom(90, 144, 240, 360, 480, 720, 800, 1080, 1440, 2160, 4320),
    isPortrait: fc.boolean(),
    fps: fc.constantFrom(null, 24, 25, 30, 50, 60),
    codec: fc.constantFrom('h264', 'vp9', 'av1'),
    dynamicRange: fc.constantFrom(null, ...dynamicRanges),
    bitrate: fc.option(fc.integer({ min: 1, max: 50_000_000 })),
    isUpscaled: fc.boolean(),
  })
  .map(({ height, isPortrait, ...others }) => {
    const width = Math.round((height * 16) / 9);
    return { ...others, ...(isPortrait ? { width: height, height: width } : { width, height }) };
  });
const of = (known: Partial<Quality> = {}): Quality => ({
  width: 1280,
  height: 720,
  fps: 25,
  codec: 'h264',
  dynamicRange: 'sdr',
  bitrate: 2_000_000,
  isUpscaled: false,
  ...known,
});
const better = (to: Partial<Quality>, from: Partial<Quality> = {}, prefersHdr = false) =>
  isBetterQuality(of(to), of(from), { prefersHdr });

test('heights are classified as sites name them', () => {
  const sizes = [
    [1920, 1080],
    [1920, 800],
    [1440, 1080],
    [1080, 1920],
    [854, 480],
    [3840, 2160],
    [160, 90],
  ] as const;
  expect(sizes.map(([width, height]) => heightClass({ width, height }))).toEqual([1080, 1080, 1080, 1080, 480, 2160, 90]);
});

test('a version is better by its height, frames, wanted range or bits, and only then', () => {
  expect(better({ width: 1920, height: 1080 })).toBe(true);
  expect(better({ width: 1920, height: 800 })).toBe(true);
  expect(better({ fps: 50 })).toBe(true);
  expect(better({ fps: 30 })).toBe(false);
  expect(better({ bitrate: 2_500_000 })).toBe(true);
  expect(better({ bitrate: 2_400_000 })).toBe(false);
  expect(better({ codec: 'av1', bitrate: 9_000_000 })).toBe(false);
  expect(better({ dynamicRange: 'pq' }, {}, true)).toBe(true);
  expect(better({ dynamicRange: 'pq' })).toBe(false);
  // The user may want HDR.
  expect(better({}, { dynamicRange: 'pq' })).toBe(false);
  expect(better({ width: 1920, height: 1080, dynamicRange: 'pq' })).toBe(false);
  expect(better({ width: 1920, height: 1080, fps: 25 }, { fps: 50 })).toBe(false);
  expect(better({ width: 1920, height: 1080, isUpscaled: true })).toBe(false);
  expect(better({}, { width: 1920, height: 1080, isUpscaled: true })).toBe(true);
});

test('no version is better than itself, none of two better than each other, and nothing that matters gets worse', () => {
  fc.assert(
    fc.property(qualities, qualities, fc.boolean(), (to, from, prefersHdr) => {
      const is = (a: Quality, b: Quality) => isBetterQuality(a, b, { prefersHdr });
      expect(is(from, from)).toBe(false);
      if (!is(to, from)) return;
      expect(is(from, to)).toBe(false);
      expect(to.isUpscaled && !from.isUpscaled).toBe(false);
      if (to.isUpscaled === from.isUpscaled) expect(heightClass(to)).toBeGreaterThanOrEqual(heightClass(from));
      if (to.fps !== null && from.fps !== null && from.fps > 40) expect(to.fps).toBeGreaterThan(40);
      if (prefersHdr && from.dynamicRange !== null && from.dynamicRange !== 'sdr') expect(to.dynamicRange).not.toBe('sdr');
    }),
    { numRuns: 5000 },
  );
});

test('an edit is told by its length', () => {
  expect([isSameEdit(20, 21), isSameEdit(20, 22), isSameEdit(3600, 3617), isSameEdit(3600, 3559)]).toEqual([
    true,
    false,
    true,
    false,
  ]);
});
