import { sql, type ExpressionBuilder } from 'kysely';
import type { Engine } from './db.ts';
import type { Tables } from './tables.ts';

/**
 * A text in pieces of three signs, every second one and the last: those between would narrow it hardly more, and each costs going
 * through its list. Empty where it has fewer than three.
 */
function piecesOf(text: string): string[] {
  const signs = [...text];
  const last = signs.length - 3;
  if (last < 0) return [];
  const places = Array.from({ length: Math.ceil(last / 2) + 1 }, (_, n) => Math.min(2 * n, last));
  return places.map((place) => signs.slice(place, place + 3).join(''));
}

/** What is looked for of a word: not the signs that mean something of their own to `like`. */
const plain = (word: string) => word.replace(/[%_\\]/g, '');

/** Whether anything is looked for with these words at all. */
export const lookForSomething = (words: readonly string[]): boolean => words.some((word) => plain(word) !== '');

/** Whether the titles with these words are found by an index. In which order they come is then known only when all of them are there. */
export const areIndexed = (words: readonly string[]): boolean => words.some((word) => piecesOf(plain(word)).length > 0);

/** Titles that wait in which all of these words stand somewhere; both folded, so that it means the same on every engine. */
export const titleHas = (engine: Engine, words: readonly string[]) => (w: ExpressionBuilder<Tables, 'download'>) => {
  const sought = words.map(plain);
  const pieces = [...new Set(sought.flatMap(piecesOf))];
  const asked = pieces.map((piece) => `"${piece.replaceAll('"', '""')}"`).join(' AND ');
  return w.and([
    ...sought.map((word) => w('download.foldedTitle', 'like', `%${word}%`)),
    // PostgreSQL finds its index for the above by itself (migration 0025).
    ...(engine === 'sqlite' && pieces.length > 0
      ? [sql<boolean>`download.number in (select rowid from download_piece where download_piece match ${asked})`]
      : []),
  ]);
};
