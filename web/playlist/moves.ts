export type Move = 'top' | 'up' | 'down' | 'bottom';

/** Returns the shortest sequence of moves from one index to another in a list of `count` items. */
export function planMoves(from: number, to: number, count: number): Move[] {
  const times = (move: Move, repeats: number) => Array.from({ length: repeats }, () => move);
  const options: Move[][] = [
    times(to > from ? 'down' : 'up', Math.abs(to - from)),
    ['top', ...times('down', to)],
    ['bottom', ...times('up', count - 1 - to)],
  ];
  return options.sort((a, b) => a.length - b.length)[0]!;
}

/** Returns a copy of the list with one item moved. */
export function moveItem<T>(all: readonly T[], from: number, to: number): T[] {
  const after = [...all];
  const [one] = after.splice(from, 1);
  if (one !== undefined) after.splice(to, 0, one);
  return after;
}
