import type { FailureKind } from '#contract/download.ts';
import type { Db } from '../db/db.ts';
import { pauseAfter } from './retry.ts';
import { countAnswer } from './site-day.ts';

// A site that let a whole day pass without turning us away begins anew.
const forgottenSeconds = 86_400;

// A pause lasts a day at most: one that ends later was written when the clock was ahead, and would hold for years.
const implausibleSeconds = 2 * 86_400;

/** The sites that are left alone now, as a query to go on with. */
export const pausesNow = (db: Db, now: number) =>
  db
    .selectFrom('sitePause')
    .where('untilAt', '>', now)
    .where('untilAt', '<=', now + implausibleSeconds);

/** Leaves a site alone for a while, longer each time in a row. Does nothing when the failure is not of that sort. */
export async function pauseSite(db: Db, site: string, failure: { kind: FailureKind; message: string }, now: number) {
  const before = await db.selectFrom('sitePause').selectAll().where('site', '=', site).executeTakeFirst();
  if (before && before.untilAt > now && before.untilAt <= now + implausibleSeconds) return; // several were under way when it closed its door; that is one refusal
  const times = before && now - before.untilAt < forgottenSeconds ? before.times + 1 : 1;
  const seconds = pauseAfter(failure.kind, times);
  if (seconds === null) return;
  const row = { untilAt: now + seconds, failure: failure.kind, message: failure.message, times };
  await db
    .insertInto('sitePause')
    .values({ site, ...row })
    .onConflict((c) => c.column('site').doUpdateSet(row))
    .execute();
  await countAnswer(db, site, 'blocked', now);
}

/** Lets a site be asked again now; how often it turned us away is remembered, unless it has answered well. */
export const liftPause = (db: Db, site: string, now: number) =>
  db.updateTable('sitePause').set({ untilAt: now }).where('site', '=', site).where('untilAt', '>', now).execute();

/** The site answered well: the next refusal is the first again. */
export const forgetPause = (db: Db, site: string) => db.deleteFrom('sitePause').where('site', '=', site).execute();

/** Which sites are left alone now, and until when. */
export const pausedSites = (db: Db, now: number) => pausesNow(db, now).selectAll().orderBy('site').execute();

export const isPaused = async (db: Db, site: string, now: number) =>
  (await pausesNow(db, now).select('site').where('site', '=', site).executeTakeFirst()) !== undefined;
