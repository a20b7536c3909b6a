export type Move = 'top' | 'up' | 'down' | 'bottom';

/** The fewest moves that bring one from a place to another in a list of so many. */
export function movesFrom(from: number, to: number, count: number): Move[] {
  const times = (move: Move, many: number) => Array.from({ length: many }, () => move);
  const ways: Move[][] = [
    times(to > from ? 'down' : 'up', Math.abs(to - from)),
    ['top', ...times('down', to)],
    ['bottom', ...times('up', count - 1 - to)],
  ];
  return ways.sort((a, b) => a.length - b.length)[0]!;
}

/** The same list with one of it at another place. */
export function moved<T>(all: readonly T[], from: number, to: number): T[] {
  const after = [...all];
  const [one] = after.splice(from, 1);
  if (one !== undefined) after.splice(to, 0, one);
  return after;
}
