import { randomUUID } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Selectable } from 'kysely';
import { addExactly, type PlainRow } from '../db/copy.ts';
import { pagesById, unlessDamaged, type Db, type Tx } from '../db/db.ts';
import type { TaskTable } from '../db/tables.ts';
import { highestFolder, highestItem } from '../download/incoming.ts';
import { whyNotBelieved } from '../library/media-marker.ts';
import { missingFile } from '../library/missing-file.ts';
import { binFolder } from '../media/shelf.ts';
import { unseal, type Keys } from '../seal.ts';
import type { Part } from './folder.ts';

// What is put right in a database that was made ready beside the present one, before it takes its place.

const nameOfSecret = { cookie: 'the cookie', potoken: 'the PO token', membership: 'the membership token' };

/** Drops what was sealed with another key; answers what that was, for people. */
export async function dropUnreadable(db: Db, keys: Keys): Promise<string[]> {
  const isReadable = (sealed: string) => {
    try {
      unseal(keys, sealed);
      return true;
    } catch {
      return false;
    }
  };
  const lost: string[] = [];
  const token = await db
    .selectFrom('token')
    .innerJoin('account', 'account.id', 'token.accountId')
    .select(['accountId', 'name', 'sealed'])
    .execute();
  for (const { accountId, name, sealed } of token) {
    if (isReadable(sealed)) continue;
    await db.deleteFrom('token').where('accountId', '=', accountId).execute();
    lost.push(`the API token of ${name}`);
  }
  for (const { name, sealed } of await db.selectFrom('secret').select(['name', 'sealed']).execute()) {
    if (isReadable(sealed)) continue;
    await db.deleteFrom('secret').where('name', '=', name).execute();
    lost.push(nameOfSecret[name]);
  }
  for (const { number, taskName, sealed } of await db
    .selectFrom('notifyTarget')
    .select(['number', 'taskName', 'sealed'])
    .execute()) {
    if (isReadable(sealed)) continue;
    await db.deleteFrom('notifyTarget').where('number', '=', number).execute();
    lost.push(`where the end of ${taskName} is told`);
  }
  return lost;
}

/**
 * What the numbers of queue items are raised by: a number names the folder of a download, and what lies in the folders now
 * belongs to other items. Nothing where there are none.
 */
export async function numbersFrom(part: Pick<Part, 'config'>, live: Db | null): Promise<number> {
  return Math.max(live ? await unlessDamaged(highestItem(live), 0) : 0, await highestFolder(part));
}

/** A queue item as it comes back: nobody is at work on it. */
export const freed = (row: PlainRow, from: number): PlainRow => ({
  ...row,
  number: Number(row['number']) + from,
  leasedBy: null,
  leaseUntil: null,
});

/** Frees the queue of a database that came as a whole, and gives its items numbers that nobody has. */
export async function renumber(db: Db, from: number): Promise<void> {
  const by = from === 0 ? 0 : Math.max(from, await highestItem(db));
  await db
    .updateTable('download')
    .set((e) => ({ number: e('number', '+', by), leasedBy: null, leaseUntil: null }))
    .execute();
}

/** How many videos are here now that are not in what takes its place: their files stay on the shelf. */
export async function countLeftOut(live: Db | null, staged: Db): Promise<number> {
  if (!live) return 0;
  const next = (after: string) =>
    live.selectFrom('video').select('id').where('id', '>', after).orderBy('id').limit(500).execute();
  let count = 0;
  const look = async () => {
    for await (const page of pagesById(next)) {
      const ids = page.map(({ id }) => id);
      count += ids.length - (await staged.selectFrom('video').select('id').where('id', 'in', ids).execute()).length;
    }
  };
  await unlessDamaged(look(), undefined);
  return count;
}

