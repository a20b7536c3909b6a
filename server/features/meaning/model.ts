import { meaningModels, type MeaningModel } from '#contract/meaning-models.ts';

/** How similar unrelated texts are: mean and standard deviation. */
export interface Unrelated {
  mean: number;
  deviation: number;
}

export interface ModelFacts {
  /** Numbers of a vector, a multiple of 32. */
  dimensions: number;
  /** Languages that it was trained on. */
  languages: ReadonlySet<string>;
  /** Passages with the nearest codes that are compared exactly: enough for 95 % of the exact first ten of 100,000 (`bench/meaning.ts`). */
  candidates: number;
  /** Standard deviations above the mean of unrelated passages that a passage must reach to answer a question. */
  questionDeviations: number;
  // Measured, for archives too small to measure their own.
  /** Similarity of questions and unrelated passages. */
  unrelatedQuestions: Unrelated;
  /** Similarity of unrelated passages. */
  unrelatedPassages: Unrelated;
  /** Similarity of unrelated transcripts. */
  unrelatedTracks: Unrelated;
}

const languages = (list: string): ReadonlySet<string> => new Set(list.split(' '));

export const models: Record<MeaningModel, ModelFacts> = {
  'use-m3': {
    dimensions: 512,
    languages: languages('ar de en es fr it ja ko nl pl pt ru th tr zh und'),
    candidates: 2000,
    // Separates 27 questions in three languages from unrelated passages: those reach 2.7, and 26 right ones more than 3.5.
    questionDeviations: 3.5,
    unrelatedQuestions: { mean: 0, deviation: 0.05 },
    unrelatedPassages: { mean: 0.15, deviation: 0.1 },
    // 0.46 ± 0.13 between manual pages, which are much alike; less between other subjects.
    unrelatedTracks: { mean: 0.35, deviation: 0.13 },
  },
  // Its vectors are centred (meaning-worker.py).
  e5: {
    dimensions: 384,
    languages: languages(
      `af am ar as az be bg bn br bs ca cs cy da de el en eo es et eu fa fi fil fr fy ga gd gl gu ha he hi hr hu hy id is it iw ja jv ka
      kk km kn ko ku ky la lo lt lv mg mk ml mn mr ms my nb ne nl nn no om or pa pl ps pt ro ru sa sd si sk sl so sq sr su sv sw ta te th
      tl tr ug uk ur uz vi xh yi zh und`.replace(/\s+/g, ' '),
    ),
    // 203 of 3,000, and a third more whenever their number doubles: 850 of 100,000, 3,500 of 3 million.
    candidates: 4000,
    // 83 % of the answers of question-set.ts reach it; with 3.5 it would be 59 %, as its vectors differ less than those of use-m3.
    questionDeviations: 2.5,
    // 0.01 to 0.03 ± 0.07 to other subjects, 0.12 ± 0.10 to everyday talk (question-set.ts).
    unrelatedQuestions: { mean: 0.03, deviation: 0.07 },
    // Between passages of fortunes in 8 languages.
    unrelatedPassages: { mean: 0.07, deviation: 0.11 },
    // 0.48 ± 0.13 between parts of HTML documentation, 0.15 ± 0.2 between mixed ones of fortunes.
    unrelatedTracks: { mean: 0.25, deviation: 0.13 },
  },
};

const baseOf = (lang: string) => lang.toLowerCase().split('-')[0]!;
/** Returns whether a model understands a language. */
export const understands = (model: MeaningModel, lang: string) => models[model].languages.has(baseOf(lang));

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
  for (let place = 0; place < vector.length; place++) {
    const one = other[place]!;
    product += vector[place]! * one;
    square += one * one;
  }
  return product / (length * (Math.sqrt(square) || 1));
}

/** Returns the mean of the directions of vectors, scaled so that its largest number is 127. */
export function meanVector(vectors: readonly Int8Array[]): Int8Array {
  const sum = new Float64Array(vectors[0]?.length ?? 0);
  for (const vector of vectors) {
    const length = lengthOf(vector);
    for (let place = 0; place < vector.length; place++) sum[place]! += vector[place]! / length;
  }
  const largest = sum.reduce((most, one) => Math.max(most, Math.abs(one)), 0) || 1;
  return Int8Array.from(sum, (one) => Math.round((one * 127) / largest));
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

/** Returns the 32-bit words of the codes of a model. */
export const codeWordsOf = (model: MeaningModel) => models[model].dimensions / 32;

/** Writes the signs of a vector, one bit each. */
export function writeCode(vector: Int8Array, to: Uint32Array, at = 0): void {
  for (let word = 0; word < vector.length / 32; word++) {
    let bits = 0;
    for (let bit = 0; bit < 32; bit++) if (vector[word * 32 + bit]! > 0) bits |= 1 << bit;
    to[at + word] = bits >>> 0;
  }
}

/** Returns the signs of a vector. */
export function codeOf(vector: Int8Array): Uint32Array {
  const code = new Uint32Array(vector.length / 32);
  writeCode(vector, code);
  return code;
}

/** Views a vector of a row. */
export const vectorOf = (bytes: Uint8Array): Int8Array => new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length);

/** Returns another model that understands one of these languages, or null. */
export const modelFor = (chosen: MeaningModel, languages: readonly string[]): MeaningModel | null =>
  meaningModels.find((model) => model !== chosen && languages.some((lang) => understands(model, lang))) ?? null;
