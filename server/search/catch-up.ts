import type { Archive, Log } from '../archive.ts';
import { inTransaction, passingTrouble, type Db, type Tx } from '../db/db.ts';
import { indexThings, type Kind } from './index-things.ts';
import { indexTracks } from './index-tracks.ts';
import { mergeNames } from './merge-names.ts';

// What changed is written down by triggers of the database (migration 0007) in the same transaction as the change; here it is
// brought into the indexes, a little at a time, so that others get to write in between.

const thingsAtOnce = 100;
const tracksAtOnce = 40;
const piecesAtOnce = 250;

const kinds: Kind[] = ['channel', 'playlist', 'video'];

const pending = (db: Db) => db.selectFrom('searchPending').select(['number', 'kind', 'id']);

const done = (tx: Tx, numbers: number[]) => tx.deleteFrom('searchPending').where('number', 'in', numbers).execute();

/** In the order they came: what has the highest number in the index counts as the newest. */
async function someThings(tx: Tx, most: number): Promise<boolean> {
  for (const kind of kinds) {
    const rows = await pending(tx).where('kind', '=', kind).orderBy('number').limit(most).execute();
    if (rows.length === 0) continue;
    await indexThings(tx, kind, [...new Set(rows.map(({ id }) => id))]);
    await done(
      tx,
      rows.map(({ number }) => number),
    );
    return true;
  }
  return false;
}

/** The newest first: an old archive that is being indexed must not hold up what comes in today. */
async function someTracks(tx: Tx, most: number): Promise<boolean> {
  const rows = await pending(tx).where('kind', '=', 'lines').orderBy('number', 'desc').limit(most).execute();
  if (rows.length === 0) return false;
  const indexed = new Set(await indexTracks(tx, [...new Set(rows.map(({ id }) => id))], piecesAtOnce));
  const finished = rows.filter(({ id }) => indexed.has(id)).map(({ number }) => number);
  if (finished.length > 0) await done(tx, finished);
  return true;
}

const isBehind = async (db: Db) =>
  (await db.selectFrom('searchPending').select('number').limit(1).executeTakeFirst()) !== undefined;

const step = (db: Db, things: number, tracks: number) =>
  inTransaction(db, async (tx) => (await someThings(tx, things)) || someTracks(tx, tracks));

/** What cannot be indexed must not hold up everything behind it: it is found out which one it is, and left out. */
async function stepAround(db: Db, log: Log | undefined): Promise<boolean> {
  try {
    return await step(db, thingsAtOnce, tracksAtOnce);
  } catch (error) {
    if (passingTrouble(error)) throw error;
  }
  try {
    return await step(db, 1, 1);
  } catch (error) {
    if (passingTrouble(error)) throw error;
    return inTransaction(db, async (tx) => {
      const next = (kind: (typeof kinds)[number] | 'lines', order: 'asc' | 'desc') =>
        pending(tx).where('kind', '=', kind).orderBy('number', order).limit(1).executeTakeFirst();
      const culprit =
        (await next('channel', 'asc')) ??
        (await next('playlist', 'asc')) ??
        (await next('video', 'asc')) ??
        (await next('lines', 'desc'));
      if (!culprit) return false;
      log?.error({ err: error, kind: culprit.kind, id: culprit.id }, 'cannot be indexed, so searches do not find it');
      await done(tx, [culprit.number]);
      return true;
    });
  }
}

/**
 * Brings the indexes up to date, for about `longestMs`, but at least a step; answers whether they are. Throws only what
 * passes: somebody holds the database, or its disk is full.
 */
export async function catchUp(db: Db, longestMs = Number.POSITIVE_INFINITY, log?: Log): Promise<boolean> {
  const begun = performance.now();
  for (let isFirst = true; await isBehind(db); isFirst = false) {
    if (!isFirst && performance.now() - begun > longestMs) return false;
    // Names first: they are few, and what is looked for most.
    if (!(await stepAround(db, log))) return true;
  }
  return true;
}

/** A round: indexes what changed. It ends soon, so that the program can end; what is left waits for the next. */
export async function keepIndexed({ db, log }: Archive): Promise<void> {
  if ((await isBehind(db)) && (await catchUp(db, 1_500, log))) await mergeNames(db, 500);
}
