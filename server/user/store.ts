import type { Db, Tx } from '../db/db.ts';
import { foldName } from '../fold-text.ts';

export const findByName = (db: Db, name: string) =>
  db.selectFrom('account').selectAll().where('foldedName', '=', foldName(name)).executeTakeFirst();

export const findAccount = (db: Db, id: number) =>
  db.selectFrom('account').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

interface NewAccount {
  name: string;
  passwordHash: string;
  isStaff: boolean;
  /** The password was made for them. */
  mustChoose?: boolean;
}

/** Adds an account; answers nothing when the name is taken. */
export const addAccount = (db: Db | Tx, account: NewAccount, now: number) =>
  db
    .insertInto('account')
    .values({
      name: account.name.trim(),
      foldedName: foldName(account.name),
      passwordHash: account.passwordHash,
      isStaff: account.isStaff ? 1 : 0,
      isSuperuser: account.isStaff ? 1 : 0,
      mustChoosePassword: account.mustChoose ? 1 : 0,
      createdAt: now,
    })
    .onConflict((c) => c.column('foldedName').doNothing())
    .returning('id')
    .executeTakeFirst();

export const listNames = async (db: Db) =>
  (await db.selectFrom('account').select('name').orderBy('foldedName').execute()).map(({ name }) => name);

export const hasAccounts = async (db: Db) =>
  (await db.selectFrom('account').select('id').limit(1).executeTakeFirst()) !== undefined;

export const noteLogin = (db: Db, id: number, now: number) =>
  db.updateTable('account').set({ lastLoginAt: now }).where('id', '=', id).execute();

/** Saves another password; one that was made for them (`mustChoose`) only lets them choose one of their own. */
export const savePassword = (db: Db | Tx, id: number, passwordHash: string, { mustChoose = false } = {}) =>
  db
    .updateTable('account')
    .set({ passwordHash, mustChoosePassword: mustChoose ? 1 : 0 })
    .where('id', '=', id)
    .execute();

/** The same password, hashed in another way; where another was saved meanwhile, that one stays. */
export const renewHash = (db: Db, id: number, was: string, passwordHash: string) =>
  db.updateTable('account').set({ passwordHash }).where('id', '=', id).where('passwordHash', '=', was).execute();

export const setStaff = (db: Db | Tx, id: number, isStaff: boolean) =>
  db
    .updateTable('account')
    .set({ isStaff: isStaff ? 1 : 0, isSuperuser: isStaff ? 1 : 0 })
    .where('id', '=', id)
    .execute();

export const saveConfig = (db: Db, id: number, config: string) =>
  db.updateTable('account').set({ config }).where('id', '=', id).execute();

export const findToken = (db: Db, accountId: number) =>
  db.selectFrom('token').select(['sealed', 'tokenHash']).where('accountId', '=', accountId).executeTakeFirst();

export const addToken = (db: Db, row: { accountId: number; tokenHash: string; sealed: string; createdAt: number }) =>
  db
    .insertInto('token')
    .values(row)
    .onConflict((c) => c.column('accountId').doNothing())
    .execute();

export const dropToken = (db: Db, accountId: number) => db.deleteFrom('token').where('accountId', '=', accountId).execute();
