import type { FastifyRequest } from 'fastify';
import type { ExpressionBuilder } from 'kysely';
import type { AppContext } from '../../platform/context/app-context.ts';
import { inTransaction, type Db, type Tx } from '../../platform/db/db.ts';
import type { Tables } from '../../platform/db/schema/tables.ts';
import { notFound, badRequest } from '../../platform/http/http-error.ts';
import { deleteSessions } from '../../platform/http/auth/session.ts';
import { generatePassword, hashPassword } from './login/password.ts';
import { addAccount, savePassword, setStaff } from './account/store.ts';
import { refuseWeakPassword } from './login/weak-password.ts';

/** Adds a user. Returns the id and, if generated, the password, which cannot be read again. */
export async function addUser({ db, now }: Pick<AppContext, 'db' | 'now'>, { name, password, isStaff }: NewPerson) {
  if (password) await refuseWeakPassword(password, name);
  const generated = password ?? generatePassword();
  const account = { name, passwordHash: await hashPassword(generated), isStaff, mustChoose: password === null };
  const added = await addAccount(db, account, now());
  if (!added) throw badRequest('error.name-taken', { name });
  return { id: added.id, password: password ? null : generated };
}
interface NewPerson {
  name: string;
  password: string | null;
  isStaff: boolean;
}

/** Sets a new password and revokes all sessions, tokens and links of the user. */
export async function replacePassword({ db, events }: Pick<AppContext, 'db' | 'events'>, id: number, given: string | null) {
  if (given) await refuseWeakPassword(given, await mustBe(db, id));
  const password = given ?? generatePassword();
  const hash = await hashPassword(password);
  await inTransaction(db, async (tx) => {
    await mustBe(tx, id);
    await savePassword(tx, id, hash, { mustChoose: given === null });
    await endAccess(tx, id);
  });
  events.dismiss(id);
  return given ? null : password;
}

/** Deletes the sessions, tokens, podcast feeds, share links and signed links of a user, except the session of a request. */
export async function endAccess(tx: Tx, id: number, except?: FastifyRequest): Promise<void> {
  await deleteSessions(tx, id, except);
  for (const table of ['token', 'namedToken', 'podcast', 'share'] as const)
    await tx.deleteFrom(table).where('accountId', '=', id).execute();
  await tx
    .updateTable('account')
    .set((q) => ({ signatureVersion: q('signatureVersion', '+', 1) }))
    .where('id', '=', id)
    .execute();
}

/** Changes the staff role, or disables or enables an account. `byId` is the acting user; null: the command line. */
export async function updateUser(
  { db, events }: Pick<AppContext, 'db' | 'events'>,
  byId: number | null,
  id: number,
  change: Change,
) {
  await inTransaction(db, async (tx) => {
    await mustBe(tx, id);
    if (id === byId) throw badRequest('error.own-rights');
    if (change.isStaff === false || change.isDisabled) await refuseLast(tx, id);
    if (change.isStaff !== undefined) await setStaff(tx, id, change.isStaff);
    if (change.isDisabled !== undefined)
      await tx
        .updateTable('account')
        .set({ isDisabled: change.isDisabled ? 1 : 0 })
        .where('id', '=', id)
        .execute();
    if (change.mayShare !== undefined)
      await tx
        .updateTable('account')
        .set({ mayShare: change.mayShare ? 1 : 0 })
        .where('id', '=', id)
        .execute();
    if (change.mayTranscribe !== undefined)
      await tx
        .updateTable('account')
        .set({ mayTranscribe: change.mayTranscribe ? 1 : 0 })
        .where('id', '=', id)
        .execute();
    if (change.isDisabled) await endAccess(tx, id);
  });
  if (change.isDisabled || change.isStaff !== undefined) events.dismiss(id);
  else events.announceTo(id, 'user');
}
interface Change {
  isStaff: boolean | undefined;
  isDisabled: boolean | undefined;
  mayShare?: boolean | undefined;
  mayTranscribe?: boolean | undefined;
}

/** Deletes a user with all their data. Returns the amount of deleted data. */
export async function deleteUser({ db, events }: AppContext, byId: number, id: number) {
  const gone = await inTransaction(db, async (tx) => {
    const name = await mustBe(tx, id);
    if (id === byId) throw badRequest('error.own-account');
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
    // Playlists stay: private ones are then visible to staff only.
    await tx.updateTable('playlist').set({ ownerId: null }).where('ownerId', '=', id).execute();
    await tx.deleteFrom('account').where('id', '=', id).execute(); // related rows are deleted by cascade
    return { name, watched, sessions, tokens };
  });
  events.dismiss(id);
  return gone;
}

async function mustBe(db: Db | Tx, id: number): Promise<string> {
  const row = await db.selectFrom('account').select('name').where('id', '=', id).executeTakeFirst();
  if (!row) throw notFound('error.user');
  return row.name;
}

/** Keeps at least one active staff account. */
async function refuseLast(tx: Tx, id: number): Promise<void> {
  const able = (w: ExpressionBuilder<Tables, 'account'>) =>
    w.and([w('isDisabled', '=', 0), w.or([w('isStaff', '=', 1), w('isSuperuser', '=', 1)])]);
  const staff = await tx.selectFrom('account').select('id').where(able).execute();
  if (staff.length === 1 && staff[0]!.id === id) throw badRequest('error.last-staff');
}
