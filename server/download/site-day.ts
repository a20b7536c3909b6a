import { sql } from 'kysely';
import type { FailureKind } from '#contract/download.ts';
import type { Db } from '../db/db.ts';

const daySeconds = 86_400;

/** The day of a time, in days since 1970, UTC. */
export const dayOf = (at: number) => Math.floor(at / daySeconds);

// What a site says of one video, and what only this machine lacks, tells nothing of how the site is.
const saysOfTheSite: ReadonlySet<FailureKind> = new Set(['network', 'incomplete', 'ytdlp', 'format', 'cookie', 'unknown']);

/** Counts how a site answered: once more on that day. */
export const countAnswer = (db: Db, site: string, how: 'archived' | 'blocked' | 'failed', now: number) =>
  db
    .insertInto('siteDay')
    .values({ site, day: dayOf(now), archived: 0, blocked: 0, failed: 0, [how]: 1 })
    .onConflict((c) => c.columns(['site', 'day']).doUpdateSet({ [how]: sql`${sql.ref(`siteDay.${how}`)} + 1` }))
    .execute();

/** Counts a failure, where it says that something is wrong with the site; being turned away is counted by its pause. */
export async function countFailure(db: Db, site: string, kind: FailureKind, now: number) {
  if (saysOfTheSite.has(kind)) await countAnswer(db, site, 'failed', now);
}
