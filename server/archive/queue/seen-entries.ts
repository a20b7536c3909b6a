import type { Insertable } from 'kysely';
import { chunks, type Db } from '../../platform/db/db.ts';
import type { SeenEntryTable } from '../../platform/db/schema/tables.ts';
import { existingIds } from '../video/store.ts';
import { queuedIds } from './claims.ts';

/** Records the entries of a listing, including those excluded by rules. Known values are overwritten, except by unknown ones. */
export async function markSeen(db: Db, rows: Insertable<SeenEntryTable>[], { setsSkipped = false } = {}) {
  for (const part of chunks([...new Map(rows.map((row) => [row.videoId, row])).values()], 100))
    await db
      .insertInto('seenEntry')
      .values(part)
      .onConflict((c) =>
        c.column('videoId').doUpdateSet((e) => ({
          title: e.ref('excluded.title'),
          isMembersOnly: e.ref('excluded.isMembersOnly'),
          durationSeconds: e.fn.coalesce('excluded.durationSeconds', 'seenEntry.durationSeconds'),
          publishedAt: e.fn.coalesce('excluded.publishedAt', 'seenEntry.publishedAt'),
          ...(setsSkipped && { isSkipped: e.ref('excluded.isSkipped') }),
        })),
      )
      .execute();
}

/** Returns which ids are queued, ignored or archived. */
export async function archivedOrQueuedIds(db: Db, ids: string[]): Promise<Set<string>> {
  const [queued, archived] = await Promise.all([queuedIds(db, ids), existingIds(db, ids)]);
  return new Set([...queued.keys(), ...archived]);
}

/** Returns which ids belong to a back catalogue that a subscription skips. */
export async function skippedIds(db: Db, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .selectFrom('seenEntry')
    .select('videoId')
    .where('videoId', 'in', ids)
    .where('isSkipped', '=', 1)
    .execute();
  return new Set(rows.map((row) => row.videoId));
}

/** Records that a video was deleted, so that scans do not add it again. */
export async function markDeleted(db: Db, videoId: string, deletedAt: number) {
  const video = await db
    .selectFrom('video')
    .where('id', '=', videoId)
    .select(['channelId', 'title', 'kind', 'durationSeconds', 'publishedAt'])
    .executeTakeFirstOrThrow();
  await db
    .insertInto('seenEntry')
    .values({ ...video, videoId, isMembersOnly: 0, seenAt: deletedAt, deletedAt })
    .onConflict((c) => c.column('videoId').doUpdateSet({ deletedAt }))
    .execute();
}

/** Returns which ids were deleted from the archive, with the time. They may have been added again. */
export async function deletedAtOf(db: Db, ids: string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('seenEntry')
    .select(['videoId', 'deletedAt'])
    .where('videoId', 'in', ids)
    .where('deletedAt', 'is not', null)
    .execute();
  return new Map(rows.map((row) => [row.videoId, row.deletedAt!]));
}

/** Returns which ids have been seen in a listing, or are queued, ignored or archived. */
export async function seenIds(db: Db, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const listed = await db.selectFrom('seenEntry').select('videoId').where('videoId', 'in', ids).execute();
  return new Set([...(await archivedOrQueuedIds(db, ids)), ...listed.map((row) => row.videoId)]);
}

/** Returns the number of entries after which an interrupted listing continues; 0 if there is none or it is older than a day. */
export async function listingPosition(db: Db, url: string, now: number): Promise<number> {
  const row = await db.selectFrom('listingPosition').selectAll().where('url', '=', url).executeTakeFirst();
  return row && now - row.updatedAt < 86_400 ? row.position : 0;
}

export const saveListingPosition = (db: Db, url: string, position: number, now: number) =>
  db
    .insertInto('listingPosition')
    .values({ url, position, updatedAt: now })
    .onConflict((c) => c.column('url').doUpdateSet({ position, updatedAt: now }))
    .execute();

export const endListing = (db: Db, url: string) => db.deleteFrom('listingPosition').where('url', '=', url).execute();
