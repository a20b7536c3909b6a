import { expect, test } from 'vitest';
import { planMoves } from './plan-moves.ts';

const moved = (present: string, wanted: string) => {
  const list = [...present];
  const moves = planMoves([...present], [...wanted]);
  for (const { item, after, index } of moves) {
    list.splice(list.indexOf(item), 1);
    expect(list[index - 1] ?? null).toBe(after);
    list.splice(index, 0, item);
  }
  return [list.join(''), moves.length];
};

test.each([
  ['abcd', 'abcd', 0],
  ['abcd', 'dabc', 1],
  ['abcd', 'bcda', 1],
  ['abcd', 'acbd', 1],
  ['abcd', 'dcba', 3],
  ['', '', 0],
])('%s becomes %s with the fewest moves', (present, wanted, count) => {
  expect(moved(present, wanted)).toEqual([wanted, count]);
});

test('any order is reached', () => {
  const letters = 'abcdefgh';
  // A fixed sequence of permutations.
  for (let seed = 1; seed <= 200; seed++) {
    const wanted = [...letters].toSorted(
      (a, b) => ((a.charCodeAt(0) * seed * 7919) % 101) - ((b.charCodeAt(0) * seed * 7919) % 101),
    );
    expect(moved(letters, wanted.join(''))[0]).toBe(wanted.join(''));
  }
});
