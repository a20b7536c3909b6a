import { normalizeWord } from './normalize-word.ts';

// Tokenizer for indexing and for queries, the same for both databases, which get only these words, separated by spaces.

/** A normalized word and its range in the text. */
export interface Word {
  word: string;
  start: number;
  end: number;
}

// Letters and digits with their marks, with apostrophes between letters; or one pictograph, without skin tone and variation
// selector.
const run = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:['’ʼ＇][\p{L}\p{N}][\p{L}\p{N}\p{M}]*)*|\p{RI}\p{RI}|\p{Extended_Pictographic}/gu;
const plainRun = /[a-z0-9]+(?:'[a-z0-9]+)*/g;

// Scripts without spaces between words, or with so many suffixes (Korean) that whole words would rarely be equal.
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}々〆ーｰ]/u;
// One character of these scripts with its marks; the voicing marks of half-width kana are separate letters.
const sign = /[\p{L}\p{N}][\p{M}\uff9e\uff9f]*/gu;

const apostrophe = /['’ʼ＇]/;
const startsWord = /^[\p{L}\p{N}]/u;

const longestWord = 40;
// eslint-disable-next-line no-control-regex -- matches all of ASCII on purpose
const ascii = /^[\x00-\x7f]*$/;

/** Truncates a word without splitting a surrogate pair. */
const cut = (word: string) => (word.length > longestWord ? word.slice(0, longestWord).replace(/[\ud800-\udbff]$/, '') : word);

/** Splits `l'amour` into two words and keeps `don't` as one. */
function* elided(text: string, start: number): Generator<Word> {
  if (!apostrophe.test(text)) {
    const word = cut(normalizeWord(text));
    if (word) yield { word, start, end: start + text.length };
    return;
  }
  const parts = text.split(apostrophe);
  // Elided French and Italian articles precede the apostrophe: one letter, or "qu", "un", "dell" …
  const isElided = parts.length === 2 && parts[0]!.length <= 2 && parts[1]!.length > 2;
  if (!isElided) {
    const word = cut(normalizeWord(parts.join('')));
    if (word) yield { word, start, end: start + text.length };
    return;
  }
  let at = start;
  for (const part of parts) {
    const word = cut(normalizeWord(part));
    if (word) yield { word, start: at, end: at + part.length };
    at += part.length + 1;
  }
}

/**
 * Yields each character with its successor, and the last one alone, so that every character starts a token and every pair is one.
 */
function* pairs(text: string, start: number, isLooked: boolean): Generator<Word> {
  const signs = [...text.matchAll(sign)].map(({ 0: raw, index }) => ({
    word: normalizeWord(raw),
    start: start + index,
    end: start + index + raw.length,
  }));
  for (const [place, { word, start: from, end }] of signs.entries()) {
    const next = signs[place + 1];
    if (next) yield { word: word + next.word, start: from, end: next.end };
    else if (!isLooked || signs.length === 1) yield { word, start: from, end };
  }
}

function* ofRun(text: string, start: number, isLooked: boolean): Generator<Word> {
  // Most runs contain a single kind of script; only mixed ones are split character by character.
  if (!unspaced.test(text)) return yield* elided(text, start);
  let from = 0;
  let wasUnspaced: boolean | null = null;
  const piece = (to: number) => (wasUnspaced ? pairs : elided)(text.slice(from, to), start + from, isLooked);
  for (const { 0: raw, index } of text.matchAll(sign)) {
    const isUnspaced = unspaced.test(raw);
    if (wasUnspaced !== null && isUnspaced !== wasUnspaced) {
      yield* piece(index);
      from = index;
    }
    wasUnspaced = isUnspaced;
  }
  if (wasUnspaced !== null) yield* piece(text.length);
}

function* split(text: string, isLooked: boolean): Generator<Word> {
  if (ascii.test(text)) {
    for (const { 0: raw, index } of text.toLowerCase().matchAll(plainRun))
      if (raw.includes("'")) yield* elided(raw, index);
      else yield { word: raw.slice(0, longestWord), start: index, end: index + raw.length };
    return;
  }
  for (const { 0: raw, index } of text.matchAll(run))
    if (startsWord.test(raw)) yield* ofRun(raw, index, isLooked);
    else yield { word: raw, start: index, end: index + raw.length };
}

/** Splits a text into words for the index, with positions. */
export const tokensWithPositions = (text: string): Word[] => [...split(text, false)];

/** Splits a text into words for the index. */
export const tokenize = (text: string): string[] => tokensWithPositions(text).map(({ word }) => word);

/** Splits a search text into words, which match where they follow each other. Empty if nothing is searchable. */
export const queryTokens = (text: string): string[] => [...split(text, true)].map(({ word }) => word);

/** Whether a word is a single character of an unspaced script, which matches every word that starts with it. */
export const isSingleCharacter = (word: string): boolean => unspaced.test(word) && [...word.matchAll(sign)].length === 1;

/** Whether typos are likely in a word: false for numbers, pictographs, character pairs and letters outside the BMP. */
export const isSpelledOut = (word: string): boolean =>
  /^[\p{L}\p{M}]+$/u.test(word) && !unspaced.test(word) && !/[\ud800-\udfff]/.test(word);
