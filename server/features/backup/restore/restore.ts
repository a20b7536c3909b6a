import { MessageError } from '../../../platform/messages/message-error.ts';
import { message, plainText, type Message } from '#contract/messages.ts';
import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { countRows } from '../../../platform/db/copy/bulk-copy.ts';
import { resetQueueSequence } from '../../../platform/db/reset-sequence.ts';
import { dataTables } from '../../../platform/db/schema/table-policies.ts';
import type { Db, Tx } from '../../../platform/db/db.ts';
import { checkFile } from '../../../platform/db/sqlite/snapshot.ts';
import { openStaging, type CurrentDatabase, type Staging } from '../../../platform/db/copy/staging-database.ts';
import { databaseFile } from '../../../platform/config/data-folder.ts';
import { freeBytes } from '../../../platform/files/free-space.ts';
import { resolveStoredPath } from '../../../platform/storage/stored-path.ts';
import type { Report, TaskWork } from '../../../platform/context/task.ts';
import { keepCurrentAccounts, type AccountChoices } from './accounts.ts';
import { verifyBackup } from './verify-backup.ts';
import type { BackupContext } from '../files/backup-files.ts';
import { importRows } from './import-rows.ts';
import { keyFingerprint, type Manifest } from '../files/manifest.ts';
import { imagePath } from '../files/backup-images.ts';
import {
  keepBucket,
  keepSessions,
  keepQueuedTasks,
  countExcluded,
  deleteUnreadableSecrets,
  releaseLeases,
  markMissingFiles,
  startNumbersFrom,
  renumberItems,
  finishRestoreTask,
  requestImages,
} from './restore-fixups.ts';
import { InvalidBackupError } from '../files/invalid-backup-error.ts';
import { openZip } from '../../../platform/files/zip.ts';

/** What a restore works on and where it reports progress. */
export interface RestoreContext {
  part: Omit<BackupContext, 'db'> & { db: Db | null };
  /** The task that runs the restore; absent in the CLI. */
  taskId?: string;
  /** `replace` takes all accounts from the copy; only the CLI uses it. */
  accounts: AccountChoices | 'replace';
  signal: AbortSignal;
  report(now: Report): void;
  skip: TaskWork<unknown>['skip'];
  /** Pauses all writes to the archive. */
  quiet(): Promise<void>;
  /** Fails if they are not paused any more. Called in the transaction that replaces the data. */
  confirmQuiet?(tx: Db | Tx): Promise<void>;
  /** Path to move a damaged current database to; no process may have it open. */
  aside?: string;
  /** Saves the current state, so that the restore can be undone. Returns a message with the name of the copy. */
  keepPresent(): Promise<Message>;
}

const maxSecrets = 10; // names in the report
const presentOf = ({ part: { config, db }, aside }: RestoreContext): CurrentDatabase => ({
  db,
  path: databaseFile(config),
  databaseUrl: config.databaseUrl,
  ...(aside && { aside }),
});

/** Summarizes a backup compared with the current archive. */
async function comparison(manifest: Manifest, db: Db | null): Promise<Message> {
  const shown = {
    video: 'count.video',
    channel: 'count.channel',
    playlist: 'count.playlist',
    account: 'count.account',
    watch: 'count.watch-state',
    comment: 'count.comment',
  } as const;
  const counts = await Promise.all(
    Object.entries(shown).map(async ([table, id]) => {
      const here = db ? await countRows(db, table as 'video').catch(() => null) : null;
      const counted = message(id, { count: manifest.tables[table]?.rows ?? 0 });
      return here === null ? counted : message('count.with-note', { counted, note: message('count.current', { count: here }) });
    }),
  );
  return message('restore.created', { when: { at: manifest.createdAt }, version: manifest.program, counts: { list: counts } });
}

/** Extracts the images of a backup that do not exist here. They are harmless if the restore fails later. */
async function bringPictures({ part, signal }: RestoreContext, backup: string, manifest: Manifest) {
  if (manifest.files.length === 0) return;
  const zip = await openZip(backup);
  try {
    for (const { name } of manifest.files) {
      const path = imagePath(name);
      const entry = zip.entries.get(name);
      if (!path || !entry)
        throw new InvalidBackupError(message('restore.unknown-file', { name: JSON.stringify(name.slice(0, 100)) }));
      if (await part.files.stat(path)) continue;
      const to = resolveStoredPath(part, path);
      await mkdir(dirname(to), { recursive: true });
      try {
        await pipeline(Readable.from(entry.read(signal)), createWriteStream(`${to}.part`));
        await rename(`${to}.part`, to);
        await part.files.save(path);
      } finally {
        await rm(`${to}.part`, { force: true });
      }
    }
  } finally {
    zip.close();
  }
}

