import { inTransaction, type Db } from '../../platform/db/db.ts';
import { generatePassword, hashPassword } from './login/password.ts';
import { endAccess } from './user-admin.ts';
import { findByName, listNames, savePassword } from './account/store.ts';

/**
 * Sets a new password for an account and ends its sessions, tokens and links. Returns the password, or all names if `name` is
 * unknown.
 */
export async function resetPassword(db: Db, name: string): Promise<{ password: string } | { names: string[] }> {
  const account = await findByName(db, name);
  if (!account) return { names: await listNames(db) };
  const password = generatePassword();
  const hash = await hashPassword(password);
  await inTransaction(db, async (tx) => {
    await savePassword(tx, account.id, hash, { mustChoose: true });
    await endAccess(tx, account.id);
  });
  return { password };
}
