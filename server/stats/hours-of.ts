import type { Hours } from '#contract/stats.ts';
import type { Archive } from '../archive.ts';
import type { Db } from '../db/db.ts';
import { timeZone } from '../time-text.ts';
import { watchTallyOf } from '../video/tally.ts';
import { periodsIn } from './clock.ts';
import { byHour, daysOf, inDays, inOneWeek, type LocalHour } from './hours.ts';
import { downloadsByHour, downloadsUntil, watchedIn, watchedSince } from './store.ts';

const day = 86_400;
const year = 53 * 7 * day;

interface Kept {
  mark: string;
  answer: Promise<unknown>;
}
const kept = new WeakMap<Db, Map<string, Kept>>();

/**
 * The last answer to a question, as long as nothing has changed that it depends on: to go through the year of a large library takes a
 * tenth of a second.
 */
function unlessChanged<T>(db: Db, question: string, mark: unknown, ask: () => Promise<T>): Promise<T> {
  const known = kept.getOrInsertComputed(db, () => new Map());
  const text = JSON.stringify(mark);
  const last = known.get(question);
  if (last?.mark === text) return last.answer as Promise<T>;
  const answer = ask();
  known.set(question, { mark: text, answer });
  answer.catch(() => known.delete(question));
  return answer;
}

/** In which hours of the last year videos came. Those before today seldom change, and are looked up again only when they do. */
async function downloadHours(db: Db, zone: string, { now, today }: { now: number; today: number }): Promise<LocalHour[]> {
  const ask = (from: number, to: number) => downloadsByHour(db, periodsIn(zone, from, to));
  const [before, since] = await Promise.all([
    downloadsUntil(db, today / day).then((sums) =>
      unlessChanged(db, 'came', [zone, today, sums], async () => inOneWeek(await ask(today - year, today))),
    ),
    ask(today, now + 1),
  ]);
  return [...before, ...since];
}

/** In which hours of it a person watched, for the week and for the days; the same holds for what was before today. */
async function watchHours(db: Db, accountId: number, zone: string, { now, today }: { now: number; today: number }) {
  const ask = (from: number, to: number) => watchedIn(db, accountId, periodsIn(zone, from, to));
  const [all, sums, since] = await Promise.all([
    watchTallyOf(db, accountId, {}),
    watchedSince(db, accountId, today),
    ask(today, now + 1),
  ]);
  const earlier = [all.videos - sums.videos, all.durationSeconds - sums.durationSeconds];
  const before = await unlessChanged(db, `watched by ${accountId}`, [zone, today, earlier], async () => {
    const hours = await ask(today - year, today);
    return { week: inOneWeek(hours), days: inDays(hours) };
  });
  return { week: [...before.week, ...since], days: [...before.days, ...since] };
}

/** In which hours of the week, and on which days, a person watched and videos came, in the last 53 weeks. */
export async function hoursOf(archive: Archive, accountId: number): Promise<Hours> {
  const now = archive.now();
  const span = { now, today: Math.floor(now / day) * day };
  const zone = timeZone();
  const [came, mine] = await Promise.all([downloadHours(archive.db, zone, span), watchHours(archive.db, accountId, zone, span)]);
  return {
    watched: byHour(mine.week),
    days: daysOf(mine.days),
    downloaded: byHour(came).map(({ weekday, hour, count }) => ({ weekday, hour, count })),
  };
}
