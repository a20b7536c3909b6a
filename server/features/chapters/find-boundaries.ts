import { lengthOf } from '../meaning/model.ts';

// Where the subject of a transcript changes. The passages before and after each place are compared (as in Hearst, "TextTiling",
// 1997, by vectors instead of words): their similarity dips where the subject changes. The dip names a place between two passages of
// half a minute; the words of the lines around it find the line. Nothing here knows a language.

/** A passage of a transcript with the vector of its meaning. */
export interface SpokenPassage {
  startMs: number;
  endMs: number;
  vector: Int8Array;
}

/** A line of a transcript with its words, normalized. */
export interface SpokenLine {
  startSeconds: number;
  endSeconds: number;
  words: readonly string[];
}

/** Most chapters of a video, fewest, and seconds of the shortest one. */
export const maxChapters = 12;
export const minChapters = 3;
export const shortestChapter = 120;

// Tuned on joined manual pages (docs/decisions/generated-chapters.md).
const windowSeconds = 150;
// Of the dips within one subject four fifths are shallower, of those between two a tenth.
const shallowest = 0.25;
const searchedSeconds = 40;
const vocabularySeconds = 120;
const smallestPause = 0.3;
// Log-odds that a pause adds to a place.
const pauseBonus = 3;
// Words that are assumed to exist, for the probability of unseen ones.
const vocabularySize = 1000;

/** Adds the direction of a vector. */
function addTo(sum: Float64Array, vector: Int8Array) {
  const length = lengthOf(vector);
  for (let place = 0; place < vector.length; place++) sum[place]! += vector[place]! / length;
}

function cosine(a: Float64Array, b: Float64Array): number {
  let [product, squareA, squareB] = [0, 0, 0];
  for (let place = 0; place < a.length; place++) {
    product += a[place]! * b[place]!;
    squareA += a[place]! * a[place]!;
    squareB += b[place]! * b[place]!;
  }
  return product / (Math.sqrt(squareA * squareB) || 1);
}

/** Returns the similarity of what is said before and after each passage but the first. */
function similarities(passages: readonly SpokenPassage[]): number[] {
  const windowMs = windowSeconds * 1000;
  const dimensions = passages[0]?.vector.length ?? 0;
  return passages.slice(1).map(({ startMs }, before) => {
    const [left, right] = [new Float64Array(dimensions), new Float64Array(dimensions)];
    for (let place = before; place >= 0; place--) {
      const passage = passages[place]!;
      if (place < before && passage.startMs < startMs - windowMs) break;
      addTo(left, passage.vector);
    }
    for (let place = before + 1; place < passages.length; place++) {
      const passage = passages[place]!;
      if (place > before + 1 && passage.endMs > startMs + windowMs) break;
      addTo(right, passage.vector);
    }
    return cosine(left, right);
  });
}

/** A place with a smaller similarity than its neighbours. */
interface Dip {
  /** The passage that begins there. */
  passage: number;
  /** How far the similarity rises from here to the next peaks, both sides together. */
  depth: number;
}

function dipsOf(values: readonly number[]): Dip[] {
  const rise = (from: number, step: 1 | -1) => {
    let peak = values[from]!;
    for (let place = from + step; values[place] !== undefined && values[place]! >= peak; place += step) peak = values[place]!;
    return peak - values[from]!;
  };
  return values.flatMap((value, place) => {
    const isDip = value <= (values[place - 1] ?? Infinity) && value <= (values[place + 1] ?? Infinity);
    const depth = isDip ? rise(place, -1) + rise(place, 1) : 0;
    return depth > 0 ? [{ passage: place + 1, depth }] : [];
  });
}

/** Returns how much likelier a word is after a place than before it, as a logarithm. */
function changeOfWords(lines: readonly SpokenLine[], at: number): (word: string) => number {
  const side = (from: number, to: number) => {
    const counts = new Map<string, number>();
    let total = 0;
    for (const { startSeconds, words } of lines) {
      if (startSeconds <= from || startSeconds >= to) continue;
      for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
      total += words.length;
    }
    return (word: string) => Math.log(((counts.get(word) ?? 0) + 1) / (total + vocabularySize));
  };
  const near = searchedSeconds / 2;
  const before = side(at - vocabularySeconds, at - near);
  const after = side(at + near, at + vocabularySeconds);
  return (word) => after(word) - before(word);
}

/** Returns the start of the line near a place where the words of the time before it end and those of the time after it begin. */
function lineAt(lines: readonly SpokenLine[], at: number): number {
  const first = lines.findIndex(({ startSeconds }) => startSeconds >= at - searchedSeconds);
  const last = lines.findLastIndex(({ startSeconds }) => startSeconds <= at + searchedSeconds);
  if (first < 0 || last < first) return at;
  const change = changeOfWords(lines, at);
  const scores = lines.slice(first, last + 1).map(({ words }) => words.reduce((sum, word) => sum + change(word), 0));
  let ahead = scores.reduce((sum, one) => sum + one, 0);
  let [best, found] = [-Infinity, at];
  for (const [place, score] of scores.entries()) {
    const { startSeconds } = lines[first + place]!;
    const pause = startSeconds - (lines[first + place - 1]?.endSeconds ?? -Infinity);
    const fit = ahead + (pause >= smallestPause ? pauseBonus : 0);
    if (fit > best) [best, found] = [fit, startSeconds];
    ahead -= 2 * score;
  }
  return found;
}

/**
 * Returns the starts of chapters in seconds, in order: the first is 0, each is at least two minutes long, at most twelve. Empty if
 * the subject does not change often enough for three. Passages and lines are those of one transcript, in order.
 */
export function findBoundaries(passages: readonly SpokenPassage[], lines: readonly SpokenLine[]): number[] {
  const dips = dipsOf(similarities(passages));
  const mean = dips.reduce((sum, { depth }) => sum + depth, 0) / dips.length;
  const deepest = dips
    .filter(({ depth }) => depth >= Math.max(mean, shallowest))
    .toSorted((a, b) => b.depth - a.depth || a.passage - b.passage);
  const end = Math.max(0, ...passages.slice(-1).map(({ endMs }) => endMs / 1000));
  const starts = [0];
  for (const { passage } of deepest) {
    if (starts.length === maxChapters) break;
    const start = lineAt(lines, passages[passage]!.startMs / 1000);
    if ([...starts, end].every((other) => Math.abs(other - start) >= shortestChapter) && start < end) starts.push(start);
  }
  return starts.length < minChapters ? [] : starts.sort((a, b) => a - b);
}
