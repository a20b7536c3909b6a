import { message, type Message } from '#contract/messages.ts';
import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Selectable } from 'kysely';
import { insertExactly, type PlainRow } from '../../../platform/db/copy/bulk-copy.ts';
import { pagesById, orIfDamaged, type Db, type Tx } from '../../../platform/db/db.ts';
import type { TaskTable } from '../../../platform/db/schema/tables.ts';
import { highestWorkDir, highestItemNumber } from '../../../archive/publish/work-dir.ts';
import { findUnknownObjects, noObjects } from '../../../archive/storage/media-objects.ts';
import { whyMediaUnavailable } from '../../../archive/storage/mount-check.ts';
import { StorageError } from '../../../platform/storage/file-store.ts';
import { isMissingFile, missingFileDamage } from '../../../archive/video/store.ts';
import type { Report } from '../../../platform/context/task.ts';
import { trashFolder } from '../../../platform/files/files.ts';
import { storeMessages } from '../../../platform/messages/stored.ts';
import { mediaServerPurpose, unseal, type Keys, type Purpose } from '../../../platform/security/encryption.ts';
import { reseal } from '../../../archive/security/reseal.ts';
import type { Config } from '../../../platform/config/config.ts';
import type { BackupContext } from '../files/backup-files.ts';

// Corrections to the staging database before it replaces the current one.

const nameOfSecret = {
  cookie: message('secret.cookie'),
  potoken: message('secret.potoken'),
  membership: message('secret.membership'),
  'pot-provider': message('secret.pot-provider'),
  'pot-proxy': message('secret.pot-proxy'),
};

/**
 * Encrypts secrets with the present key, including those that an earlier version encrypted without a purpose, and deletes secrets
 * encrypted with another key. Returns the names of the deleted secrets.
 */
export async function deleteUnreadableSecrets(db: Db, keys: Keys): Promise<Message[]> {
  await reseal(db, keys);
  const isReadable = (purpose: Purpose, sealed: string) => {
    try {
      unseal(keys, purpose, sealed);
      return true;
    } catch {
      return false;
    }
  };
  const lost: Message[] = [];
  const token = await db
    .selectFrom('token')
    .innerJoin('account', 'account.id', 'token.accountId')
    .select(['accountId', 'name', 'sealed'])
    .execute();
  for (const { accountId, name, sealed } of token) {
    if (isReadable(`token.${accountId}`, sealed)) continue;
    await db.deleteFrom('token').where('accountId', '=', accountId).execute();
    lost.push(message('secret.token', { name }));
  }
  for (const { name, sealed } of await db.selectFrom('secret').select(['name', 'sealed']).execute()) {
    if (isReadable(`secret.${name}`, sealed)) continue;
    await db.deleteFrom('secret').where('name', '=', name).execute();
    lost.push(nameOfSecret[name]);
  }
  for (const table of ['podcast', 'share'] as const) {
    const unreadable = (await db.selectFrom(table).select(['number', 'secretHash', 'sealed']).execute()).filter(
      ({ secretHash, sealed }) => !isReadable(`link.${secretHash}`, sealed),
    );
    for (const { number } of unreadable) await db.deleteFrom(table).where('number', '=', number).execute();
    if (unreadable.length > 0) lost.push(message(table === 'podcast' ? 'secret.podcast' : 'secret.share'));
  }
  for (const { number, name, address, sealed } of await db
    .selectFrom('mediaServer')
    .select(['number', 'name', 'address', 'sealed'])
    .execute()) {
    const people = await db
      .selectFrom('mediaServerPerson')
      .select(['accountId', 'sealed'])
      .where('serverNumber', '=', number)
      .execute();
    const isLost = (one: string | null) => one !== null && !isReadable(mediaServerPurpose({ number, address }), one);
    const lostPeople = people.filter((one) => isLost(one.sealed));
    if (!isLost(sealed) && lostPeople.length === 0) continue;
    if (isLost(sealed)) await db.updateTable('mediaServer').set({ sealed: null }).where('number', '=', number).execute();
    for (const { accountId } of lostPeople)
      await db
        .updateTable('mediaServerPerson')
        .set({ sealed: null })
        .where('serverNumber', '=', number)
        .where('accountId', '=', accountId)
        .execute();
    lost.push(message('secret.media-server', { name }));
  }
  for (const { number, taskName, sealed } of await db
    .selectFrom('notifyTarget')
    .select(['number', 'taskName', 'sealed'])
    .execute()) {
    if (isReadable('notify-url', sealed)) continue;
    await db.deleteFrom('notifyTarget').where('number', '=', number).execute();
    lost.push(message('secret.notify-url', { task: taskName }));
  }
  return lost;
}

