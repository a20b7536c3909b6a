// Reused rows of the cost table: this runs for a thousand words per search.
const maxLength = 64;
const rows = [new Uint8Array(maxLength + 1), new Uint8Array(maxLength + 1), new Uint8Array(maxLength + 1)] as const;

/**
 * Returns the optimal string alignment distance (insertions, deletions, substitutions, swaps of neighbours), or `most` + 1 if it
 * is larger than `most`, detected early. Words of up to 64 characters.
 */
export function editDistance(from: string, to: string, most: number): number {
  const [a, b] = [from.length, to.length];
  if (Math.abs(a - b) > most || a > maxLength || b > maxLength) return from === to ? 0 : most + 1;
  let [before, last, now] = rows as readonly Uint8Array[] as [Uint8Array, Uint8Array, Uint8Array];
  for (let j = 0; j <= b; j++) last[j] = j;
  for (let i = 1; i <= a; i++) {
    const letter = from.charCodeAt(i - 1);
    now[0] = i;
    let least = i;
    for (let j = 1; j <= b; j++) {
      const other = to.charCodeAt(j - 1);
      let cost = Math.min(last[j]! + 1, now[j - 1]! + 1, last[j - 1]! + (letter === other ? 0 : 1));
      if (i > 1 && j > 1 && letter === to.charCodeAt(j - 2) && from.charCodeAt(i - 2) === other)
        cost = Math.min(cost, before[j - 2]! + 1);
      now[j] = cost;
      if (cost < least) least = cost;
    }
    if (least > most) return most + 1;
    [before, last, now] = [last, now, before];
  }
  return Math.min(last[b]!, most + 1);
}
