import {
  mergeRules,
  ownRulesOf,
  refuseContradictions,
  refuseInvalidPatterns,
  type OwnRules,
} from '../../../archive/queue/filter-rules.ts';
import { readSettings } from '../../../archive/settings/store.ts';
import type { AppContext } from '../../../platform/context/app-context.ts';
import { notFound } from '../../../platform/http/http-error.ts';

/** Table whose rows have rules. */
export type RuleOwner = 'channel' | 'playlist';

/** Returns the rules of a channel or playlist: its own, and those in effect with the settings. @throws 404 */
export async function rulesOf(app: AppContext, table: RuleOwner, id: string) {
  const row = await app.db.selectFrom(table).select('rules').where('id', '=', id).executeTakeFirst();
  if (!row) throw notFound(table === 'channel' ? 'error.channel' : 'error.playlist');
  const own = ownRulesOf(row);
  return { own, effective: mergeRules((await readSettings(app.db)).rules, own) };
}

/** Replaces the rules of a channel or playlist. @throws 400 for invalid or contradictory rules, 404 */
export async function setRules(app: AppContext, table: RuleOwner, { id, own }: { id: string; own: OwnRules }) {
  refuseInvalidPatterns(own);
  await rulesOf(app, table, id);
  refuseContradictions(mergeRules((await readSettings(app.db)).rules, own));
  const rules = Object.keys(own).length > 0 ? JSON.stringify(own) : null;
  // Entries skipped by the old rules are evaluated again.
  const again = table === 'channel' ? { lastFullScanAt: null } : {};
  await app.db
    .updateTable(table)
    .set({ rules, ...again })
    .where('id', '=', id)
    .execute();
  app.announce(table);
  return rulesOf(app, table, id);
}