/**
 * Returns the offset for the numbers of restored queue items, 0 if there are no items or work folders. Work folders are named
 * after the number, and existing folders belong to other items.
 */
export async function startNumbersFrom(part: Pick<BackupContext, 'config'>, live: Db | null): Promise<number> {
  return Math.max(live ? await orIfDamaged(highestItemNumber(live), 0) : 0, await highestWorkDir(part));
}

/** Returns a restored queue item without lease and with its number shifted. */
export const releaseLeases = (row: PlainRow, from: number): PlainRow => ({
  ...row,
  number: Number(row['number']) + from,
  leasedBy: null,
  leaseUntil: null,
});

/** Clears the leases of a restored queue and gives its items unused numbers. */
export async function renumberItems(db: Db, from: number): Promise<void> {
  const by = from === 0 ? 0 : Math.max(from, await highestItemNumber(db));
  await db
    .updateTable('download')
    .set((e) => ({ number: e('number', '+', by), leasedBy: null, leaseUntil: null }))
    .execute();
}

/** Counts the current videos that the restored database does not contain. Their files stay in the media folder. */
export async function countExcluded(live: Db | null, staged: Db): Promise<number> {
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
  await orIfDamaged(look(), undefined);
  return count;
}

/**
 * Keeps the current sessions of accounts that still exist: under the id that `ids` maps to, or else under the same id and name.
 */
export async function keepSessions(to: Db, live: Db | null, ids?: Map<number, number>): Promise<void> {
  await to.deleteFrom('session').execute();
  if (!live) return;
  const accounts = await to.selectFrom('account').select(['id', 'normalizedName']).execute();
  const known = new Map(accounts.map((row) => [row.id, row.normalizedName]));
  const idOf = (accountId: number) => ids?.get(accountId) ?? accountId;
  const sessions = await orIfDamaged(
    live
      .selectFrom('session')
      .innerJoin('account', 'account.id', 'session.accountId')
      .selectAll('session')
      .select('account.normalizedName')
      .execute(),
    [],
  );
  const staying = sessions.filter(({ accountId, normalizedName }) => known.get(idOf(accountId)) === normalizedName);
  const rows = staying.map((row) => {
    const { keyHash, accountId, csrfToken, remember, createdAt, seenAt, expiresAt, browser, address, authenticatedAt } = row;
    return {
      keyHash,
      accountId: idOf(accountId),
      csrfToken,
      remember,
      createdAt,
      seenAt,
      expiresAt,
      browser,
      address,
      authenticatedAt,
    };
  });
  await insertExactly(to, 'session', rows);
}

/** Copies tasks, notifications, site cooldowns and the fingerprint of the key of the running server into the database file that replaces the current one. */
export async function keepQueuedTasks(to: Db | Tx, live: Db | null): Promise<void> {
  for (const table of ['runLog', 'task', 'outbox', 'siteCooldown', 'keyFingerprint', 'pendingDeletion'] as const)
    await to.deleteFrom(table).execute();
  if (!live) return;
  for (const table of ['task', 'runLog', 'outbox', 'siteCooldown', 'keyFingerprint'] as const)
    await insertExactly(
      to,
      table,
      (await orIfDamaged(live.selectFrom(table).selectAll().execute(), [])) as unknown as PlainRow[],
    );
}

