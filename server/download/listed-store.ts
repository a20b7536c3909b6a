import type { Insertable } from 'kysely';
import { chunks, type Db } from '../db/db.ts';
import type { ListedTable } from '../db/tables-work.ts';
import { knownVideoIds } from '../video/known.ts';
import { queuedIds } from './store.ts';

/** Remembers what a source lists, wanted or not. What was said of it before is written over, what is unknown now is not. */
export async function rememberListed(db: Db, rows: Insertable<ListedTable>[]) {
  for (const part of chunks([...new Map(rows.map((row) => [row.videoId, row])).values()], 100))
    await db
      .insertInto('listed')
      .values(part)
      .onConflict((c) =>
        c.column('videoId').doUpdateSet((e) => ({
          title: e.ref('excluded.title'),
          isMembersOnly: e.ref('excluded.isMembersOnly'),
          durationSeconds: e.fn.coalesce('excluded.durationSeconds', 'listed.durationSeconds'),
          publishedAt: e.fn.coalesce('excluded.publishedAt', 'listed.publishedAt'),
        })),
      )
      .execute();
}

/** Which of these ids are in the queue, ignored, or archived. */
export async function takenIds(db: Db, ids: string[]): Promise<Set<string>> {
  const [queued, archived] = await Promise.all([queuedIds(db, ids), knownVideoIds({ db }, ids)]);
  return new Set([...queued.keys(), ...archived]);
}

/** Which of these ids have been seen at all: taken, or listed and left out. */
export async function seenIds(db: Db, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const listed = await db.selectFrom('listed').select('videoId').where('videoId', 'in', ids).execute();
  return new Set([...(await takenIds(db, ids)), ...listed.map((row) => row.videoId)]);
}

/** How far a long listing had come when it was stopped; 0 when it was not. Older than a day it begins anew. */
export async function reachedIn(db: Db, url: string, now: number): Promise<number> {
  const row = await db.selectFrom('listing').selectAll().where('url', '=', url).executeTakeFirst();
  return row && now - row.updatedAt < 86_400 ? row.reached : 0;
}

export const noteReached = (db: Db, url: string, reached: number, now: number) =>
  db
    .insertInto('listing')
    .values({ url, reached, updatedAt: now })
    .onConflict((c) => c.column('url').doUpdateSet({ reached, updatedAt: now }))
    .execute();

export const endListing = (db: Db, url: string) => db.deleteFrom('listing').where('url', '=', url).execute();
