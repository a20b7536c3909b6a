import type { ExpressionBuilder } from 'kysely';
import type { Archive } from '../archive.ts';
import { inTransaction, type Db, type Tx } from '../db/db.ts';
import type { Tables } from '../db/tables.ts';
import { notFound, refused } from '../http/problem.ts';
import { endSessions } from '../http/session.ts';
import { generatePassword, hashPassword } from './password.ts';
import { addAccount, savePassword, setStaff } from './store.ts';
import { refuseWeak } from './weak-password.ts';

/** Adds a person. Answers their id, and the password when it had to be generated: the only time that it can be read. */
export async function addPerson({ db, now }: Pick<Archive, 'db' | 'now'>, { name, password, isStaff }: NewPerson) {
  if (password) await refuseWeak(password, name);
  const generated = password ?? generatePassword();
  const account = { name, passwordHash: await hashPassword(generated), isStaff, mustChoose: password === null };
  const added = await addAccount(db, account, now());
  if (!added) throw refused(`There is somebody called ${name} already.`);
  return { id: added.id, password: password ? null : generated };
}
interface NewPerson {
  name: string;
  password: string | null;
  isStaff: boolean;
}

/** Gives somebody another password, and makes worthless at once whatever let them in before. */
export async function replacePassword({ db, events }: Pick<Archive, 'db' | 'events'>, id: number, given: string | null) {
  if (given) await refuseWeak(given, await mustBe(db, id));
  const password = given ?? generatePassword();
  const hash = await hashPassword(password);
  await inTransaction(db, async (tx) => {
    await mustBe(tx, id);
    await savePassword(tx, id, hash, { mustChoose: given === null });
    await shutOut(tx, id);
  });
  events.dismiss(id);
  return given ? null : password;
}

/** Ends somebody's sessions, and takes their tokens and signed links away. */
export async function shutOut(tx: Tx, id: number): Promise<void> {
  await endSessions(tx, id);
  await tx.deleteFrom('token').where('accountId', '=', id).execute();
  await tx.deleteFrom('namedToken').where('accountId', '=', id).execute();
  await tx
    .updateTable('account')
    .set((q) => ({ linkSeries: q('linkSeries', '+', 1) }))
    .where('id', '=', id)
    .execute();
}

/** Makes somebody staff or not, switches their account off or on. `byId` is who does it; null: whoever has the machine. */
export async function changePerson(
  { db, events }: Pick<Archive, 'db' | 'events'>,
  byId: number | null,
  id: number,
  change: Change,
) {
  await inTransaction(db, async (tx) => {
    await mustBe(tx, id);
    if (id === byId) throw refused('Your own rights are changed by somebody else who is staff.');
    if (change.isStaff === false || change.isDisabled) await refuseLast(tx, id);
    if (change.isStaff !== undefined) await setStaff(tx, id, change.isStaff);
    if (change.isDisabled !== undefined)
      await tx
        .updateTable('account')
        .set({ isDisabled: change.isDisabled ? 1 : 0 })
        .where('id', '=', id)
        .execute();
    if (change.isDisabled) await shutOut(tx, id);
  });
  if (change.isDisabled) events.dismiss(id);
  else events.announceTo(id, 'user');
}
interface Change {
  isStaff: boolean | undefined;
  isDisabled: boolean | undefined;
}

/** Deletes somebody with all that was theirs; answers how much that was. */
export async function deletePerson({ db, events }: Archive, byId: number, id: number) {
  const gone = await inTransaction(db, async (tx) => {
    const name = await mustBe(tx, id);
    if (id === byId) throw refused('Your own account is deleted by somebody else who is staff.');
    await refuseLast(tx, id);
    const count = async (table: 'session' | 'namedToken' | 'watch') => {
      const { n } = await tx
        .selectFrom(table)
        .select((q) => q.fn.countAll<number>().as('n'))
        .where('accountId', '=', id)
        .executeTakeFirstOrThrow();
      return Number(n);
    };
    const [watched, sessions, tokens] = [await count('watch'), await count('session'), await count('namedToken')];
    await tx.deleteFrom('watch').where('accountId', '=', id).execute();
    await tx.deleteFrom('account').where('id', '=', id).execute(); // the rest goes with it
    return { name, watched, sessions, tokens };
  });
  events.dismiss(id);
  return gone;
}

async function mustBe(db: Db | Tx, id: number): Promise<string> {
  const row = await db.selectFrom('account').select('name').where('id', '=', id).executeTakeFirst();
  if (!row) throw notFound('person');
  return row.name;
}

/** Somebody must be able to put things right: the last staff account that can log in stays. */
async function refuseLast(tx: Tx, id: number): Promise<void> {
  const able = (w: ExpressionBuilder<Tables, 'account'>) =>
    w.and([w('isDisabled', '=', 0), w.or([w('isStaff', '=', 1), w('isSuperuser', '=', 1)])]);
  const staff = await tx.selectFrom('account').select('id').where(able).execute();
  if (staff.length === 1 && staff[0]!.id === id)
    throw refused('This is the last staff account that can log in; somebody must be able to look after the archive.');
}
