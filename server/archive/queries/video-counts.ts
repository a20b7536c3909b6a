import type { VideoKind } from '#contract/field-types.ts';
import type { Db } from '../../platform/db/db.ts';

// Counters per channel, kind and user are maintained in the database (docs/decisions/counters-by-triggers.md), so that no list
// and no statistic counts 100,000 videos.

interface Part {
  channel?: string | undefined;
  type?: VideoKind | undefined;
}

/** Returns number, total duration and total size of all videos, of a channel or of a kind. */
export const countVideosOf = (db: Db, { channel, type }: Part) =>
  db.lookups
    .selectFrom(channel === undefined ? 'videoKindCount' : 'videoCount')
    .select((e) => [
      e.fn.coalesce(e.fn.sum<number>('videos'), e.lit(0)).as('videos'),
      e.fn.coalesce(e.fn.sum<number>('sizeBytes'), e.lit(0)).as('sizeBytes'),
      e.fn.coalesce(e.fn.sum<number>('durationSeconds'), e.lit(0)).as('durationSeconds'),
    ])
    .$if(channel !== undefined, (q) => q.where('channelId', '=', channel!))
    .$if(type !== undefined, (q) => q.where('kind', '=', type!))
    .executeTakeFirstOrThrow();

/** Returns number and total duration of the videos that a user has watched. */
export const countWatchedOf = (db: Db, accountId: number, { channel, type }: Part) =>
  db.lookups
    .selectFrom(channel === undefined ? 'watchKindCount' : 'watchCount')
    .select((e) => [
      e.fn.coalesce(e.fn.sum<number>('videos'), e.lit(0)).as('videos'),
      e.fn.coalesce(e.fn.sum<number>('durationSeconds'), e.lit(0)).as('durationSeconds'),
    ])
    .where('accountId', '=', accountId)
    .$if(channel !== undefined, (q) => q.where('channelId', '=', channel!))
    .$if(type !== undefined, (q) => q.where('kind', '=', type!))
    .executeTakeFirstOrThrow();

/** Counts videos whose files were damaged or missing when they were last read. */
export async function countDamaged(db: Db): Promise<number> {
  const row = await db.selectFrom('facetCount').select('videos').where('kind', '=', 'damaged').executeTakeFirst();
  return row?.videos ?? 0;
}
