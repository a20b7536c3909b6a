import fc from 'fast-check';
import { expect, test } from 'vitest';
import { moved, movesFrom } from './moves.ts';

test('a long way goes by an end of the list', () => {
  expect(movesFrom(50, 1, 100)).toEqual(['top', 'down']);
  expect(movesFrom(1, 98, 100)).toEqual(['bottom', 'up']);
  expect(movesFrom(4, 3, 100)).toEqual(['up']);
  expect(movesFrom(4, 4, 100)).toEqual([]);
});

test('the moves lead to the place', () => {
  const step = {
    top: () => 0,
    up: (at: number) => at - 1,
    down: (at: number) => at + 1,
    bottom: (_: number, last: number) => last,
  };
  fc.assert(
    fc.property(fc.nat(60), fc.nat(60), fc.nat(60), (from, to, more) => {
      const last = Math.max(from, to) + more;
      expect(movesFrom(from, to, last + 1).reduce((at, move) => step[move](at, last), from)).toBe(to);
    }),
  );
});

test('what is moved stands at its new place, and the rest keeps its order', () => {
  expect(moved(['a', 'b', 'c', 'd'], 0, 2)).toEqual(['b', 'c', 'a', 'd']);
  expect(moved(['a', 'b', 'c', 'd'], 3, 0)).toEqual(['d', 'a', 'b', 'c']);
});
