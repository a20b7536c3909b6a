import { sql, type AliasedExpression } from 'kysely';
import type { VideoFilter } from '#contract/video.ts';
import type { Db } from '../../../platform/db/db.ts';
import { monthSeconds } from '../../../platform/db/triggers/monthly-counts.ts';

// Monthly counters (server/platform/db/triggers/monthly-counts.ts) locate the start of a deep page, of all videos or of
// (un)watched ones, and count the videos of a period, without reading the videos.

interface Counted {
  month: number;
  videos: number;
}

type Part = Pick<VideoFilter, 'type' | 'watch' | 'order'>;

/** Returns the first and last time of a month. Months are truncated toward zero, so month 0 covers both sides of 1970. */
const timesOf = (month: number) => ({
  first: month > 0 ? month * monthSeconds : (month - 1) * monthSeconds + 1,
  last: month >= 0 ? (month + 1) * monthSeconds - 1 : month * monthSeconds,
});

/** Selects the number of videos per month; for unwatched videos, the watched ones count as negative. */
function countedIn(
  db: Db,
  accountId: number,
  { type, watch }: Pick<Part, 'type' | 'watch'>,
): AliasedExpression<Counted, 'counted'> {
  const all = db
    .selectFrom('monthCount')
    .select(['month', 'videos'])
    .$if(type !== undefined, (q) => q.where('kind', '=', type!));
  const watched = db
    .selectFrom('watchMonthCount')
    .select(['month', sql<number>`videos * ${sql.lit(watch === 'watched' ? 1 : -1)}`.as('videos')])
    .where('accountId', '=', accountId)
    .$if(type !== undefined, (q) => q.where('kind', '=', type!));
  if (watch === 'watched') return watched.as('counted');
  return watch === 'unwatched' ? all.unionAll(watched).as('counted') : all.as('counted');
}

/** Counts the videos of a filter without a channel. A library has fewer months than channels. */
export async function countByMonths(db: Db, accountId: number, part: Pick<Part, 'type' | 'watch'>): Promise<number> {
  const { videos } = await db
    .selectFrom(countedIn(db, accountId, part))
    .select((e) => e.fn.coalesce(e.fn.sum<number>('videos'), e.lit(0)).as('videos'))
    .executeTakeFirstOrThrow();
  return videos;
}

/**
 * Returns the month of the video at a position (0 is the first), as the publication time to start at, and the number of videos to
 * skip from there.
 */
export async function monthAt(db: Db, accountId: number, part: Part, place: number): Promise<{ begin: number; pass: number }> {
  const months = await db
    .selectFrom(countedIn(db, accountId, part))
    .select((e) => ['month', e.fn.sum<number>('videos').as('videos')])
    .groupBy('month')
    .orderBy('month', part.order)
    .execute();
  let pass = place;
  for (const { month, videos } of months) {
    if (pass < videos) return { begin: timesOf(month)[part.order === 'desc' ? 'last' : 'first'], pass };
    pass -= videos;
  }
  // Videos were deleted meanwhile: nothing is at this position.
  return { begin: part.order === 'desc' ? Number.MIN_SAFE_INTEGER : Number.MAX_SAFE_INTEGER, pass: 0 };
}

/** Returns the month number of a time. */
const monthOf = (time: number) => Math.trunc(time / monthSeconds);

/**
 * Counts videos, optionally of one type, published within these times (inclusive). Only the first and last month are read row by
 * row.
 */
export async function countBetween(db: Db, { type, from, to }: Pick<VideoFilter, 'type' | 'from' | 'to'>): Promise<number> {
  const counted = async (first: number, last: number) => {
    const { videos } = await db
      .selectFrom('video')
      .select((e) => e.fn.countAll<number>().as('videos'))
      .where('publishedAt', '>=', first)
      .where('publishedAt', '<=', last)
      .$if(type !== undefined, (q) => q.where('kind', '=', type!))
      .executeTakeFirstOrThrow();
    return videos;
  };
  const [first, last] = [from === undefined ? null : monthOf(from), to === undefined ? null : monthOf(to)];
  if (first !== null && last !== null && last - first < 2) return counted(from!, to!);
  const [before, whole, after] = await Promise.all([
    first === null ? 0 : counted(from!, timesOf(first).last),
    db
      .selectFrom('monthCount')
      .select((e) => e.fn.coalesce(e.fn.sum<number>('videos'), e.lit(0)).as('videos'))
      .$if(first !== null, (q) => q.where('month', '>', first!))
      .$if(last !== null, (q) => q.where('month', '<', last!))
      .$if(type !== undefined, (q) => q.where('kind', '=', type!))
      .executeTakeFirstOrThrow(),
    last === null ? 0 : counted(timesOf(last).first, to!),
  ]);
  return before + whole.videos + after;
}
