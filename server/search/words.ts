import { foldWord } from './fold-word.ts';

// How text becomes words, when it is indexed and when it is looked for: one way for both, and for both databases, which are
// given nothing but these words, parted by spaces.

/** One word of a text, folded, and where it stands in it. */
export interface Word {
  word: string;
  start: number;
  end: number;
}

// Letters and digits with their marks, an apostrophe between letters; or one pictograph, without tone and variation.
const run = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:['’ʼ＇][\p{L}\p{N}][\p{L}\p{N}\p{M}]*)*|\p{RI}\p{RI}|\p{Extended_Pictographic}/gu;
const plainRun = /[a-z0-9]+(?:'[a-z0-9]+)*/g;

// Scripts that put no spaces between words, or hang so much on them (Korean) that whole words would seldom be equal.
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}々〆ーｰ]/u;
// One sign of them with what belongs to it; the voicing marks of half-width kana are letters of their own.
const sign = /[\p{L}\p{N}][\p{M}\uff9e\uff9f]*/gu;

const apostrophe = /['’ʼ＇]/;
const startsWord = /^[\p{L}\p{N}]/u;

const longestWord = 40;
// eslint-disable-next-line no-control-regex -- all of ASCII is what is meant
const ascii = /^[\x00-\x7f]*$/;

/** Never half of a letter that takes two code units. */
const cut = (word: string) => (word.length > longestWord ? word.slice(0, longestWord).replace(/[\ud800-\udbff]$/, '') : word);

/** `l'amour` is two words and `don't` is one. */
function* elided(text: string, start: number): Generator<Word> {
  if (!apostrophe.test(text)) {
    const word = cut(foldWord(text));
    if (word) yield { word, start, end: start + text.length };
    return;
  }
  const parts = text.split(apostrophe);
  // What was left out of French or Italian articles stands before the apostrophe: one letter, or "qu", "un", "dell" …
  const isElided = parts.length === 2 && parts[0]!.length <= 2 && parts[1]!.length > 2;
  if (!isElided) {
    const word = cut(foldWord(parts.join('')));
    if (word) yield { word, start, end: start + text.length };
    return;
  }
  let at = start;
  for (const part of parts) {
    const word = cut(foldWord(part));
    if (word) yield { word, start: at, end: at + part.length };
    at += part.length + 1;
  }
}

/** Each sign with the one after it, and the last alone: so that every sign begins a word, and every two together are one. */
function* pairs(text: string, start: number, isLooked: boolean): Generator<Word> {
  const signs = [...text.matchAll(sign)].map(({ 0: raw, index }) => ({
    word: foldWord(raw),
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
  // Most runs are of one kind; only where both meet is it looked at letter by letter.
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

/** The words of a text, as they are indexed, with their places. */
export const placedWords = (text: string): Word[] => [...split(text, false)];

/** The words of a text, as they are indexed. */
export const wordsOf = (text: string): string[] => placedWords(text).map(({ word }) => word);

/** The words that a text to look for stands for: found where these follow each other. Empty when there is nothing to find. */
export const soughtWords = (text: string): string[] => [...split(text, true)].map(({ word }) => word);

/** A single sign of such a script finds every word that begins with it. */
export const isLoneSign = (word: string): boolean => unspaced.test(word) && [...word.matchAll(sign)].length === 1;

/** Whether a word is written in letters that people mistype: not a number, a pictograph, a pair of signs, or ancient Gothic. */
export const isSpelled = (word: string): boolean =>
  /^[\p{L}\p{M}]+$/u.test(word) && !unspaced.test(word) && !/[\ud800-\udfff]/.test(word);
