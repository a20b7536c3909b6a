import type { Db } from '../../../platform/db/db.ts';
import { findDocuments } from '../index/moment-store.ts';
import { accountToken, kindToken } from '../text/filter-tokens.ts';
import { all } from '../text/fts-expression.ts';
import { noteSpace } from '../text/term-dictionary.ts';
import { without } from './find-by-name.ts';
import { splitQuery } from './parse.ts';
import { exactly, expressionOf, queryTermsOf, wordLists } from './query-terms.ts';

// All notes of a person.
const maxFound = 10_000;

/** Finds the numbers of a user's notes with all words, in the note, its quote, or the title or channel of its video. */
export async function findNoteNumbers(db: Db, accountId: number, text: string): Promise<number[]> {
  const pieces = splitQuery(text.toLowerCase());
  const lists = (isPhrase: boolean, isExcluded: boolean) =>
    wordLists(
      pieces.filter((piece) => piece.isPhrase === isPhrase && piece.isExcluded === isExcluded).map((piece) => piece.text),
    );
  const terms = [
    ...lists(true, false).map(exactly),
    ...(await queryTermsOf(db, noteSpace(accountId), lists(false, false), { fuzzy: 'unknown', endsOpen: true })),
  ];
  const excluded = [...lists(true, true), ...lists(false, true)].map(exactly);
  if (terms.length + excluded.length === 0) return [];
  const isOwn = [{ words: [kindToken('note')] }, { words: [accountToken(accountId)] }];
  const documents = await findDocuments(db, {
    expression: without(all([...terms.map(expressionOf), ...isOwn]), excluded)!,
    narrowing: { accountId },
    videos: null,
    limit: maxFound,
  });
  return documents.map(({ ref }) => Number(ref));
}
