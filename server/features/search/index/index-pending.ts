import type { AppContext, Log } from '../../../platform/context/app-context.ts';
import { inTransaction, temporaryFailure, type Db, type Tx } from '../../../platform/db/db.ts';
import { indexNames, type NamedKind } from './index-names.ts';
import { indexMoments } from './index-moments.ts';
import { indexTranscripts } from './index-transcripts.ts';
import { mergeFtsSegments } from './merge-fts-segments.ts';

// Database triggers record changes in the same transaction. This file applies them to the indexes in small batches, so that other
// writers are not blocked for long.

const namesAtOnce = 100;

const kinds: NamedKind[] = ['channel', 'playlist', 'video'];

const pending = (db: Db) => db.selectFrom('searchPending').select(['number', 'kind', 'id']);

const done = (tx: Tx, numbers: number[]) => tx.deleteFrom('searchPending').where('number', 'in', numbers).execute();

/** In order of change, because the highest number in the index counts as the newest. */
async function indexSomeNames(tx: Tx, most: number): Promise<boolean> {
  for (const kind of kinds) {
    const rows = await pending(tx).where('kind', '=', kind).orderBy('number').limit(most).execute();
    if (rows.length === 0) continue;
    await indexNames(tx, kind, [...new Set(rows.map(({ id }) => id))]);
    await done(
      tx,
      rows.map(({ number }) => number),
    );
    return true;
  }
  return false;
}

const textsOfVideos = [
  { kind: 'lines', index: indexTranscripts, videosAtOnce: 40, documentsAtOnce: 250 },
  // All comments of a video are read, also if none has changed.
  { kind: 'moments', index: indexMoments, videosAtOnce: 10, documentsAtOnce: 500 },
] as const;
type TextsOfVideos = (typeof textsOfVideos)[number];

/** Newest first, so that new videos do not wait for the indexing of an old archive. */
async function indexSomeTexts(
  tx: Tx,
  { kind, index, videosAtOnce, documentsAtOnce }: TextsOfVideos,
  most: number,
): Promise<boolean> {
  const rows = await pending(tx).where('kind', '=', kind).orderBy('number', 'desc').limit(Math.min(most, videosAtOnce)).execute();
  if (rows.length === 0) return false;
  const indexed = new Set(await index(tx, [...new Set(rows.map(({ id }) => id))], documentsAtOnce));
  const finished = rows.filter(({ id }) => indexed.has(id)).map(({ number }) => number);
  if (finished.length > 0) await done(tx, finished);
  return true;
}

const isBehind = async (db: Db) =>
  (await db.selectFrom('searchPending').select('number').limit(1).executeTakeFirst()) !== undefined;

/** Indexes the next names, or the texts of the next videos. */
const indexBatch = (db: Db, most: number) =>
  inTransaction(db, async (tx) => {
    if (await indexSomeNames(tx, most)) return true;
    for (const texts of textsOfVideos) if (await indexSomeTexts(tx, texts, most)) return true;
    return false;
  });

/** Indexes a batch; if that fails, finds the faulty item and skips it, so that it does not block the others. */
async function indexBatchOrSkip(db: Db, log: Log | undefined): Promise<boolean> {
  try {
    return await indexBatch(db, namesAtOnce);
  } catch (error) {
    if (temporaryFailure(error)) throw error;
  }
  try {
    return await indexBatch(db, 1);
  } catch (error) {
    if (temporaryFailure(error)) throw error;
    return inTransaction(db, async (tx) => {
      const next = (kind: (typeof kinds)[number] | TextsOfVideos['kind'], order: 'asc' | 'desc') =>
        pending(tx).where('kind', '=', kind).orderBy('number', order).limit(1).executeTakeFirst();
      const culprit =
        (await next('channel', 'asc')) ??
        (await next('playlist', 'asc')) ??
        (await next('video', 'asc')) ??
        (await next('lines', 'desc')) ??
        (await next('moments', 'desc'));
      if (!culprit) return false;
      log?.error({ err: error, kind: culprit.kind, id: culprit.id }, 'cannot be indexed, so searches do not find it');
      await done(tx, [culprit.number]);
      return true;
    });
  }
}

/**
 * Updates the indexes for about `longestMs`, but at least one step. Returns whether they are up to date. Throws only temporary
 * failures: the database is locked or the disk is full.
 */
export async function indexPending(db: Db, longestMs = Number.POSITIVE_INFINITY, log?: Log): Promise<boolean> {
  const begun = performance.now();
  for (let isFirst = true; await isBehind(db); isFirst = false) {
    if (!isFirst && performance.now() - begun > longestMs) return false;
    // Names first: they are few and searched most.
    if (!(await indexBatchOrSkip(db, log))) return true;
  }
  return true;
}

/** Periodic job: indexes changes for a short time, so that shutdown is not delayed; the rest is left for the next run. */
export async function indexPendingPeriodically({ db, log }: AppContext): Promise<void> {
  if ((await isBehind(db)) && (await indexPending(db, 1_500, log))) await mergeFtsSegments(db, 500);
}
