import type { Db } from '../../../platform/db/db.ts';
import { any, type Expression } from '../text/fts-expression.ts';
import type { Fuzzy } from './parse.ts';
import { frequencies, isBeginning, similarTerms, wordFormsOf, type TermSpace } from '../text/term-dictionary.ts';
import { isSingleCharacter, queryTokens } from '../text/tokenizer.ts';

/** A searched word or phrase with its alternatives. */
export interface QueryTerm {
  words: readonly string[];
  /** The last word is a prefix. */
  isPrefix: boolean;
  /** Alternatives with their weights; 1 equals the word itself. */
  alike: ReadonlyMap<string, number>;
  /** Approximate number of documents that contain it. */
  documents: number;
  /** The indexed word that it was probably meant to be; null if it is indexed itself. */
  correction: string | null;
}

// Only the first words get typo and word form alternatives; further ones match exactly.
const maxForgiven = 12;
const maxAlike = 6;
const maxForms = 8;

/** Edits of a word. `unknown`: typos are corrected only in words that no document contains. */
type Forgiving = Fuzzy | 'unknown';

const editsFor = (word: string, fuzzy: Forgiving, documents: number): 0 | 1 | 2 => {
  if (fuzzy === 'unknown' && documents > 0) return 0;
  if (fuzzy !== 'auto' && fuzzy !== 'unknown') return fuzzy;
  if (word.length <= 2) return 0;
  return word.length <= 5 ? 1 : 2;
};

/** Splits texts into lists of searchable words; omits texts without any. */
export const wordLists = (texts: readonly string[]): string[][] => texts.map(queryTokens).filter((words) => words.length > 0);

async function unitOf(
  db: Db,
  space: TermSpace,
  words: string[],
  { fuzzy, isPrefix, isForgiven }: { fuzzy: Forgiving; isPrefix: boolean; isForgiven: boolean },
): Promise<QueryTerm> {
  const known = await frequencies(db, space, words);
  const rarest = Math.min(...words.map((word) => known.get(word) ?? 0));
  const [only = ''] = words;
  // The last word may be incomplete, so typos are corrected only if no word begins with it.
  const isComplete = !isPrefix || !(await isBeginning(db, space, only));
  const edits = words.length === 1 && isComplete && isForgiven ? editsFor(only, fuzzy, rarest) : 0;
  const others = edits === 0 ? [] : await similarTerms(db, space, only, { edits, most: maxAlike });
  // Transcripts match every form of an English word, as API clients expect.
  const forms = space === 'l' && words.length === 1 && isForgiven ? await wordFormsOf(db, space, only, maxForms) : [];
  const alike = new Map(others.map((other) => [other.word, { documents: other.documents, fit: other.edits === 1 ? 0.6 : 0.35 }]));
  for (const { word, documents } of forms) alike.set(word, { documents, fit: 0.9 });
  return {
    words,
    isPrefix: isPrefix || (words.length === 1 && isSingleCharacter(only)),
    alike: new Map([...alike].map(([word, { fit }]) => [word, fit])),
    documents: [...alike.values()].reduce((sum, other) => sum + other.documents, rarest),
    correction: rarest === 0 && isComplete && forms.length === 0 ? (others[0]?.word ?? null) : null,
  };
}

/** Builds the terms of a query with their alternatives. `endsOpen`: the last word is a prefix. */
export function queryTermsOf(
  db: Db,
  space: TermSpace,
  lists: string[][],
  { fuzzy, endsOpen }: { fuzzy: Forgiving; endsOpen: boolean },
): Promise<QueryTerm[]> {
  const last = lists.length - 1;
  return Promise.all(
    lists.map((words, place) =>
      unitOf(db, space, words, { fuzzy, isPrefix: endsOpen && place === last, isForgiven: place < maxForgiven }),
    ),
  );
}

/** Converts a term to an index expression. */
export const expressionOf = ({ words, isPrefix, alike }: Pick<QueryTerm, 'words' | 'isPrefix' | 'alike'>): Expression =>
  any([{ words, isPrefix }, ...[...alike.keys()].map((word) => ({ words: [word] }))])!;

/** Builds a term that matches word by word. */
export const exactly = (words: readonly string[]): QueryTerm => ({
  words,
  isPrefix: words.length === 1 && isSingleCharacter(words[0]!),
  alike: new Map(),
  documents: 0,
  correction: null,
});

// Words in about this many documents carry little weight. The total number of documents hardly affects the order of titles.
const many = 1_000_000;
/** Returns the weight of a word: the rarer, the higher. */
export const rarity = (documents: number, total = many) => Math.log(1 + total / (1 + documents));
