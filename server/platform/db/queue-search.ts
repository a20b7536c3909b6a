import { sql, type ExpressionBuilder } from 'kysely';
import type { Engine } from './db.ts';
import type { Tables } from './schema/tables.ts';

/**
 * Splits a text into trigrams: every second one and the last. The others would hardly reduce the matches, and each costs a scan
 * of its posting list. Empty for texts of less than three characters.
 */
function trigramsOf(text: string): string[] {
  const characters = [...text];
  const last = characters.length - 3;
  if (last < 0) return [];
  const places = Array.from({ length: Math.ceil(last / 2) + 1 }, (_, n) => Math.min(2 * n, last));
  return places.map((place) => characters.slice(place, place + 3).join(''));
}

/** Removes the special characters of `like`. */
const withoutWildcards = (word: string) => word.replace(/[%_\\]/g, '');

/** Returns whether these words restrict the search. */
export const hasSearchWords = (words: readonly string[]): boolean => words.some((word) => withoutWildcards(word) !== '');

/** Returns whether these words are searched with an index. The order of the results is then known only when all of them are found. */
export const isIndexed = (words: readonly string[]): boolean =>
  words.some((word) => trigramsOf(withoutWildcards(word)).length > 0);

/** Condition for queue items whose title contains all words. Both are normalized, so that the result is the same on every engine. */
export const titleMatches = (engine: Engine, words: readonly string[]) => (w: ExpressionBuilder<Tables, 'download'>) => {
  const terms = words.map(withoutWildcards);
  const trigrams = [...new Set(terms.flatMap(trigramsOf))];
  const ftsQuery = trigrams.map((piece) => `"${piece.replaceAll('"', '""')}"`).join(' AND ');
  return w.and([
    ...terms.map((word) => w('download.normalizedTitle', 'like', `%${word}%`)),
    // PostgreSQL uses its trigram index for `like`, `download_trigrams`.
    ...(engine === 'sqlite' && trigrams.length > 0
      ? [sql<boolean>`download.number in (select rowid from download_trigram where download_trigram match ${ftsQuery})`]
      : []),
  ]);
};
