import type { Archive } from '../archive.ts';
import { askDirectory } from './directory.ts';
import { accountOfEntry } from './elsewhere.ts';
import { isPassword } from './password.ts';
import { findByName } from './store.ts';
import { makeThrottle } from './throttle.ts';

/** Counts every try at a password, wherever one is asked for. */
export const throttle = makeThrottle();

/**
 * Whose name and password these are: those of the directory first, where there is one, then our own. Null: nobody's. A directory that
 * is away keeps nobody out who has a password here, where those count too; for everybody else it throws a Problem that says so.
 */
export async function whoHas(archive: Archive, name: string, password: string): Promise<number | null> {
  const { config, db } = archive;
  const [said] = await Promise.allSettled(config.ldap ? [askDirectory(config.ldap, name, password)] : []);
  if (said?.status === 'fulfilled' && said.value) return accountOfEntry(archive, said.value);
  const account = config.hasPasswords ? await findByName(db, name) : undefined;
  if (config.hasPasswords && (await isPassword(password, account?.passwordHash)) && account) return account.id;
  if (said?.status === 'rejected') throw said.reason;
  return null;
}
