import fc from 'fast-check';
import { expect, test } from 'vitest';
import { moveItem, planMoves } from './moves.ts';

test('takes the shortest way, by an end of the list if that is nearer', () => {
  expect(planMoves(50, 1, 100)).toEqual(['top', 'down']);
  expect(planMoves(1, 98, 100)).toEqual(['bottom', 'up']);
  expect(planMoves(4, 3, 100)).toEqual(['up']);
  expect(planMoves(4, 4, 100)).toEqual([]);
});

test('reaches the requested index', () => {
  const step = {
    top: () => 0,
    up: (at: number) => at - 1,
    down: (at: number) => at + 1,
    bottom: (_: number, last: number) => last,
  };
  fc.assert(
    fc.property(fc.nat(60), fc.nat(60), fc.nat(60), (from, to, more) => {
      const last = Math.max(from, to) + more;
      expect(planMoves(from, to, last + 1).reduce((at, move) => step[move](at, last), from)).toBe(to);
    }),
  );
});

test('moves an item and keeps the order of the others', () => {
  expect(moveItem(['a', 'b', 'c', 'd'], 0, 2)).toEqual(['b', 'c', 'a', 'd']);
  expect(moveItem(['a', 'b', 'c', 'd'], 3, 0)).toEqual(['d', 'a', 'b', 'c']);
});
