import { message } from '#contract/messages.ts';
import { section } from '#contract/appsettings.ts';
import { settings, type Setting } from '#contract/settings.ts';
import { UserConfig } from '#contract/user.ts';
import { saveTarget } from '../../notify/target-store.ts';
import { parseUrl } from '../../notify/parse-url.ts';
import type { Db, Tx } from '../../../platform/db/db.ts';
import { invalidSettingMessage, type Merge, type MergeContext } from './merge-context.ts';
import { asTexts } from './field-parsers.ts';
import { objectOrEmpty, type JsonObject } from '../../../platform/lib/untrusted.ts';

// These settings need a secret that the backup does not contain.
const withoutSecret = new Set(['downloads.cookie_import', 'downloads.potoken']);

/** Merges settings that have no value here. Skips settings that this version does not know or allow. */
async function mergeSettings(tx: Db | Tx, doc: JsonObject, { dryRun, problem }: MergeContext) {
  for (const [name, keys] of Object.entries(settings) as [string, Record<string, Setting>][])
    for (const [key, setting] of Object.entries(keys)) {
      const value = objectOrEmpty(doc[name])[key];
      if (value === undefined || value === setting.initial || withoutSecret.has(`${name}.${key}`)) continue;
      // null means "not set"; early versions wrote false. For a setting with a default, null is an explicit choice.
      const isNothing = value === null || value === '' || value === false;
      if (isNothing && (setting.initial === null || setting.initial === false)) continue;
      const isFalseText = value === false && (setting.kind === 'text' || setting.kind === 'choice');
      const read = section({ [key]: setting }).safeParse({ [key]: isFalseText ? null : value });
      if (!read.success) {
        problem(`${name}.${key}`, invalidSettingMessage(value));
        continue;
      }
      if (!dryRun)
        await tx
          .insertInto('setting')
          .values({ name: `${name}.${key}`, value: JSON.stringify((read.data as JsonObject)[key]) })
          .onConflict((c) => c.doNothing())
          .execute();
    }
}

/** Merges the preferences of TubeArchivist's first user into those of the requesting account, which take precedence. */
async function mergeUser(tx: Db | Tx, doc: JsonObject, { importer, dryRun, problem }: MergeContext) {
  const settings: JsonObject = {};
  for (const [key, value] of Object.entries(objectOrEmpty(doc['config']))) {
    const read = UserConfig.partial().safeParse({ [key]: value });
    if (read.success) Object.assign(settings, read.data);
    else problem(`user_1.${key}`, invalidSettingMessage(value));
  }
  if (importer === null || dryRun) return;
  const account = await tx.selectFrom('account').select('config').where('id', '=', importer).executeTakeFirst();
  if (!account) return;
  const config = JSON.stringify({ ...settings, ...(JSON.parse(account.config) as JsonObject) });
  await tx.updateTable('account').set({ config }).where('id', '=', importer).execute();
}

async function mergeTargets(tx: Db | Tx, doc: JsonObject, { part, dryRun, problem }: MergeContext) {
  for (const [task, urls] of Object.entries(doc))
    for (const url of asTexts(urls)) {
      try {
        parseUrl(url);
      } catch {
        problem(task, message('restore.invalid-notify-url')); // the URL is a secret
        continue;
      }
      if (!dryRun) await saveTarget({ db: tx as Db, keys: part.keys }, task.slice(0, 100), url);
    }
}

/** Merges settings, the first user's preferences, and notification URLs. */
export const mergeConfig: Merge = async (tx, batch, merging) => {
  for (const { id, doc } of batch) {
    if (id === 'appsettings') await mergeSettings(tx, doc, merging);
    else if (id === 'user_1') await mergeUser(tx, doc, merging);
    else if (id === 'notify') await mergeTargets(tx, doc, merging);
    else if (/^user_\d+$/.test(id)) merging.problem(id, message('restore.unknown-owner'));
    else merging.problem(id, message('restore.unknown-settings'));
  }
  return { found: batch.length, here: 0 };
};
