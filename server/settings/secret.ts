import type { Archive } from '../archive.ts';
import { seal, unseal } from '../seal.ts';

type Name = 'cookie' | 'potoken' | 'membership';
type Part = Pick<Archive, 'db' | 'keys' | 'now'>;

/** What is kept sealed under this name, with what is known of it; null when there is nothing. */
export async function readSecret<State>({ db, keys }: Part, name: Name): Promise<{ text: string; state: State } | null> {
  const row = await db.selectFrom('secret').selectAll().where('name', '=', name).executeTakeFirst();
  return row ? { text: unseal(keys, row.sealed), state: JSON.parse(row.state) as State } : null;
}

export async function writeSecret({ db, keys, now }: Part, name: Name, text: string, state: object): Promise<void> {
  const row = { sealed: seal(keys, text), state: JSON.stringify(state), updatedAt: now() };
  await db
    .insertInto('secret')
    .values({ name, ...row })
    .onConflict((c) => c.column('name').doUpdateSet(row))
    .execute();
}

/** Keeps a newer text and leaves what is known of it; does nothing when it was taken away meanwhile. */
export const renewSecret = ({ db, keys, now }: Part, name: Name, text: string) =>
  db
    .updateTable('secret')
    .set({ sealed: seal(keys, text), updatedAt: now() })
    .where('name', '=', name)
    .execute();

export const noteOfSecret = ({ db }: Part, name: Name, state: object) =>
  db
    .updateTable('secret')
    .set({ state: JSON.stringify(state) })
    .where('name', '=', name)
    .execute();

export const dropSecret = ({ db }: Part, name: Name) => db.deleteFrom('secret').where('name', '=', name).execute();
