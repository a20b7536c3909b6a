/** The speeds there are, 0.25 to 3 in steps of a quarter. */
export const rates = Array.from({ length: 12 }, (_, place) => (place + 1) / 4);

/** The next speed up (1) or down (−1). */
export function nextRate(rate: number, direction: 1 | -1): number {
  if (direction === 1) return rates.find((one) => one > rate + 0.01) ?? rates.at(-1)!;
  return rates.findLast((one) => one < rate - 0.01) ?? rates[0]!;
}
