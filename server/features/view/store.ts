import type { Selectable, Updateable } from 'kysely';
import type { Db, Tx } from '../../platform/db/db.ts';
import type { LibraryViewTable, ViewFileTable, ViewPendingTable } from '../../platform/db/schema/tables.ts';

export type ViewRow = Selectable<LibraryViewTable>;
export type ViewFileRow = Selectable<ViewFileTable>;
export type PendingRow = Selectable<ViewPendingTable>;

export const listViews = (db: Db) => db.selectFrom('libraryView').selectAll().orderBy('name').execute();

export const findView = (db: Db, number: number): Promise<ViewRow | undefined> =>
  db.selectFrom('libraryView').selectAll().where('number', '=', number).executeTakeFirst();

/** Returns the view without its person, if that user does not agree to the use of the watch state. */
export async function withConsent(db: Db, view: ViewRow): Promise<ViewRow> {
  if (view.personId === null) return view;
  const consent = await db
    .selectFrom('account')
    .select('id')
    .where('id', '=', view.personId)
    .where('sharesWatchState', '=', 1)
    .executeTakeFirst();
  return consent ? view : { ...view, personId: null };
}

export const updateView = (db: Db | Tx, number: number, change: Updateable<LibraryViewTable>) =>
  db.updateTable('libraryView').set(change).where('number', '=', number).execute();

/** Returns the number of queued changes of each view. */
export async function countPending(db: Db): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('viewPending')
    .select((e) => ['viewNumber', e.fn.countAll<number>().as('changes')])
    .groupBy('viewNumber')
    .execute();
  return new Map(rows.map(({ viewNumber, changes }) => [viewNumber, changes]));
}

export const nextPending = (db: Db, viewNumber: number, kind: PendingRow['kind'], limit: number): Promise<PendingRow[]> =>
  db
    .selectFrom('viewPending')
    .selectAll()
    .where('viewNumber', '=', viewNumber)
    .where('kind', '=', kind)
    .orderBy('number')
    .limit(limit)
    .execute();

/** Deletes changes that were applied, unless they were queued again meanwhile. */
export async function deletePending(tx: Tx, rows: PendingRow[]): Promise<void> {
  for (const [version, some] of Map.groupBy(rows, (row) => row.version))
    await tx
      .deleteFrom('viewPending')
      .where(
        'number',
        'in',
        some.map(({ number }) => number),
      )
      .where('version', '=', version)
      .execute();
}

export async function enqueueGroups(tx: Tx, viewNumber: number, groups: Iterable<string>): Promise<void> {
  const rows = [...groups].map((id) => ({ viewNumber, kind: 'group' as const, id }));
  if (rows.length > 0)
    await tx
      .insertInto('viewPending')
      .values(rows)
      .onConflict((c) =>
        c.columns(['viewNumber', 'kind', 'id']).doUpdateSet((e) => ({ version: e('viewPending.version', '+', 1) })),
      )
      .execute();
}

// Small enough that other writers do not wait, and that memory stays constant.
const queuePageSize = 2_000;

const enqueue = async (db: Db, viewNumber: number, rows: Pick<PendingRow, 'kind' | 'id'>[]) =>
  db
    .insertInto('viewPending')
    .values(rows.map((row) => ({ viewNumber, ...row })))
    .onConflict((c) => c.columns(['viewNumber', 'kind', 'id']).doNothing())
    .execute();

/** Queues every video that the view may contain, oldest first, and everything it has created. */
export async function enqueueAll(db: Db, { number, contentType, contentId }: ViewRow, signal: AbortSignal): Promise<void> {
  let after = { publishedAt: Number.MIN_SAFE_INTEGER, id: '' };
  for (;;) {
    signal.throwIfAborted();
    const page = await db
      .selectFrom('video')
      .select(['video.id', 'publishedAt'])
      .where('publishedAt', '>=', after.publishedAt)
      .where((w) => w.or([w('publishedAt', '>', after.publishedAt), w('video.id', '>', after.id)]))
      .$if(contentType === 'channel', (q) => q.where('channelId', '=', contentId!))
      .$if(contentType === 'playlist', (q) =>
        q.where('video.id', 'in', (w) => w.selectFrom('playlistVideo').select('videoId').where('playlistId', '=', contentId!)),
      )
      .orderBy('publishedAt')
      .orderBy('video.id')
      .limit(queuePageSize)
      .execute();
    if (page.length === 0) break;
    await enqueue(
      db,
      number,
      page.map(({ id }) => ({ kind: 'video', id })),
    );
    after = page.at(-1)!;
  }
  for (let owner = ''; ;) {
    signal.throwIfAborted();
    const page = await db
      .selectFrom('viewFile')
      .select((e) => ['owner', e.fn.max('groupId').as('groupId')])
      .where('viewNumber', '=', number)
      .where('owner', '>', owner)
      .groupBy('owner')
      .orderBy('owner')
      .limit(queuePageSize)
      .execute();
    if (page.length === 0) break;
    await enqueue(
      db,
      number,
      page.map(({ owner: id, groupId }) => ({ kind: groupId === 'folder' ? 'group' : 'video', id })),
    );
    owner = page.at(-1)!.owner;
  }
}

export const hasFiles = async (db: Db, viewNumber: number): Promise<boolean> =>
  (await db.selectFrom('viewFile').select('key').where('viewNumber', '=', viewNumber).limit(1).executeTakeFirst()) !== undefined;

/** Returns the manifest rows of these owners. */
export const filesOfOwners = (db: Db, viewNumber: number, owners: string[]): Promise<ViewFileRow[]> =>
  db.selectFrom('viewFile').selectAll().where('viewNumber', '=', viewNumber).where('owner', 'in', owners).execute();

/** Returns the owners of those of these keys that are in use. */
export async function ownersOfKeys(db: Db, viewNumber: number, keys: string[]): Promise<Map<string, Taken>> {
  if (keys.length === 0) return new Map();
  const rows = await db
    .selectFrom('viewFile')
    .select(['key', 'owner', 'groupId'])
    .where('viewNumber', '=', viewNumber)
    .where('key', 'in', keys)
    .execute();
  return new Map(rows.map(({ key, owner, groupId }) => [key, { owner, groupId }]));
}
export interface Taken {
  owner: string;
  groupId: string;
}

/** Returns the numbers in use of each slot. */
export async function usedNumbers(db: Db, viewNumber: number, slots: string[]): Promise<Map<string, Set<number>>> {
  const used = new Map<string, Set<number>>();
  if (slots.length === 0) return used;
  const rows = await db
    .selectFrom('viewFile')
    .select(['slot', 'slotNumber'])
    .where('viewNumber', '=', viewNumber)
    .where('slot', 'in', slots)
    .execute();
  for (const { slot, slotNumber } of rows) used.getOrInsertComputed(slot!, () => new Set()).add(slotNumber!);
  return used;
}
