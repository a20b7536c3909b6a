import type { Hours } from '#contract/stats.ts';
import type { Archive } from '../archive.ts';
import type { Db } from '../db/db.ts';
import { timeZone } from '../task/cron.ts';
import { tallyOf, watchTallyOf } from '../video/tally.ts';
import { periodsIn } from './clock.ts';
import { byHour, daysOf } from './hours.ts';
import { downloadsIn, newestDownload, newestWatch, watchedIn } from './store.ts';

const year = 53 * 7 * 86_400;

interface Kept {
  mark: string;
  answer: Promise<Hours>;
}

// Of each person the last answer: to go through the year of a large library takes a tenth of a second.
const kept = new WeakMap<Db, Map<number, Kept>>();

async function count(db: Db, accountId: number, now: number): Promise<Hours> {
  const periods = periodsIn(timeZone(), now - year, now + 1);
  const [watched, downloaded] = await Promise.all([watchedIn(db, accountId, periods), downloadsIn(db, periods)]);
  const came = byHour(downloaded.map(({ passed, count: videos }) => ({ hour: passed, count: videos, durationSeconds: 0 })));
  return {
    watched: byHour(watched),
    downloaded: came.map(({ weekday, hour, count: videos }) => ({ weekday, hour, count: videos })),
    days: daysOf(watched),
  };
}

/** In which hours of the week, and on which days, a person watched and videos came, in the last 53 weeks. */
export async function hoursOf({ db, now }: Archive, accountId: number): Promise<Hours> {
  // What cannot change without one of these changing: sums are kept by the database, and what is watched now is the newest.
  const marks = await Promise.all([
    tallyOf(db, {}),
    watchTallyOf(db, accountId, {}),
    newestDownload(db),
    newestWatch(db, accountId),
  ]);
  const mark = JSON.stringify([timeZone(), Math.floor(now() / 3600), marks]);
  const known = kept.get(db) ?? new Map<number, Kept>();
  kept.set(db, known);
  const last = known.get(accountId);
  if (last?.mark === mark) return last.answer;
  const answer = count(db, accountId, now());
  known.set(accountId, { mark, answer });
  answer.catch(() => known.delete(accountId));
  return answer;
}
