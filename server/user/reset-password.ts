import { inTransaction, type Db } from '../db/db.ts';
import { generatePassword, hashPassword } from './password.ts';
import { shutOut } from './people.ts';
import { findByName, listNames, savePassword } from './store.ts';

/** Gives an account another password; its sessions, tokens and links end. Answers the password, or the names there are when none is `name`. */
export async function resetPassword(db: Db, name: string): Promise<{ password: string } | { names: string[] }> {
  const account = await findByName(db, name);
  if (!account) return { names: await listNames(db) };
  const password = generatePassword();
  const hash = await hashPassword(password);
  await inTransaction(db, async (tx) => {
    await savePassword(tx, account.id, hash, { mustChoose: true });
    await shutOut(tx, account.id);
  });
  return { password };
}
