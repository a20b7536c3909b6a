import type { Hours } from '#contract/stats.ts';
import type { Archive } from '../archive.ts';
import type { Db } from '../db/db.ts';
import { timeZone } from '../time-text.ts';
import { tallyOf, watchTallyOf } from '../video/tally.ts';
import { periodsIn } from './clock.ts';
import { byHour, daysOf } from './hours.ts';
import { downloadsByHour, newestDownload, newestWatch, watchedIn } from './store.ts';

const year = 53 * 7 * 86_400;

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

/** In which hours of the week, and on which days, a person watched and videos came, in the last 53 weeks. */
export async function hoursOf({ db, now }: Archive, accountId: number): Promise<Hours> {
  const periods = () => periodsIn(timeZone(), now() - year, now() + 1);
  const clock = [timeZone(), Math.floor(now() / 3600)];
  // What came or was watched cannot change without one of these: sums are kept by the database, and what is new is the newest.
  const [videos, newest, watched, last] = await Promise.all([
    tallyOf(db, {}),
    newestDownload(db),
    watchTallyOf(db, accountId, {}),
    newestWatch(db, accountId),
  ]);
  const [came, mine] = await Promise.all([
    unlessChanged(db, 'came', [clock, videos, newest], async () =>
      byHour((await downloadsByHour(db, periods())).map(({ passed, count }) => ({ hour: passed, count, durationSeconds: 0 }))),
    ),
    unlessChanged(db, `watched by ${accountId}`, [clock, watched, last], async () => {
      const hours = await watchedIn(db, accountId, periods());
      return { watched: byHour(hours), days: daysOf(hours) };
    }),
  ]);
  return { ...mine, downloaded: came.map(({ weekday, hour, count }) => ({ weekday, hour, count })) };
}
