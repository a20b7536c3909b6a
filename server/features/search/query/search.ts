import { message } from '#contract/messages.ts';
import { createHash } from 'node:crypto';
import { longestWindow } from '#contract/endpoint.ts';
import type { SearchQuery, SpokenHit } from '#contract/search.ts';
import type { AppContext } from '../../../platform/context/app-context.ts';
import { QueryTimeoutError } from '../../../platform/db/slow-query-connection.ts';
import type { Db } from '../../../platform/db/db.ts';
import { workerQuery } from '../../../platform/db/worker-query.ts';
import { HttpError } from '../../../platform/http/http-error.ts';
import { findTranscripts, type SearchScope } from './find-transcripts.ts';
import { findByName, pageSize } from './find-by-name.ts';
import { parseQuery, type Query } from './parse.ts';
import { serializeTranscriptHit } from './shape.ts';
import { sourcesOfHits, videosOfHits } from '../index/transcript-store.ts';
import type { SearchFilter } from '../index/store.ts';
import type { Searcher, SearchQueue } from './search-queue.ts';

// Users do not wait longer than this for results.
const longestMs = 3_000;

declare module '../../../platform/context/app-state.ts' {
  interface AppState {
    searchQueue: SearchQueue;
  }
}

/** Returns the browser window id sent by the web app; null for other clients and invalid ids. */
export const windowOf = (accountId: number, value: unknown): string | null =>
  typeof value === 'string' && value !== '' && value.length <= longestWindow
    ? createHash('sha256').update(`${accountId} ${value}`).digest('base64url').slice(0, 16)
    : null;

interface Sought {
  query: Query;
  narrowing: SearchFilter;
  page: number;
  within: SearchScope;
}

/** Serializes transcript hits for the API. Hits in videos deleted meanwhile are omitted. */
async function showSpoken(db: Db, { hits, units }: Awaited<ReturnType<typeof findTranscripts>>): Promise<SpokenHit[]> {
  if (hits.length === 0) return [];
  const ids = [...new Set(hits.map(({ piece }) => piece.videoId))];
  const [about, sourceOf] = await Promise.all([videosOfHits(db, ids), sourcesOfHits(db, ids)]);
  return hits.flatMap((hit) => {
    const video = about.find(({ id }) => id === hit.piece.videoId);
    return video ? [serializeTranscriptHit(hit, { video, source: sourceOf(hit.piece), units })] : [];
  });
}

/** Loads one page of results. */
export const found = workerQuery('search', async (db, { query, narrowing, page, within }: Sought) => {
  const { type } = query;
  if (type === 'full') {
    const spoken = await findTranscripts(db, query, narrowing, { page, within });
    const { hasMore, corrections } = spoken;
    return { type, things: [], spoken: await showSpoken(db, spoken), corrections, hasMore };
  }
  const { hits, corrections } = await findByName(db, { ...query, type }, narrowing, page);
  return {
    type,
    things: hits.slice((page - 1) * pageSize, page * pageSize),
    spoken: [],
    corrections,
    hasMore: hits.length > page * pageSize,
  };
});

/**
 * Runs a search in a worker when its turn comes, for at most three seconds; throws 503 with a message if that was not enough.
 * `signal` fires when the client closes the connection.
 */
export async function runSearch<T>(
  { db, state }: AppContext,
  who: Searcher,
  read: (db: Db) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  try {
    return await state.searchQueue.take(who, () => db.slowQueries.read(read, longestMs), signal);
  } catch (error) {
    if (!(error instanceof QueryTimeoutError)) throw error;
    throw new HttpError(503, message('error.search-slow'), { retryAfterSeconds: 5 });
  }
}

/** Searches for names or in transcripts. */
export function search(app: AppContext, text: string, options: Omit<SearchQuery, 'query'>, who: Searcher, signal?: AbortSignal) {
  const query = parseQuery(text);
  const narrowing: SearchFilter = { ...options, accountId: who.accountId };
  const page = Math.max(1, options.page);
  const sought = { query, narrowing, page, within: { from: options.t_from, to: options.t_to } };
  return runSearch(app, who, (db) => found(db, sought), signal);
}
