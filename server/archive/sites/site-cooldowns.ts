import type { FailureKind } from '#contract/download.ts';
import type { Message } from '#contract/messages.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { storeMessages } from '../../platform/messages/stored.ts';
import type { Db } from '../../platform/db/db.ts';
import type { ParsedInput } from './parse-input.ts';
import { cooldownAfter } from './retry-policy.ts';
import { countResponse } from './site-stats.ts';

// After a day without a refusal, the next cooldown is the shortest again.
const forgottenSeconds = 86_400;

// A cooldown lasts at most a day. Cooldowns that end later were written while the clock was wrong, and are ignored.
const implausibleSeconds = 2 * 86_400;

// Workers that were seen since then count.
const aliveSeconds = 60;

type Part = Pick<AppContext, 'db' | 'nodes' | 'now'>;

/** Query for the active cooldowns. A site refuses a network address, so each address has its own. */
const activeCooldowns = (db: Db, now: number) =>
  db
    .selectFrom('siteCooldown')
    .where('untilAt', '>', now)
    .where('untilAt', '<=', now + implausibleSeconds);

/** Query for the sites with a cooldown of any address. */
export const sitesInAnyCooldown = (db: Db, now: number) => activeCooldowns(db, now).select('site').distinct();

/**
 * Query for the sites that must not be requested from an address: those that refuse it, and those that refuse most addresses of
 * the workers, because a block is not evaded by using another one.
 */
export const sitesInCooldown = (db: Db, { egress, now }: { egress: string; now: number }) =>
  activeCooldowns(db, now)
    .select('site')
    .groupBy('site')
    .having((h) =>
      h.or([
        h(h.fn.max(h.case().when('egress', '=', egress).then(1).else(0).end()), '=', 1),
        h(
          h(h.fn.countAll<number>(), '*', 2),
          '>',
          h
            .selectFrom('node')
            .select((e) => e.fn.count<number>('egress').distinct().as('addresses'))
            .where('role', '!=', 'web')
            .where('seenAt', '>=', now - aliveSeconds),
        ),
      ]),
    );

/**
 * Starts a cooldown of a site for the network address of this server, longer after each consecutive refusal. Does nothing for
 * failures that are no refusal. `db` is a transaction if other writes belong to it.
 */
export async function startCooldown(app: Part, site: string, failure: { kind: FailureKind; message: Message }, db: Db = app.db) {
  const now = app.now();
  const { egress } = app.nodes;
  const before = await db
    .selectFrom('siteCooldown')
    .selectAll()
    .where('site', '=', site)
    .where('egress', '=', egress)
    .executeTakeFirst();
  if (before && before.untilAt > now && before.untilAt <= now + implausibleSeconds) return; // failures of concurrent downloads count as one refusal
  const refusals = before && now - before.untilAt < forgottenSeconds ? before.refusals + 1 : 1;
  const seconds = cooldownAfter(failure.kind, refusals);
  if (seconds === null) return;
  const row = { untilAt: now + seconds, failure: failure.kind, message: storeMessages(failure.message), refusals };
  await db
    .insertInto('siteCooldown')
    .values({ site, egress, ...row })
    .onConflict((c) => c.columns(['site', 'egress']).doUpdateSet(row))
    .execute();
  await countResponse(db, site, 'blocked', now);
}

/** Ends the cooldowns of a site. The number of refusals is kept until a download succeeds. */
export const endCooldown = (db: Db, site: string, now: number) =>
  db.updateTable('siteCooldown').set({ untilAt: now }).where('site', '=', site).where('untilAt', '>', now).execute();

/** Ends the cooldowns with this failure, whose cause was removed. */
export const endCooldownsBecauseOf = (db: Db, failure: FailureKind, now: number) =>
  db.updateTable('siteCooldown').set({ untilAt: now }).where('failure', '=', failure).where('untilAt', '>', now).execute();

/** Resets the number of refusals after a success. */
export const forgetCooldowns = ({ db, nodes }: Part, site: string) =>
  db.deleteFrom('siteCooldown').where('site', '=', site).where('egress', '=', nodes.egress).execute();

/** Returns the active cooldowns with their end. */
export const listCooldowns = (db: Db, now: number) =>
  activeCooldowns(db, now).selectAll().orderBy('site').orderBy('egress').execute();

/** Returns whether this server must not send requests to a site. */
export const isCoolingDown = async (app: Part, site: string) => (await coolingDownOf(app)).includes(site);

/** Returns the sites to which this server must not send requests. */
export const coolingDownOf = async ({ db, nodes, now }: Part) =>
  (await sitesInCooldown(db, { egress: nodes.egress, now: now() }).execute()).map(({ site }) => site);

/** Returns the cooldown of the site of an address. Addresses of unknown sites are compared by the labels of their host name. */
export async function cooldownOf(app: Part, { what, url, site }: ParsedInput): Promise<{ site: string; untilAt: number } | null> {
  const labels = site ? [site] : what === 'page' ? new URL(url).hostname.split('.') : ['youtube'];
  const found = (await coolingDownOf(app)).find((one) => labels.includes(one));
  if (!found) return null;
  const ends = (await listCooldowns(app.db, app.now())).filter((one) => one.site === found).map(({ untilAt }) => untilAt);
  return { site: found, untilAt: Math.max(...ends) };
}
