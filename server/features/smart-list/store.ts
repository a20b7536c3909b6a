import type { Insertable, Updateable } from 'kysely';
import type { AppContext } from '../../platform/context/app-context.ts';
import type { Db } from '../../platform/db/db.ts';
import type { SmartListTable } from '../../platform/db/schema/tables.ts';
import { badRequest } from '../../platform/http/http-error.ts';
import { normalizeText } from '../../platform/lib/normalize-text.ts';

const maxLists = 200;

/** Who sees lists. `hasNotes`: also those that filter by private tags. */
export interface ListViewer {
  id: number;
  hasNotes: boolean;
}

/** Condition for the lists that a user can see: their own and shared ones. */
const seenBy = (db: Db, { id, hasNotes }: ListViewer) =>
  db
    .selectFrom('smartList')
    .innerJoin('account', 'account.id', 'smartList.accountId')
    .where((w) => w.or([w('smartList.accountId', '=', id), w('smartList.isShared', '=', 1)]))
    .$if(!hasNotes, (q) => q.where('smartList.filter', 'not like', '%"own_tag":%'));

const rows = (db: Db, viewer: ListViewer) =>
  seenBy(db, viewer)
    .leftJoin('smartListVisit', (on) =>
      on.onRef('smartListVisit.listNumber', '=', 'smartList.number').on('smartListVisit.accountId', '=', viewer.id),
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

export const findLists = (db: Db, viewer: ListViewer, { size, from }: { size: number; from: number }) =>
  rows(db, viewer).orderBy('smartList.sortName').orderBy('smartList.number').limit(size).offset(from).execute();

export const findList = (db: Db, viewer: ListViewer, number: number) =>
  rows(db, viewer).where('smartList.number', '=', number).executeTakeFirst();

/** Returns the name of a list of any user; null if it was deleted. */
export const findListName = async (db: Db, number: number) =>
  (await db.selectFrom('smartList').select('name').where('number', '=', number).executeTakeFirst())?.name ?? null;

/** Returns those of the lists with these numbers that a user can see. */
export const findListsIn = async (db: Db, viewer: ListViewer, numbers: number[]): Promise<ListRow[]> =>
  numbers.length === 0 ? [] : rows(db, viewer).where('smartList.number', 'in', numbers).execute();

export const countLists = async (db: Db, viewer: ListViewer) =>
  (
    await seenBy(db, viewer)
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
