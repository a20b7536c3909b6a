import { sql, type AliasedExpression } from 'kysely';
import type { VideoFilter } from '#contract/video.ts';
import type { Db } from '../db/db.ts';
import { monthSeconds } from '../db/month-triggers.ts';

// What the database keeps counted of each month (migration 0020) says where a page from the middle of all videos, or of those
// somebody has (not) watched, begins, and how many were published in some years: videos need not be gone through for either.

interface Counted {
  month: number;
  videos: number;
}

type Part = Pick<VideoFilter, 'type' | 'watch' | 'order'>;

/** The times that lie in a month; as it is reckoned toward zero, the month 0 lies on both sides of 1970. */
const timesOf = (month: number) => ({
  first: month > 0 ? month * monthSeconds : (month - 1) * monthSeconds + 1,
  last: month >= 0 ? (month + 1) * monthSeconds - 1 : month * monthSeconds,
});

/** How many videos of each month are looked at; what is not to be is taken away. */
function countedIn(db: Db, accountId: number, { type, watch }: Part): AliasedExpression<Counted, 'counted'> {
  const all = db
    .selectFrom('monthTally')
    .select(['month', 'videos'])
    .$if(type !== undefined, (q) => q.where('kind', '=', type!));
  const watched = db
    .selectFrom('watchMonthTally')
    .select(['month', sql<number>`videos * ${sql.lit(watch === 'watched' ? 1 : -1)}`.as('videos')])
    .where('accountId', '=', accountId)
    .$if(type !== undefined, (q) => q.where('kind', '=', type!));
  if (watch === 'watched') return watched.as('counted');
  return watch === 'unwatched' ? all.unionAll(watched).as('counted') : all.as('counted');
}

/**
 * The month in which the video at a place lies (0 is the first), as the time of publication to begin with, and how many are
 * still to be passed over from there.
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
  // Somebody has just deleted some: there is nothing at that place any more.
  return { begin: part.order === 'desc' ? Number.MIN_SAFE_INTEGER : Number.MAX_SAFE_INTEGER, pass: 0 };
}

/** The month in which a time lies. */
const monthOf = (time: number) => Math.trunc(time / monthSeconds);

/** How many videos, or those of a kind, were published within these times, both included. Only the first and the last month are counted. */
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
      .selectFrom('monthTally')
      .select((e) => e.fn.coalesce(e.fn.sum<number>('videos'), e.lit(0)).as('videos'))
      .$if(first !== null, (q) => q.where('month', '>', first!))
      .$if(last !== null, (q) => q.where('month', '<', last!))
      .$if(type !== undefined, (q) => q.where('kind', '=', type!))
      .executeTakeFirstOrThrow(),
    last === null ? 0 : counted(timesOf(last).first, to!),
  ]);
  return before + whole.videos + after;
}
