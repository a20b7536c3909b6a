/** Playback rates from 0.25 to 3 in steps of 0.25. */
export const rates = Array.from({ length: 12 }, (_, index) => (index + 1) / 4);

/** Returns the next higher (1) or lower (−1) rate. */
export function nextRate(rate: number, direction: 1 | -1): number {
  if (direction === 1) return rates.find((one) => one > rate + 0.01) ?? rates.at(-1)!;
  return rates.findLast((one) => one < rate - 0.01) ?? rates[0]!;
}