/**
 * Marks the restore task as finished in the same transaction that activates the restored database, so that a killed server never
 * repeats the restore.
 */
export const finishRestoreTask = (db: Db | Tx, id: string, { result, now }: { result: Message[]; now: number }) =>
  db
    .updateTable('task')
    .set({
      status: 'success',
      messages: JSON.stringify({ messages: [message('run.completed')] } satisfies Report),
      result: storeMessages(result),
      endedAt: now,
      singletonName: null,
      leasedBy: null,
      leaseUntil: null,
    } satisfies Partial<Selectable<TaskTable>>)
    .where('id', '=', id)
    .execute();

/**
 * Enqueues the thumbnail check for the next start: on another machine the images are missing, and backups do not contain them.
 */
export const requestImages = (db: Db, now: number) =>
  db
    .insertInto('task')
    .values({
      id: randomUUID(),
      name: 'thumbnail_check',
      input: '{}',
      singletonName: 'thumbnail_check',
      status: 'pending',
      queuedAt: now,
      messages: JSON.stringify({ messages: [message('run.received')] } satisfies Report),
    })
    .onConflict((c) => c.column('singletonName').doNothing())
    .execute();

/**
 * Adjusts the mark of the bucket in restored data. A server with folders has none, also if the files of the backup were in a bucket;
 * they are reported as missing. With a bucket it is that of the backup, else the one in use, if the backup is older than the bucket.
 */
export async function keepBucket(config: Config, to: Db, live: Db | null): Promise<void> {
  if (!config.s3) return void (await to.deleteFrom('bucket').execute());
  const isKnown = (await to.selectFrom('bucket').select('id').executeTakeFirst()) !== undefined;
  if (!isKnown && live) await insertExactly(to, 'bucket', await orIfDamaged(live.selectFrom('bucket').selectAll().execute(), []));
  await to.updateTable('bucket').set({ movingTo: null }).execute();
}

/** Lists the names of all files in the trash folder of the media disk. */
async function restingNames({ config }: Pick<BackupContext, 'config'>): Promise<Set<string>> {
  const root = trashFolder(config.mediaFolder);
  const folders = await readdir(root).catch(() => []);
  const names = await Promise.all(folders.map((folder) => readdir(join(root, folder)).catch(() => [])));
  return new Set(names.flat());
}

/**
 * Marks videos whose file is missing, and clears the mark of videos whose file exists. Returns the number of missing files,
 * without those in the trash folder, which `moveReturnedFiles` moves back.
 */
export async function markMissingFiles({ config, files }: Pick<BackupContext, 'config' | 'files'>, db: Db): Promise<number> {
  if (await whyMediaUnavailable({ config, files, db })) return 0;
  const resting = await restingNames({ config });
  const objects = noObjects();
  try {
    if (files.isRemote) for await (const _ of findUnknownObjects({ db, files }, objects)); // fills `objects`
  } catch (error) {
    if (error instanceof StorageError) return 0;
    throw error;
  }
  const next = (after: string) =>
    db.selectFrom('video').select(['id', 'mediaPath', 'damage']).where('id', '>', after).orderBy('id').limit(500).execute();
  let count = 0;
  for await (const page of pagesById(next)) {
    const hasFile = await Promise.all(
      page.map(async ({ mediaPath }) =>
        files.isRemote ? objects.sizes.has(mediaPath) : (await files.stat(mediaPath).catch(() => null)) !== null,
      ),
    );
    const gone = page.filter((_, place) => !hasFile[place]);
    count += gone.filter(({ mediaPath }) => !resting.has(basename(mediaPath))).length;
    const set = async (ids: string[], damage: string | null) => {
      if (ids.length > 0) await db.updateTable('video').set({ damage }).where('id', 'in', ids).execute();
    };
    await set(
      gone.filter(({ damage }) => !isMissingFile(damage)).map(({ id }) => id),
      missingFileDamage,
    );
    await set(
      page.filter(({ damage }, place) => hasFile[place] && isMissingFile(damage)).map(({ id }) => id),
      null,
    );
  }
  return count;
}
