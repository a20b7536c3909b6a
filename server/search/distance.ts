// Rows of the table of costs, used again: this runs for a thousand words while somebody waits.
const longest = 64;
const rows = [new Uint8Array(longest + 1), new Uint8Array(longest + 1), new Uint8Array(longest + 1)] as const;

/**
 * How many letters must be put in, taken out, changed or swapped with their neighbour to make one word of the other (the
 * "optimal string alignment" distance); `most` + 1 when it is more than `most`, found out early. Words of up to 64 letters.
 */
export function distance(from: string, to: string, most: number): number {
  const [a, b] = [from.length, to.length];
  if (Math.abs(a - b) > most || a > longest || b > longest) return from === to ? 0 : most + 1;
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
