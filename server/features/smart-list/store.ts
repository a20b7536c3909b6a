import type { Db } from '../../platform/db/db.ts';

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

/** Returns those of the lists with these numbers that a user can see. */
export const findListsIn = async (db: Db, accountId: number, numbers: number[]): Promise<ListRow[]> =>
  numbers.length === 0 ? [] : rows(db, accountId).where('smartList.number', 'in', numbers).execute();

export const countLists = async (db: Db, accountId: number) =>
  (
    await seenBy(db, accountId)
      .select((e) => e.fn.countAll<number>().as('lists'))
      .executeTakeFirstOrThrow()
  ).lists;

export const countOwn = async (db: Db, accountId: number) =>
  (
    await db
      .selectFrom('smartList')
      .select((e) => e.fn.countAll<number>().as('lists'))
      .where('accountId', '=', accountId)
      .executeTakeFirstOrThrow()
  ).lists;

export const recordVisit = (db: Db, accountId: number, listNumber: number, visitedAt: number) =>
  db
    .insertInto('smartListVisit')
    .values({ accountId, listNumber, visitedAt })
    .onConflict((c) => c.columns(['accountId', 'listNumber']).doUpdateSet({ visitedAt }))
    .execute();