/** Final steps of every restore: applies the fixups, checks the staging database, and replaces the current one. */
async function finish(
  work: RestoreContext,
  staging: Staging,
  from: number,
  keptAs: Message,
  result: Message[],
): Promise<Message[]> {
  const { part, taskId, report, skip } = work;
  const { db: live } = part;
  report({ messages: [message('restore.running'), message('restore.checking-data')], progress: 0.9 });
  const kept =
    live && work.accounts !== 'replace'
      ? await keepCurrentAccounts(staging.db, live, { keys: part.keys, accounts: work.accounts })
      : null;
  const lost = await deleteUnreadableSecrets(staging.db, part.keys);
  if (lost.length > 0)
    skip(
      'secret.key',
      message('restore.secrets-deleted', {
        names: { list: [...lost.slice(0, maxSecrets), ...(lost.length > maxSecrets ? [plainText('…')] : [])] },
      }),
    );
  await keepBucket(part.config, staging.db, live);
  const gone = await markMissingFiles(part, staging.db);
  const complaints = await staging.complaints();
  if (complaints.length > 0) throw new MessageError(message('restore.inconsistent', { why: complaints[0]! }));
  await keepSessions(staging.db, live, kept?.ids);
  const leftOut = await countExcluded(live, staging.db);
  const messages = [
    ...result,
    ...(kept ? [message('restore.accounts-unchanged')] : []),
    ...(kept && kept.brought > 0 ? [message('restore.accounts-restored', { count: kept.brought })] : []),
    ...(gone > 0 ? [message('restore.videos-without-file', { count: gone })] : []),
    ...(leftOut > 0 ? [message('restore.videos-not-in-backup', { count: leftOut })] : []),
    keptAs,
  ];
  report({ messages: [message('restore.running'), message('restore.replacing')], progress: 0.98 });
  await staging.replace(async (db) => {
    await work.confirmQuiet?.(db);
    await resetQueueSequence(db, from);
    // On SQLite the whole file is replaced; on PostgreSQL the tables that hold no archive data stay.
    if (!part.config.databaseUrl) await keepQueuedTasks(db, live);
    if (taskId) await finishRestoreTask(db, taskId, { result: messages, now: part.now() });
    await requestImages(db, part.now());
  });
  return messages;
}

async function refuseWithoutRoom({ part }: RestoreContext, bytes: number) {
  // Space for the staging database, and for a second copy while it replaces the current one.
  const [free, wanted] = [await freeBytes(part.config.dataFolder), bytes * 2 + 20_000_000];
  if (free < wanted)
    throw new MessageError([
      message('restore.no-space', {
        free: Math.round(free / 1e6),
        folder: part.config.dataFolder,
        wanted: Math.round(wanted / 1e6),
      }),
      message('restore.unchanged'),
    ]);
}

/** Replaces the archive by a Reelkeep backup, atomically (docs/decisions/atomic-restore.md). Returns the result message. */
export async function restoreReelkeepBackup(
  work: RestoreContext,
  path: string,
  { dryRun }: { dryRun: boolean },
): Promise<Message[]> {
  const { part, signal, report, skip } = work;
  report({ messages: [message('restore.running'), message('restore.reading')] });
  const checking = (share: number) =>
    report({ messages: [message('restore.running'), message('restore.reading')], progress: share * 0.3 });
  const { manifest, rows, bytes } = await verifyBackup(path, { signal, report: checking });
  const about = await comparison(manifest, part.db);
  if (!part.keys.all.some((key) => keyFingerprint(key) === manifest.keyMark)) skip('secret.key', message('restore.other-key'));
  if (dryRun) return [about, message('restore.intact'), message('restore.unchanged')];
  await refuseWithoutRoom(work, bytes);
  await work.quiet();
  const kept = await work.keepPresent();
  await bringPictures(work, path, manifest);
  const staging = await openStaging(presentOf(work));
  const zip = await openZip(path);
  try {
    await staging.migrate(manifest.migration);
    const from = await startNumbersFrom(part, part.db);
    let done = 0;
    await importRows(zip, manifest, staging, {
      signal,
      adjust: (table, row) => (table === 'download' ? releaseLeases(row, from) : row),
      step(some) {
        done += some;
        report({
          messages: [message('restore.running'), message('backup.progress', { done, count: rows })],
          progress: 0.3 + (done / Math.max(1, rows)) * 0.6,
        });
      },
    });
    for (const table of dataTables) {
      if (!manifest.tables[table]) continue;
      const [came, promised] = [await countRows(staging.db, table), manifest.tables[table].rows];
      if (came !== promised)
        throw new MessageError([message('restore.rows-missing', { came, count: promised, table }), message('restore.unchanged')]);
    }
    await staging.migrate();
    return await finish(work, staging, from, kept, [message('restore.completed'), about]);
  } finally {
    zip.close();
    await staging.discard();
  }
}

/** Replaces the archive by a snapshot, which is a complete database file, atomically. */
export async function restoreDatabaseFile(work: RestoreContext, path: string, name: string): Promise<Message[]> {
  const { part, report } = work;
  const present = presentOf(work);
  const found = await checkFile(path);
  if (found !== 'ok') throw new MessageError(message('restore.snapshot-damaged', { why: found }));
  await work.quiet();
  const kept = await work.keepPresent();
  report({ messages: [message('restore.snapshot')], progress: 0.2 });
  const staging = await openStaging(present, path);
  try {
    await staging.migrate();
    const from = await startNumbersFrom(part, part.db);
    await renumberItems(staging.db, from);
    return await finish(work, staging, from, kept, [message('restore.snapshot-restored', { name })]);
  } finally {
    await staging.discard();
  }
}
