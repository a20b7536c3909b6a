/** Name of the model of meanings, in the index and in the settings. */
export const modelName = 'use-m3';
/** Numbers of a vector. */
export const dimensions = 512;

/** Languages that the model was trained on. */
export const modelLanguages: ReadonlySet<string> = new Set('ar de en es fr it ja ko nl pl pt ru th tr zh und'.split(' '));

// Measured: mean and standard deviation, for archives too small to measure their own.
/** Similarity of questions and unrelated passages. */
export const unrelatedQuestions = { mean: 0, deviation: 0.05 };
/** Similarity of unrelated passages. */
export const unrelatedPassages = { mean: 0.15, deviation: 0.1 };
/** Similarity of unrelated transcripts: 0.46 ± 0.13 between manual pages, which are much alike; less between other subjects. */
export const unrelatedTracks = { mean: 0.35, deviation: 0.13 };

const baseOf = (lang: string) => lang.toLowerCase().split('-')[0]!;
/** Returns whether the model understands a language. */
export const understands = (lang: string) => modelLanguages.has(baseOf(lang));

/** Returns the length of a vector of eight-bit numbers. */
export function lengthOf(vector: Int8Array): number {
  let sum = 0;
  for (let place = 0; place < vector.length; place++) sum += vector[place]! * vector[place]!;
  return Math.sqrt(sum) || 1;
}

/** Returns the cosine of two vectors; `length` is that of the first. */
export function similarity(vector: Int8Array, length: number, other: Int8Array): number {
  let product = 0;
  let square = 0;
  for (let place = 0; place < dimensions; place++) {
    const one = other[place]!;
    product += vector[place]! * one;
    square += one * one;
  }
  return product / (length * (Math.sqrt(square) || 1));
}

/** Returns the mean of the directions of vectors, scaled so that its largest number is 127. */
export function meanVector(vectors: readonly Int8Array[]): Int8Array {
  const sum = new Float64Array(dimensions);
  for (const vector of vectors) {
    const length = lengthOf(vector);
    for (let place = 0; place < dimensions; place++) sum[place]! += vector[place]! / length;
  }
  const largest = sum.reduce((most, one) => Math.max(most, Math.abs(one)), 0) || 1;
  return Int8Array.from(sum, (one) => Math.round((one * 127) / largest));
}

/** How similar unrelated texts are: mean and standard deviation. */
export interface Unrelated {
  mean: number;
  deviation: number;
}

// A smaller archive does not show how similar unrelated texts are, all the less if it has one subject.
const leastSample = 200;

/**
 * Returns the similarity to a vector that a text must have to be related: `leastDeviations` above the mean of a sample, or of `unrelated`
 * if the sample is small.
 */
export function leastSimilarity(
  vector: Int8Array,
  sample: readonly Int8Array[],
  { leastDeviations, unrelated }: { leastDeviations: number; unrelated: Unrelated },
): number {
  if (sample.length < leastSample) return unrelated.mean + leastDeviations * unrelated.deviation;
  const length = lengthOf(vector);
  const all = sample.map((other) => similarity(vector, length, other));
  const mean = all.reduce((sum, one) => sum + one, 0) / all.length;
  const variance = all.reduce((sum, one) => sum + (one - mean) ** 2, 0) / all.length;
  return mean + leastDeviations * Math.sqrt(variance);
}

/** 32-bit words of a code. */
export const codeWords = dimensions / 32;

/** Writes the signs of a vector, one bit each. */
export function writeCode(vector: Int8Array, to: Uint32Array, at = 0): void {
  for (let word = 0; word < codeWords; word++) {
    let bits = 0;
    for (let bit = 0; bit < 32; bit++) if (vector[word * 32 + bit]! > 0) bits |= 1 << bit;
    to[at + word] = bits >>> 0;
  }
}

/** Views a vector of a row. */
export const vectorOf = (bytes: Uint8Array): Int8Array => new Int8Array(bytes.buffer, bytes.byteOffset, dimensions);
