/** Text without accents and case, in any script, with the original offset of each character. */
export interface FoldedText {
  folded: string;
  places: number[];
}

export function foldWithPlaces(text: string): FoldedText {
  let folded = '';
  const places: number[] = [];
  let at = 0;
  for (const sign of text) {
    const bare = sign.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
    for (let unit = 0; unit < bare.length; unit++) places.push(at);
    folded += bare;
    at += sign.length;
  }
  places.push(at);
  return { folded, places };
}

/** Returns where a folded text occurs, in order, as original offsets. */
export function occurrencesOf({ folded, places }: FoldedText, needle: string): { from: number; to: number }[] {
  const found: { from: number; to: number }[] = [];
  if (needle === '') return found;
  for (let at = folded.indexOf(needle); at >= 0; at = folded.indexOf(needle, at + needle.length))
    found.push({ from: places[at]!, to: places[at + needle.length]! });
  return found;
}
