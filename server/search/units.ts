import type { Db } from '../db/db.ts';
import { any, type Expression } from './expression.ts';
import type { Fuzzy } from './parse.ts';
import { formsOf, frequencies, wordsLike, type Space } from './vocabulary.ts';
import { isLoneSign, soughtWords } from './words.ts';

/** One word that is looked for, or several that follow each other; with the words that may stand for it. */
export interface Unit {
  words: readonly string[];
  /** The last of them need only be the beginning of a word. */
  isPrefix: boolean;
  /** What else counts, and how well: 1 is as good as the word itself. */
  alike: ReadonlyMap<string, number>;
  /** In how many documents it is, about. */
  documents: number;
}

// What more words may be typos or forms of is not looked for; they are looked for as they are.
const mostForgiven = 12;
const mostAlike = 6;
const mostForms = 8;

const editsFor = (word: string, fuzzy: Fuzzy): 0 | 1 | 2 => {
  if (fuzzy !== 'auto') return fuzzy;
  if (word.length <= 2) return 0;
  return word.length <= 5 ? 1 : 2;
};

/** What somebody typed as words to look for; what holds nothing that can be found is left out. */
export const wordLists = (texts: readonly string[]): string[][] => texts.map(soughtWords).filter((words) => words.length > 0);

async function unitOf(
  db: Db,
  space: Space,
  words: string[],
  { fuzzy, isPrefix, isForgiven }: { fuzzy: Fuzzy; isPrefix: boolean; isForgiven: boolean },
): Promise<Unit> {
  const known = await frequencies(db, space, words);
  const rarest = Math.min(...words.map((word) => known.get(word) ?? 0));
  const [only = ''] = words;
  // The last word is still being typed: what it is like says little.
  const edits = words.length === 1 && !isPrefix && isForgiven ? editsFor(only, fuzzy) : 0;
  const others = edits === 0 ? [] : await wordsLike(db, space, only, { edits, most: mostAlike });
  // What is spoken is found in every form of an English word, as clients of the API expect.
  const forms = space === 'l' && words.length === 1 && isForgiven ? await formsOf(db, space, only, mostForms) : [];
  const alike = new Map(others.map((other) => [other.word, { documents: other.documents, fit: other.edits === 1 ? 0.6 : 0.35 }]));
  for (const { word, documents } of forms) alike.set(word, { documents, fit: 0.9 });
  return {
    words,
    isPrefix: isPrefix || (words.length === 1 && isLoneSign(only)),
    alike: new Map([...alike].map(([word, { fit }]) => [word, fit])),
    documents: [...alike.values()].reduce((sum, other) => sum + other.documents, rarest),
  };
}

/** The words of a query with what they may stand for. `endsOpen`: the last one is a beginning. */
export function unitsOf(
  db: Db,
  space: Space,
  lists: string[][],
  { fuzzy, endsOpen }: { fuzzy: Fuzzy; endsOpen: boolean },
): Promise<Unit[]> {
  const last = lists.length - 1;
  return Promise.all(
    lists.map((words, place) =>
      unitOf(db, space, words, { fuzzy, isPrefix: endsOpen && place === last, isForgiven: place < mostForgiven }),
    ),
  );
}

/** A unit as it is asked for in an index. */
export const expressionOf = ({ words, isPrefix, alike }: Pick<Unit, 'words' | 'isPrefix' | 'alike'>): Expression =>
  any([{ words, isPrefix }, ...[...alike.keys()].map((word) => ({ words: [word] }))])!;

/** A text that must stand there word by word. */
export const exactly = (words: readonly string[]): Unit => ({
  words,
  isPrefix: words.length === 1 && isLoneSign(words[0]!),
  alike: new Map(),
  documents: 0,
});

// What about so many documents hold says little; the number of all of them matters little for the order.
const many = 1_000_000;
/** How much a word says: the rarer, the more. */
export const rarity = (documents: number) => Math.log(1 + many / (1 + documents));
