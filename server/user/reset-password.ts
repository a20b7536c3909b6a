import { inTransaction, type Db } from '../db/db.ts';
import { endSessions } from '../http/session.ts';
import { generatePassword, hashPassword } from './password.ts';
import { findByName, listNames, savePassword } from './store.ts';

/** Gives an account another password and ends its sessions. Answers the password, or the names there are when none is `name`. */
export async function resetPassword(db: Db, name: string): Promise<{ password: string } | { names: string[] }> {
  const account = await findByName(db, name);
  if (!account) return { names: await listNames(db) };
  const password = generatePassword();
  const hash = await hashPassword(password);
  await inTransaction(db, async (tx) => {
    await savePassword(tx, account.id, hash);
    await endSessions(tx, account.id);
  });
  return { password };
}
