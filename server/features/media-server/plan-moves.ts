/** An entry to move behind another one; `after` is null for the beginning. */
export interface Move<T extends string> {
  item: T;
  after: T | null;
  index: number;
}

/** Returns the longest subsequence of increasing numbers, by position. */
function longestIncreasing(numbers: number[]): Set<number> {
  const ends: number[] = []; // positions of the smallest end of a subsequence of each length
  const previous: number[] = [];
  for (const [position, number] of numbers.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (numbers[ends[middle]!]! < number) low = middle + 1;
      else high = middle;
    }
    previous[position] = low > 0 ? ends[low - 1]! : -1;
    ends[low] = position;
  }
  const kept = new Set<number>();
  for (let position = ends.at(-1) ?? -1; position >= 0; position = previous[position]!) kept.add(position);
  return kept;
}

/** Returns the fewest moves that bring a list into an order. Both have the same entries, each once. */
export function planMoves<T extends string>(present: T[], wanted: T[]): Move<T>[] {
  const places = new Map(wanted.map((item, place) => [item, place]));
  const kept = longestIncreasing(present.map((item) => places.get(item)!));
  const isKept = new Set([...kept].map((position) => present[position]!));
  const list = [...present];
  const moves: Move<T>[] = [];
  for (const [place, item] of wanted.entries()) {
    if (isKept.has(item)) continue;
    const after = place === 0 ? null : wanted[place - 1]!;
    list.splice(list.indexOf(item), 1);
    const index = after === null ? 0 : list.indexOf(after) + 1;
    list.splice(index, 0, item);
    moves.push({ item, after, index });
  }
  return moves;
}