/** Whoever is logged in stays so, where the account is still there: with the number and the name that it has now. */
export async function carrySessions(to: Db, live: Db | null): Promise<void> {
  await to.deleteFrom('session').execute();
  if (!live) return;
  const known = new Map(
    (await to.selectFrom('account').select(['id', 'foldedName']).execute()).map((row) => [row.id, row.foldedName]),
  );
  const sessions = await unlessDamaged(
    live
      .selectFrom('session')
      .innerJoin('account', 'account.id', 'session.accountId')
      .selectAll('session')
      .select('account.foldedName')
      .execute(),
    [],
  );
  const staying = sessions.filter(({ accountId, foldedName }) => known.get(accountId) === foldedName);
  const rows = staying.map((row) => {
    const { keyHash, accountId, csrfToken, remember, createdAt, seenAt, expiresAt, browser, address, provedAt } = row;
    return { keyHash, accountId, csrfToken, remember, createdAt, seenAt, expiresAt, browser, address, provedAt };
  });
  await addExactly(to, 'session', rows);
}

/** What the running program is at work on goes over to a database file that takes the place of the present one. */
export async function carryWork(to: Db | Tx, live: Db | null): Promise<void> {
  for (const table of ['runNote', 'task', 'outbox', 'sitePause', 'removal'] as const) await to.deleteFrom(table).execute();
  if (!live) return;
  for (const table of ['task', 'runNote', 'outbox', 'sitePause'] as const)
    await addExactly(to, table, (await unlessDamaged(live.selectFrom(table).selectAll().execute(), [])) as unknown as PlainRow[]);
}

/** The task that restores is over in the very instant in which the restored archive is there: a kill later never does it twice. */
export const taskIsOver = (db: Db | Tx, id: string, { result, now }: { result: string; now: number }) =>
  db
    .updateTable('task')
    .set({
      status: 'success',
      messages: JSON.stringify(['Task completed']),
      result,
      endedAt: now,
      onlyOne: null,
      leasedBy: null,
      leaseUntil: null,
    } satisfies Partial<Selectable<TaskTable>>)
    .where('id', '=', id)
    .execute();

/** Has the pictures looked through once the archive is at work: on another machine there are none, and no backup has them. */
export const wishForPictures = (db: Db, now: number) =>
  db
    .insertInto('task')
    .values({
      id: randomUUID(),
      name: 'thumbnail_check',
      input: '{}',
      onlyOne: 'thumbnail_check',
      status: 'pending',
      queuedAt: now,
      messages: JSON.stringify(['New task received.']),
    })
    .onConflict((c) => c.column('onlyOne').doNothing())
    .execute();

/** The names of all files that rest in the bin's folder on the media disk. */
async function restingNames({ config }: Pick<Part, 'config'>): Promise<Set<string>> {
  const root = binFolder(config.mediaFolder);
  const folders = await readdir(root).catch(() => []);
  const names = await Promise.all(folders.map((folder) => readdir(join(root, folder)).catch(() => [])));
  return new Set(names.flat());
}

/**
 * Marks the videos whose file is not there, and takes that mark from those whose file is. Answers how many are missing, but for those
 * that were deleted since: their files come back from the bin (`bringHome`).
 */
export async function markMissing({ config }: Pick<Part, 'config'>, db: Db): Promise<number> {
  if (await whyNotBelieved({ config })) return 0;
  const resting = await restingNames({ config });
  const next = (after: string) =>
    db.selectFrom('video').select(['id', 'mediaPath', 'damage']).where('id', '>', after).orderBy('id').limit(500).execute();
  let count = 0;
  for await (const page of pagesById(next)) {
    const there = await Promise.all(
      page.map(({ mediaPath }) =>
        stat(join(config.mediaFolder, mediaPath)).then(
          () => true,
          () => false,
        ),
      ),
    );
    const gone = page.filter((_, place) => !there[place]);
    count += gone.filter(({ mediaPath }) => !resting.has(basename(mediaPath))).length;
    const set = async (ids: string[], damage: string | null) => {
      if (ids.length > 0) await db.updateTable('video').set({ damage }).where('id', 'in', ids).execute();
    };
    await set(
      gone.filter(({ damage }) => damage !== missingFile).map(({ id }) => id),
      missingFile,
    );
    await set(
      page.filter(({ damage }, place) => there[place] && damage === missingFile).map(({ id }) => id),
      null,
    );
  }
  return count;
}
