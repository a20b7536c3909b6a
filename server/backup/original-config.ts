import { section } from '#contract/appsettings.ts';
import { settings, type Setting } from '#contract/settings.ts';
import { UserConfig } from '#contract/user.ts';
import { keepTarget } from '../notify/targets.ts';
import { parseUrl } from '../notify/parse-url.ts';
import type { Db, Tx } from '../db/db.ts';
import { notPossible, type Merge, type Merging } from './original-merge.ts';
import { asDoc, asTexts, type Doc } from './original-values.ts';

// What they switch on is not in the backup.
const withoutSecret = new Set(['downloads.cookie_import', 'downloads.potoken']);

/** Settings that nobody has chosen here. What this version does not know, or does not allow, is passed over. */
async function mergeSettings(tx: Db | Tx, doc: Doc, { dryRun, problem }: Merging) {
  for (const [name, keys] of Object.entries(settings) as [string, Record<string, Setting>][])
    for (const [key, setting] of Object.entries(keys)) {
      const said = asDoc(doc[name])[key];
      if (said === undefined || said === setting.initial || withoutSecret.has(`${name}.${key}`)) continue;
      // Nothing at all is null; it was false in early versions. Where something holds here until it is chosen, null is a choice.
      const isNothing = said === null || said === '' || said === false;
      if (isNothing && (setting.initial === null || setting.initial === false)) continue;
      const read = section({ [key]: setting }).safeParse({ [key]: said });
      if (!read.success) {
        problem(`${name}.${key}`, notPossible(said));
        continue;
      }
      if (!dryRun)
        await tx
          .insertInto('setting')
          .values({ name: `${name}.${key}`, value: JSON.stringify((read.data as Doc)[key]) })
          .onConflict((c) => c.doNothing())
          .execute();
    }
}

/** What the original's first user chose for themselves becomes that of who asks, where they have not chosen otherwise. */
async function mergeUser(tx: Db | Tx, doc: Doc, { asker, dryRun, problem }: Merging) {
  const said: Doc = {};
  for (const [key, value] of Object.entries(asDoc(doc['config']))) {
    const read = UserConfig.partial().safeParse({ [key]: value });
    if (read.success) Object.assign(said, read.data);
    else problem(`user_1.${key}`, notPossible(value));
  }
  if (asker === null || dryRun) return;
  const account = await tx.selectFrom('account').select('config').where('id', '=', asker).executeTakeFirst();
  if (!account) return;
  const config = JSON.stringify({ ...said, ...(JSON.parse(account.config) as Doc) });
  await tx.updateTable('account').set({ config }).where('id', '=', asker).execute();
}

async function mergeTargets(tx: Db | Tx, doc: Doc, { part, dryRun, problem }: Merging) {
  for (const [task, urls] of Object.entries(doc))
    for (const url of asTexts(urls)) {
      try {
        parseUrl(url);
      } catch {
        problem(task, 'One of its notification addresses is not understood.'); // which one is a secret
        continue;
      }
      if (!dryRun) await keepTarget({ db: tx as Db, keys: part.keys }, task.slice(0, 100), url);
    }
}

/** Settings, those of the first user, and where the end of tasks is told. */
export const mergeConfig: Merge = async (tx, batch, merging) => {
  for (const { id, doc } of batch) {
    if (id === 'appsettings') await mergeSettings(tx, doc, merging);
    else if (id === 'user_1') await mergeUser(tx, doc, merging);
    else if (id === 'notify') await mergeTargets(tx, doc, merging);
    else if (/^user_\d+$/.test(id))
      merging.problem(id, 'Accounts are not in such a backup, so nobody is known whose settings these are.');
    else merging.problem(id, 'Nothing here knows such settings.');
  }
  return { found: batch.length, here: 0 };
};
