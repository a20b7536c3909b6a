import type { Archive } from '../archive.ts';
import { askDirectory } from './directory.ts';
import { accountOfEntry } from './elsewhere.ts';
import { isPassword } from './password.ts';
import { findByName } from './store.ts';
import { makeThrottle } from './throttle.ts';

/** Counts every try at a password, wherever one is asked for. */
export const throttle = makeThrottle();

/** Somebody who said their name and password. */
interface Known {
  id: number;
  /** The password was made for them, and lets them choose one of their own. */
  isMade: boolean;
}

/**
 * Whose name and password these are: those of the directory first, where there is one, then our own. Null: nobody's. A directory that
 * is away keeps nobody out who has a password here, where those count too; for everybody else it throws a Problem that says so.
 */
export async function whoHas(archive: Archive, name: string, password: string): Promise<Known | null> {
  const { config, db } = archive;
  const [said] = await Promise.allSettled(config.ldap ? [askDirectory(config.ldap, name, password)] : []);
  if (said?.status === 'fulfilled' && said.value) return { id: await accountOfEntry(archive, said.value), isMade: false };
  const account = config.hasPasswords ? await findByName(db, name) : undefined;
  if (config.hasPasswords && (await isPassword(password, account?.passwordHash)) && account)
    return { id: account.id, isMade: account.mustChoosePassword === 1 };
  if (said?.status === 'rejected') throw said.reason;
  return null;
}
