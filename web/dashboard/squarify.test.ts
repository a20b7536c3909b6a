import fc from 'fast-check';
import { expect, test } from 'vitest';
import { squarify } from './squarify.ts';

test('the example that the method was described with', () => {
  const tiles = squarify([6, 6, 4, 3, 2, 2, 1], 6, 4);
  expect(tiles.slice(0, 2)).toEqual([
    { x: 0, y: 0, width: 3, height: 2 },
    { x: 0, y: 2, width: 3, height: 2 },
  ]);
  expect(tiles).toHaveLength(7);
});

test('tiles are as large as their values, within the rectangle, and do not overlap', () => {
  const values = fc.array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(values, fc.integer({ min: 50, max: 2000 }), fc.integer({ min: 50, max: 1000 }), (some, width, height) => {
      const sorted = some.toSorted((a, b) => b - a);
      const tiles = squarify(sorted, width, height);
      const total = sorted.reduce((a, b) => a + b, 0);
      const slack = 1e-6 * width * height;
      for (const [place, tile] of tiles.entries()) {
        expect(Math.abs(tile.width * tile.height - (sorted[place]! / total) * width * height)).toBeLessThan(slack);
        expect(tile.x + tile.width).toBeLessThan(width + 1e-6);
        expect(tile.y + tile.height).toBeLessThan(height + 1e-6);
        for (const other of tiles.slice(0, place)) {
          const across = Math.min(tile.x + tile.width, other.x + other.width) - Math.max(tile.x, other.x);
          const down = Math.min(tile.y + tile.height, other.y + other.height) - Math.max(tile.y, other.y);
          expect(Math.max(0, across) * Math.max(0, down)).toBeLessThan(slack);
        }
      }
    }),
    { numRuns: 50 },
  );
});

test('of nothing there is nothing', () => {
  expect([squarify([], 10, 10), squarify([0, 0], 10, 10), squarify([1], 0, 10)]).toEqual([[], [], []]);
});
