import type { Insertable, Updateable } from 'kysely';
import type { AppContext } from '../../platform/context/app-context.ts';
import type { Db } from '../../platform/db/db.ts';
import type { SmartListTable } from '../../platform/db/schema/tables.ts';
import { badRequest } from '../../platform/http/http-error.ts';
import { normalizeText } from '../../platform/lib/normalize-text.ts';

const maxLists = 200;

/** Condition for the lists that a user can see: their own and shared ones. */
const seenBy = (db: Db, accountId: number) =>
  db
    .selectFrom('smartList')
    .innerJoin('account', 'account.id', 'smartList.accountId')
    .where((w) => w.or([w('smartList.accountId', '=', accountId), w('smartList.isShared', '=', 1)]));

const rows = (db: Db, accountId: number) =>
  seenBy(db, accountId)
    .leftJoin('smartListVisit', (on) =>
      on.onRef('smartListVisit.listNumber', '=', 'smartList.number').on('smartListVisit.accountId', '=', accountId),
    )
    .select([
      'smartList.number',
      'smartList.accountId',
      'smartList.name',
      'smartList.filter',
      'smartList.isShared',
      'smartList.createdAt',
      'smartListVisit.visitedAt',
      'account.name as owner',
    ]);
export type ListRow = Awaited<ReturnType<typeof findLists>>[number];

export const findLists = (db: Db, accountId: number, { size, from }: { size: number; from: number }) =>
  rows(db, accountId).orderBy('smartList.sortName').orderBy('smartList.number').limit(size).offset(from).execute();

export const findList = (db: Db, accountId: number, number: number) =>
  rows(db, accountId).where('smartList.number', '=', number).executeTakeFirst();

/** Returns the name of a list of any user; null if it was deleted. */
export const findListName = async (db: Db, number: number) =>
  (await db.selectFrom('smartList').select('name').where('number', '=', number).executeTakeFirst())?.name ?? null;

/** Returns those of the lists with these numbers that a user can see. */
export const findListsIn = async (db: Db, accountId: number, numbers: number[]): Promise<ListRow[]> =>
  numbers.length === 0 ? [] : rows(db, accountId).where('smartList.number', 'in', numbers).execute();

export const countLists = async (db: Db, accountId: number) =>
  (
    await seenBy(db, accountId)
      .select((e) => e.fn.countAll<number>().as('lists'))
      .executeTakeFirstOrThrow()
  ).lists;

/** Adds a smart list and returns its number. @throws 400 if the user has too many */
export async function createList(
  { db, now }: AppContext,
  list: Pick<Insertable<SmartListTable>, 'accountId' | 'name' | 'filter' | 'isShared'>,
): Promise<number> {
  const { lists } = await db
    .selectFrom('smartList')
    .select((e) => e.fn.countAll<number>().as('lists'))
    .where('accountId', '=', list.accountId)
    .executeTakeFirstOrThrow();
  if (lists >= maxLists) throw badRequest('error.too-many-lists', { count: maxLists });
  const { number } = await db
    .insertInto('smartList')
    .values({ ...list, sortName: normalizeText(list.name), createdAt: now() })
    .returning('number')
    .executeTakeFirstOrThrow();
  return number;
}

/** Changes a list of the user. */
export async function updateList(
  db: Db,
  accountId: number,
  number: number,
  change: Pick<Updateable<SmartListTable>, 'name' | 'filter' | 'isShared'>,
): Promise<void> {
  if (Object.keys(change).length === 0) return;
  await db
    .updateTable('smartList')
    .set({ ...change, ...(change.name !== undefined && { sortName: normalizeText(change.name) }) })
    .where('number', '=', number)
    .where('accountId', '=', accountId)
    .execute();
}

/** Deletes a list of the user. Returns whether it existed. */
export const deleteList = async (db: Db, accountId: number, number: number): Promise<boolean> =>
  (await db.deleteFrom('smartList').where('number', '=', number).where('accountId', '=', accountId).executeTakeFirst())
    .numDeletedRows > 0n;

export const recordVisit = (db: Db, accountId: number, listNumber: number, visitedAt: number) =>
  db
    .insertInto('smartListVisit')
    .values({ accountId, listNumber, visitedAt })
    .onConflict((c) => c.columns(['accountId', 'listNumber']).doUpdateSet({ visitedAt }))
    .execute();
