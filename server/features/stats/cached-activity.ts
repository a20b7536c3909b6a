import type { Hours } from '#contract/stats.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { timeZone } from '../../platform/lib/format-time.ts';
import { countWatchedOf } from '../../archive/queries/video-counts.ts';
import { periodsIn } from './clock.ts';
import { byHour, daysOf, inDays, inOneWeek, type LocalHour } from './group-by-hour.ts';
import { downloadsByHour, downloadsUntil, watchedIn, watchedSince } from './store.ts';
import { unlessChanged } from './unless-changed.ts';

const day = 86_400;
const year = 53 * 7 * day;

/** Downloads by hour in the last year. Those before today are cached and queried again only after a change: a year of a large library takes 100 ms. */
async function downloadHours(
  app: AppContext,
  zone: string,
  { now, today }: { now: number; today: number },
): Promise<LocalHour[]> {
  const { db } = app;
  const ask = (from: number, to: number) => downloadsByHour(db, periodsIn(zone, from, to));
  const [before, since] = await Promise.all([
    downloadsUntil(db, today / day).then((sums) =>
      unlessChanged(app, 'came', [zone, today, sums], async () => inOneWeek(await ask(today - year, today))),
    ),
    ask(today, now + 1),
  ]);
  return [...before, ...since];
}

/** Watched videos by hour, grouped by week and by day. Those before today are cached as well. */
async function watchHours(app: AppContext, accountId: number, zone: string, { now, today }: { now: number; today: number }) {
  const { db } = app;
  const ask = (from: number, to: number) => watchedIn(db, accountId, periodsIn(zone, from, to));
  const [all, sums, since] = await Promise.all([
    countWatchedOf(db, accountId, {}),
    watchedSince(db, accountId, today),
    ask(today, now + 1),
  ]);
  const earlier = [all.videos - sums.videos, all.durationSeconds - sums.durationSeconds];
  const before = await unlessChanged(app, `watched by ${accountId}`, [zone, today, earlier], async () => {
    const hours = await ask(today - year, today);
    return { week: inOneWeek(hours), days: inDays(hours) };
  });
  return { week: [...before.week, ...since], days: [...before.days, ...since] };
}

/** Returns the activity of a user and the downloads of the last 53 weeks, by hour of the week and by day. */
export async function activityByHour(app: AppContext, accountId: number): Promise<Hours> {
  const now = app.now();
  const span = { now, today: Math.floor(now / day) * day };
  const zone = timeZone();
  const [came, mine] = await Promise.all([downloadHours(app, zone, span), watchHours(app, accountId, zone, span)]);
  return {
    watched: byHour(mine.week),
    days: daysOf(mine.days),
    downloaded: byHour(came).map(({ weekday, hour, count }) => ({ weekday, hour, count })),
  };
}
