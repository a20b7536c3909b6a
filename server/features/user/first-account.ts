import type { AppContext } from '../../platform/context/app-context.ts';
import { inTransaction } from '../../platform/db/db.ts';
import { generatePassword, hashPassword } from './login/password.ts';
import { addAccount, hasAccounts } from './account/store.ts';

/**
 * Creates the first staff account of an empty database from the configuration. Returns its name and, if generated, its password,
 * which cannot be read again. Returns null if accounts exist.
 */
export async function createFirstAccount({ db, config, now }: Pick<AppContext, 'db' | 'config' | 'now'>) {
  if (await hasAccounts(db)) return null;
  const password = config.password ?? generatePassword();
  const passwordHash = await hashPassword(password);
  const mustChoose = config.password === undefined;
  const isFirst = await inTransaction(db, async (tx) => {
    if (await hasAccounts(tx)) return false; // another server was faster
    await addAccount(tx, { name: config.username, passwordHash, isStaff: true, mustChoose }, now());
    return true;
  });
  if (!isFirst) return null;
  return { name: config.username, password: config.password === undefined ? password : null };
}
