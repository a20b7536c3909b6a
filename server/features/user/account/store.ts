import type { Db, Tx } from '../../../platform/db/db.ts';
import { newUserConfig } from '#contract/user.ts';
import { normalizeName } from '../../../platform/lib/normalize-text.ts';

export const findByName = (db: Db, name: string) =>
  db.selectFrom('account').selectAll().where('normalizedName', '=', normalizeName(name)).executeTakeFirst();

export const findAccount = (db: Db, id: number) =>
  db.lookups.selectFrom('account').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

export const accountExists = async (db: Db, id: number): Promise<boolean> =>
  (await db.selectFrom('account').select('id').where('id', '=', id).executeTakeFirst()) !== undefined;

interface NewAccount {
  name: string;
  passwordHash: string;
  isStaff: boolean;
  /** The password was generated and must be changed at the first login. */
  mustChoose?: boolean;
}

/** Adds an account. Returns undefined if the name is taken. */
export const addAccount = (db: Db | Tx, account: NewAccount, now: number) =>
  db
    .insertInto('account')
    .values({
      name: account.name.trim(),
      normalizedName: normalizeName(account.name),
      passwordHash: account.passwordHash,
      isStaff: account.isStaff ? 1 : 0,
      isSuperuser: account.isStaff ? 1 : 0,
      mustChoosePassword: account.mustChoose ? 1 : 0,
      config: JSON.stringify(newUserConfig),
      createdAt: now,
    })
    .onConflict((c) => c.column('normalizedName').doNothing())
    .returning('id')
    .executeTakeFirst();

export const listNames = async (db: Db) =>
  (await db.selectFrom('account').select('name').orderBy('normalizedName').execute()).map(({ name }) => name);

export const hasAccounts = async (db: Db) =>
  (await db.selectFrom('account').select('id').limit(1).executeTakeFirst()) !== undefined;

export const recordLogin = (db: Db, id: number, now: number) =>
  db.updateTable('account').set({ lastLoginAt: now }).where('id', '=', id).execute();

/** Whether there is one account only, and it never logged in. */
export async function awaitsFirstLogin(db: Db): Promise<boolean> {
  const accounts = await db.selectFrom('account').select('lastLoginAt').limit(2).execute();
  return accounts.length === 1 && accounts[0]!.lastLoginAt === null;
}

/** Saves a new password. `mustChoose` marks a generated one, which only allows setting another password. */
export const savePassword = (db: Db | Tx, id: number, passwordHash: string, { mustChoose = false } = {}) =>
  db
    .updateTable('account')
    .set({ passwordHash, mustChoosePassword: mustChoose ? 1 : 0 })
    .where('id', '=', id)
    .execute();

/** Replaces the hash of an unchanged password. Does nothing if the password was changed meanwhile. */
export const renewHash = (db: Db, id: number, was: string, passwordHash: string) =>
  db.updateTable('account').set({ passwordHash }).where('id', '=', id).where('passwordHash', '=', was).execute();

export const setStaff = (db: Db | Tx, id: number, isStaff: boolean) =>
  db
    .updateTable('account')
    .set({ isStaff: isStaff ? 1 : 0, isSuperuser: isStaff ? 1 : 0 })
    .where('id', '=', id)
    .execute();

/** Saves whether library views and media servers may use the watch states of a user. */
export const setWatchSharing = (db: Db | Tx, id: number, isAllowed: boolean) =>
  db
    .updateTable('account')
    .set({ sharesWatchState: isAllowed ? 1 : 0 })
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

export const deleteToken = (db: Db, accountId: number) => db.deleteFrom('token').where('accountId', '=', accountId).execute();
