import type { AppContext } from '../../platform/context/app-context.ts';
import { seal, unseal } from '../../platform/security/encryption.ts';

type Name = 'cookie' | 'potoken' | 'membership' | 'pot-provider' | 'pot-proxy';
type Part = Pick<AppContext, 'db' | 'keys' | 'now'>;

/** Returns the decrypted secret with its state, or null. */
export async function readSecret<State>({ db, keys }: Part, name: Name): Promise<{ text: string; state: State } | null> {
  const row = await db.selectFrom('secret').selectAll().where('name', '=', name).executeTakeFirst();
  return row ? { text: unseal(keys, `secret.${name}`, row.sealed), state: JSON.parse(row.state) as State } : null;
}

export async function writeSecret({ db, keys, now }: Part, name: Name, text: string, state: object): Promise<void> {
  const row = { sealed: seal(keys, `secret.${name}`, text), state: JSON.stringify(state), updatedAt: now() };
  await db
    .insertInto('secret')
    .values({ name, ...row })
    .onConflict((c) => c.column('name').doUpdateSet(row))
    .execute();
}

/** Replaces the text of a secret without its state. Does nothing if the secret was deleted meanwhile. */
export const renewSecret = ({ db, keys, now }: Part, name: Name, text: string) =>
  db
    .updateTable('secret')
    .set({ sealed: seal(keys, `secret.${name}`, text), updatedAt: now() })
    .where('name', '=', name)
    .execute();

export const setSecretState = ({ db }: Part, name: Name, state: object) =>
  db
    .updateTable('secret')
    .set({ state: JSON.stringify(state) })
    .where('name', '=', name)
    .execute();

export const deleteSecret = ({ db }: Part, name: Name) => db.deleteFrom('secret').where('name', '=', name).execute();
