import { openFileStore } from '../app/open-file-store.ts';
import { message, plainText, type Message } from '#contract/messages.ts';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import type { AccountDifferences } from '#contract/backup.ts';
import { accountDifferencesOfBackup, accountDifferencesOfSnapshot } from '../features/backup/restore/accounts.ts';
import { damagedCopyPath, findDamage } from '../features/backup/integrity-check.ts';
import { findBackup } from '../features/backup/files/backup-files.ts';
import { detectFormat } from '../features/backup/files/detect-format.ts';
import { importTubeArchivist } from '../features/backup/tubearchivist/import.ts';
import { restoreDatabaseFile, restoreReelkeepBackup, type RestoreContext } from '../features/backup/restore/restore.ts';
import { findSnapshot, takeSnapshot } from '../features/backup/snapshots.ts';
import { createBackup } from '../features/backup/create-backup.ts';
import { openZip } from '../platform/files/zip.ts';
import { formatAccountDifferences } from './account-differences.ts';
import { runCommand, acquireLockOrExit, refuseOtherAccount, printProgress, secondsNow, abortOnInterrupt } from './run-command.ts';
import type { Config } from '../platform/config/config.ts';
import { databaseFile, makeFolders } from '../platform/config/data-folder.ts';
import type { Db } from '../platform/db/db.ts';
import { messagesOf } from '../platform/messages/message-error.ts';
import { renderMessages } from '../platform/messages/render.ts';
import { refuseOtherKey } from '../archive/security/key-fingerprint.ts';
import { openKeys } from '../platform/security/key-file.ts';
import { markMediaFolder } from '../archive/storage/mount-check.ts';
import { exists } from '../platform/files/files.ts';
import { inBackups } from '../platform/storage/stored-path.ts';
import { DamagedDatabaseError, NewerDatabaseError, requireDatabase, openDatabase } from '../app/open-database.ts';

// `npm run cli -- restore <file> [--dry-run]`: restores a backup (a path, or a name in the backup folder) or a snapshot while the
// server is stopped. Also downgrades a database that a newer version has migrated.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'dry-run': { type: 'boolean', default: false }, 'watched-for-all': { type: 'boolean', default: false } },
});
const [file] = positionals;
const dryRun = values['dry-run'];

/** Opens the present database. Returns null with the reason if it is unusable. */
async function open(config: Config): Promise<{ db: Db | null; why?: 'newer' | 'damaged' }> {
  try {
    // If the check itself fails, opening the database reports the error.
    const isThere = !config.databaseUrl && (await exists(databaseFile(config)));
    if (isThere && (await findDamage(databaseFile(config)).catch(() => null)) !== null) return { db: null, why: 'damaged' };
    return { db: await openDatabase(config) };
  } catch (error) {
    if (error instanceof NewerDatabaseError && !config.databaseUrl) return { db: null, why: 'newer' };
    if (error instanceof DamagedDatabaseError) return { db: null, why: 'damaged' };
    throw error;
  }
}

const cannotMerge = {
  newer: 'The database has a newer version. Restore a snapshot first.',
  damaged: 'The database is damaged. Restore a snapshot or a Reelkeep backup first.',
};

async function restore(config: Config, name: string): Promise<Message[]> {
  await refuseOtherAccount(config, 'restore');
  const files = await openFileStore(config);
  // Only a file at a given path, such as a backup of another machine, or one in the bucket can be restored into an empty folder.
  const isInBucket = files.isRemote && (await findBackup({ config, files }, name)) !== undefined;
  if (!isInBucket && !(await exists(name))) await requireDatabase(config);
  await makeFolders(config);
  const held = await acquireLockOrExit(config, 'POST /api/appsettings/backup/<name>/');
  const { db, why } = await open(config);
  try {
    const now = secondsNow;
    const keys = await openKeys(config);
    if (db && config.databaseUrl) await refuseOtherKey(db, keys);
    const part = { config, db, files, keys, now, log: console };
    const signal = abortOnInterrupt();
    const skip: RestoreContext['skip'] = (what, why) =>
      console.log(`\n${what}: ${renderMessages(why instanceof Error ? messagesOf(why) : why)}`);
    const snapshot = await findSnapshot(config, name);
    const aside = why === 'damaged' ? damagedCopyPath(config, now()) : undefined;
    if (aside) console.log(`The database is damaged; it will be kept as ${basename(aside)}.`);
    const work: RestoreContext = {
      part,
      accounts: 'replace',
      signal,
      report: printProgress,
      skip,
      quiet: async () => {},
      ...(aside && { aside }),
      keepPresent: async () => {
        const keptAs = aside
          ? basename(aside)
          : config.databaseUrl
            ? (await createBackup({ ...part, db: db! }, { reason: 'before', signal, report: printProgress })).filename
            : await takeSnapshot({
                config,
                reason: 'restore',
                now,
                ...(db === null && { migration: 'newer' }),
                ...(snapshot && { spare: snapshot.id }),
              });
        return message('restore.previous-saved', { name: keptAs });
      },
    };
    if (db) await markMediaFolder({ db, config, files, log: console });
    if (snapshot?.isDump) throw new Error('This is a PostgreSQL dump: restore it with pg_restore.');
    const sayAccounts = async (read: (db: Db) => Promise<AccountDifferences>) => {
      const lines = db
        ? formatAccountDifferences(await read(db))
        : ['The current accounts cannot be read. The restore replaces all of them.'];
      console.log(`\n${lines.join('\n')}`);
    };
    if (snapshot) {
      await sayAccounts((here) => accountDifferencesOfSnapshot(here, snapshot.path));
      return dryRun
        ? [
            plainText(`The snapshot ${snapshot.id} of Reelkeep ${snapshot.program} would replace the current database.`),
            message('restore.unchanged'),
          ]
        : await restoreDatabaseFile(work, snapshot.path, snapshot.id);
    }
    const isBackup = (await findBackup({ config, files }, name)) !== undefined;
    const path = isBackup ? await files.localPath(inBackups(name), signal) : (await exists(name)) ? name : null;
    if (!path) throw new Error(`There is no backup, file or snapshot called ${name}.`);
    const zip = await openZip(path);
    const kind = detectFormat(zip);
    zip.close();
    if (kind === 'ours') {
      await sayAccounts((here) => accountDifferencesOfBackup(here, path));
      return await restoreReelkeepBackup(work, path, { dryRun });
    }
    if (!db) throw new Error(cannotMerge[why ?? 'newer']);
    const watchedFor = values['watched-for-all'] ? 'all' : 'me';
    return await importTubeArchivist({ ...part, db }, path, { ...work, dryRun, watchedFor, accountId: null });
  } finally {
    await db?.destroy();
    await held.release();
  }
}

if (!file) {
  console.error('Say what to restore: npm run cli -- restore <file.zip, or the id of a snapshot> [--dry-run]');
  process.exitCode = 2;
} else await runCommand(async (config) => console.log(`\n${renderMessages(await restore(config, file))}`));
