/** Seconds by which a generated start may miss a chapter of the site. */
const tolerance = 15;

/** Chapter starts of a video in seconds, in order, without the one at 0, which everybody knows. */
export interface ComparedStarts {
  generated: number[];
  ofSite: number[];
  durationSeconds: number;
}

/** Returns how many of the starts are within the tolerance of one of the others, each of which counts once. */
function countMatches(starts: readonly number[], others: readonly number[]): number {
  let [matches, place] = [0, 0];
  for (const start of starts) {
    while (place < others.length && others[place]! < start - tolerance) place++;
    if (place === others.length) break;
    if (others[place]! <= start + tolerance) {
      matches++;
      place++;
    }
  }
  return matches;
}

/** Returns starts that divide a video evenly into parts. */
const evenStarts = (count: number, durationSeconds: number) =>
  Array.from({ length: count }, (_, place) => (durationSeconds * (place + 1)) / (count + 1));

/**
 * Returns the F1 score (0 to 1) of generated starts and of as many evenly spaced ones: missed and wrong starts count alike. All
 * videos together, so that one with many chapters counts more.
 */
export function scoreBoundaries(videos: readonly ComparedStarts[]): { found: number; even: number } {
  let [found, even, total] = [0, 0, 0];
  for (const { generated, ofSite, durationSeconds } of videos) {
    found += countMatches(generated, ofSite);
    even += countMatches(evenStarts(generated.length, durationSeconds), ofSite);
    total += generated.length + ofSite.length;
  }
  return { found: (2 * found) / (total || 1), even: (2 * even) / (total || 1) };
}
