import { sql } from 'kysely';
import type { FailureKind } from '#contract/download.ts';
import type { Db } from '../../platform/db/db.ts';

const daySeconds = 86_400;

/** Days since 1970-01-01 UTC. */
export const dayOf = (at: number) => Math.floor(at / daySeconds);

// Failures that indicate a problem of the site. Failures of a single video or of this machine do not.
const siteFailures: ReadonlySet<FailureKind> = new Set([
  'network',
  'incomplete',
  'ytdlp',
  'challenge',
  'token',
  'sabr',
  'impersonation',
  'format',
  'cookie',
  'unknown',
]);

/** Increments a counter of a site for the current day. */
export const countResponse = (db: Db, site: string, outcome: 'archived' | 'blocked' | 'failed', now: number) =>
  db
    .insertInto('siteStats')
    .values({ site, day: dayOf(now), archived: 0, blocked: 0, failed: 0, [outcome]: 1 })
    .onConflict((c) => c.columns(['site', 'day']).doUpdateSet({ [outcome]: sql`${sql.ref(`siteStats.${outcome}`)} + 1` }))
    .execute();

/** Counts a failure if it indicates a problem of the site. Refusals are counted by the cooldown. */
export async function countFailure(db: Db, site: string, kind: FailureKind, now: number) {
  if (siteFailures.has(kind)) await countResponse(db, site, 'failed', now);
}
