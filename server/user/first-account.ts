import type { Archive } from '../archive.ts';
import { generatePassword, hashPassword } from './password.ts';
import { addAccount, hasAccounts } from './store.ts';

/**
 * Makes the first staff account of an empty archive, from the configuration. Answers its name, and its password when it
 * had to be generated: the only time that it can be read. Null when there are accounts already.
 */
export async function makeFirstAccount({ db, config, now }: Pick<Archive, 'db' | 'config' | 'now'>) {
  if (await hasAccounts(db)) return null;
  const password = config.password ?? generatePassword();
  const passwordHash = await hashPassword(password);
  const mustChoose = config.password === undefined;
  await addAccount(db, { name: config.username, passwordHash, isStaff: true, mustChoose }, now());
  return { name: config.username, password: config.password === undefined ? password : null };
}
