import type { Archive } from '../archive.ts';
import { askDirectory } from './directory.ts';
import { accountOfEntry } from './elsewhere.ts';
import { isPassword } from './password.ts';
import { findByName } from './store.ts';
import { makeThrottle } from './throttle.ts';

/** Counts every try at a password, wherever one is asked for. */
export const throttle = makeThrottle();

/** Whose name and password these are: those of the directory first, where there is one, then our own. Null: nobody's. */
export async function whoHas(archive: Archive, name: string, password: string): Promise<number | null> {
  const { config, db } = archive;
  const entry = config.ldap && (await askDirectory(config.ldap, name, password));
  if (entry) return accountOfEntry(archive, entry);
  if (!config.hasPasswords) return null;
  const account = await findByName(db, name);
  return (await isPassword(password, account?.passwordHash)) && account ? account.id : null;
}
