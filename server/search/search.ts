import { createHash } from 'node:crypto';
import { longestWindow } from '#contract/call.ts';
import type { SearchQuery, SpokenHit } from '#contract/search.ts';
import type { Archive } from '../archive.ts';
import { TookTooLong } from '../db/aside.ts';
import type { Db } from '../db/db.ts';
import { reading } from '../db/reading.ts';
import { Problem } from '../http/problem.ts';
import { findSpoken, type Within } from './find-lines.ts';
import { findThings, pageSize } from './find-things.ts';
import { parseQuery, type Query } from './parse.ts';
import { shapeSpoken } from './shape.ts';
import { sourcesOfHits, videosOfHits } from './store-lines.ts';
import type { Narrowing } from './store.ts';
import { makeTurns, type Searcher, type Turns } from './turns.ts';

// A search that is not done by then is one that nobody waits for.
const longestMs = 3_000;

const turnsOf = new WeakMap<Db, Turns>();
const turnsIn = (db: Db) => turnsOf.getOrInsertComputed(db, () => makeTurns());

/** The window of whoever searches, as our own pages name it; null for everybody else, and for what is no name. */
export const windowOf = (accountId: number, said: unknown): string | null =>
  typeof said === 'string' && said !== '' && said.length <= longestWindow
    ? createHash('sha256').update(`${accountId} ${said}`).digest('base64url').slice(0, 16)
    : null;

interface Sought {
  query: Query;
  narrowing: Narrowing;
  page: number;
  within: Within;
}

/** What was found in what is spoken, as the API shows it. Of a video that is gone meanwhile nothing is. */
async function showSpoken(db: Db, { hits, units }: Awaited<ReturnType<typeof findSpoken>>): Promise<SpokenHit[]> {
  if (hits.length === 0) return [];
  const ids = [...new Set(hits.map(({ piece }) => piece.videoId))];
  const [about, sources] = await Promise.all([videosOfHits(db, ids), sourcesOfHits(db, ids)]);
  return hits.flatMap((hit) => {
    const video = about.find(({ id }) => id === hit.piece.videoId);
    const source = sources.find(({ videoId, lang }) => videoId === hit.piece.videoId && lang === hit.piece.lang)?.source;
    return video ? [shapeSpoken(hit, { video, source, units })] : [];
  });
}

/** One page of what was found. */
export const found = reading('search', async (db, { query, narrowing, page, within }: Sought) => {
  const { type } = query;
  if (type === 'full') {
    const spoken = await findSpoken(db, query, narrowing, { page, within });
    return { type, things: [], spoken: await showSpoken(db, spoken), hasMore: spoken.hasMore };
  }
  const things = await findThings(db, { ...query, type }, narrowing, page);
  return {
    type,
    things: things.slice((page - 1) * pageSize, page * pageSize),
    spoken: [],
    hasMore: things.length > page * pageSize,
  };
});

/**
 * Searches, beside everything else that reads the database, and not for longer than three seconds. Throws 503 with a sentence
 * when that was not enough.
 */
export async function search({ db }: Archive, text: string, wish: Omit<SearchQuery, 'query'>, who: Searcher) {
  const query = parseQuery(text);
  const narrowing: Narrowing = { ...wish, accountId: who.accountId };
  const page = Math.max(1, wish.page);
  const sought = { query, narrowing, page, within: { from: wish.t_from, to: wish.t_to } };
  try {
    return await turnsIn(db).take(who, () => db.aside.read((aside) => found(aside, sought), longestMs));
  } catch (error) {
    if (!(error instanceof TookTooLong)) throw error;
    throw new Problem(503, 'That search took too long and was given up. Look for rarer words, or for more of them.', {
      retryAfterSeconds: 5,
    });
  }
}
