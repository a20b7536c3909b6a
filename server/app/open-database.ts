import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { sql } from 'kysely';
import { findDamage } from '../features/backup/integrity-check.ts';
import { listBackups } from '../features/backup/files/backup-files.ts';
import { newestSnapshotFor, takeSnapshot } from '../features/backup/snapshots.ts';
import { ConfigError } from '../platform/config/config-error.ts';
import type { Config } from '../platform/config/config.ts';
import { databaseFile } from '../platform/config/data-folder.ts';
import { isDamage, type Db } from '../platform/db/db.ts';
import { migrate, NewerDatabase, progressOf, steps, UnreleasedDatabase } from '../platform/db/migrations/migrate.ts';
import { openSqlite, openSqliteReadOnly } from '../platform/db/sqlite/sqlite.ts';
import { exists } from '../platform/files/files.ts';
import { formatUtc } from '../platform/lib/format-time.ts';
import { openFileStore } from './open-file-store.ts';
import { queryWorkerFile } from './query-worker.ts';

async function open({ databaseUrl, dataFolder }: Config): Promise<Db> {
  if (!databaseUrl) return openSqlite(databaseFile({ dataFolder }), { workerFile: queryWorkerFile });
  const { openPostgres } = await import('../platform/db/postgres/postgres.ts'); // on demand, to save memory
  return openPostgres(databaseUrl);
}

// A node that was not seen for so long has ended.
const deadSeconds = 30;

/** Rejects an update of the database while servers run that could not use it afterwards. */
async function refuseWhileOthersRun(db: Db, { databaseUrl }: Config) {
  if (!databaseUrl) return;
  const { needsStop, refusal } = await progressOf(db);
  if (!needsStop || refusal) return;
  const others = await db
    .selectFrom('node')
    .select('name')
    .where('seenAt', '>=', sql<number>`extract(epoch from now()) - ${deadSeconds}`)
    .orderBy('name')
    .execute();
  if (others.length > 0)
    throw new ConfigError(
      `This version changes the database in a way that the running servers cannot use. Stop them first: ${others.map(({ name }) => name).join(', ')}. Nothing was changed.`,
    );
}

/** Takes a snapshot before a migration. If that fails, the migration does not run. */
async function keepBeforeUpdate(db: Db, config: Config) {
  const { pending, refusal } = await progressOf(db);
  const [next] = pending;
  if (!next || refusal || config.databaseUrl) return; // administrators back up PostgreSQL themselves: docs/operations.md
  const names = Object.keys(steps);
  const now = () => Math.floor(Date.now() / 1000);
  try {
    await takeSnapshot({ config, reason: 'update', now, migration: names[names.indexOf(next) - 1] ?? next });
  } catch (error) {
    if (isDamage(error)) throw error;
    throw new ConfigError(
      `This version changes the database, and the snapshot that is taken before failed: ${(error as Error).message} Nothing was changed.`,
    );
  }
}

/** Formats the command that restores a copy, with REELKEEP_DATA unless the data folder is the default. */
const restoreLine = ({ dataFolder }: Pick<Config, 'dataFolder'>, name: string) =>
  `  ${dataFolder === resolve('data') ? '' : `env REELKEEP_DATA=${dataFolder} `}npm run cli -- restore ${name}`;

/** The database was written by a newer version; the message names the remedy. */
export class NewerDatabaseError extends ConfigError {}

/** Builds the error for a newer database, with the newest snapshot that this version can restore. */
async function newerDatabaseError({ message }: NewerDatabase, config: Pick<Config, 'dataFolder'>): Promise<NewerDatabaseError> {
  const snapshot = await newestSnapshotFor(config);
  return new NewerDatabaseError(
    snapshot
      ? `${message} The newest snapshot that this version can go back to is of ${formatUtc(snapshot.startedAt)}:\n${restoreLine(config, snapshot.id)}`
      : message,
  );
}

/** The database is damaged; the message lists the available copies. */
export class DamagedDatabaseError extends ConfigError {}

async function backupsOf(config: Config) {
  const files = await openFileStore(config);
  try {
    return await listBackups({ config, files });
  } finally {
    files.close();
  }
}

/** Builds the error for a damaged database, with the available copies and the commands that restore them. */
async function damagedDatabaseError(why: string, config: Config): Promise<DamagedDatabaseError> {
  const snapshot = await newestSnapshotFor(config);
  const [backup] = await backupsOf(config).catch(() => []); // a bucket that does not answer
  const copies = [
    ...(snapshot ? [[restoreLine(config, snapshot.id), `a snapshot of ${formatUtc(snapshot.startedAt)}`]] : []),
    ...(backup ? [[restoreLine(config, backup.filename), `a backup of ${formatUtc(backup.created)}`]] : []),
  ].map(([line, words]) => `\n${line}   # ${words}`);
  const says = `The database ${databaseFile(config)} is damaged (${why}). Nothing was changed.`;
  return new DamagedDatabaseError(
    copies.length > 0
      ? `${says} Restore a copy; the damaged file is kept next to the database:${copies.join('')}`
      : `${says} There is no snapshot and no backup in ${config.dataFolder}; with one from elsewhere:\n${restoreLine(config, '<file.zip>')}`,
  );
}

/** Converts an error of a damaged SQLite database to a message for the user; returns other errors unchanged. */
export const asDamageError = async (error: unknown, config: Config): Promise<unknown> =>
  isDamage(error) && !config.databaseUrl ? damagedDatabaseError((error as Error).message, config) : error;

/**
 * Checks the whole database file.
 * @throws DamagedDatabaseError with the available copies if it is damaged.
 */
export async function refuseDamagedDatabase(config: Config): Promise<void> {
  const damage = await findDamage(databaseFile(config));
  if (damage) throw await damagedDatabaseError(damage, config);
}

/**
 * SQLite treats a file of 0 bytes as an empty database. If snapshots or backups exist, the file is the result of a disk failure.
 */
async function refuseEmptied(config: Config) {
  const size = await stat(databaseFile(config)).then(
    (about) => about.size,
    () => null,
  );
  if (size === 0 && ((await newestSnapshotFor(config)) || (await backupsOf(config)).length > 0))
    throw await damagedDatabaseError('the file is empty', config);
}

const openOrTell = (config: Config): Promise<Db> =>
  open(config).catch(async (error: unknown) => Promise.reject(await asDamageError(error, config)));

/** Converts an error of a database that this version cannot use to a message for the user; returns other errors unchanged. */
async function asStartError(error: unknown, config: Config): Promise<unknown> {
  if (error instanceof NewerDatabase) return newerDatabaseError(error, config);
  if (error instanceof UnreleasedDatabase) return new ConfigError(error.message);
  return asDamageError(error, config);
}

/** Opens the configured database and migrates it to this version. */
export async function openDatabase(config: Config): Promise<Db> {
  if (!config.databaseUrl) await refuseEmptied(config);
  const db = await openOrTell(config);
  try {
    await refuseWhileOthersRun(db, config);
    await keepBeforeUpdate(db, config);
    await migrate(db);
  } catch (error) {
    await db.destroy();
    throw await asStartError(error, config);
  }
  return db;
}

const noArchive = ({ dataFolder, databaseUrl }: Config) =>
  new ConfigError(
    databaseUrl
      ? 'There is no archive in the database that REELKEEP_DATABASE names; start the program once, and it makes one.'
      : `There is no archive in ${dataFolder}; set REELKEEP_DATA to the folder that has it.`,
  );

/** Throws ConfigError if there is no archive. */
export async function requireDatabase(config: Config): Promise<void> {
  // A folder without access rights belongs to another user; that error is reported elsewhere.
  if (!config.databaseUrl && !(await exists(databaseFile(config)).catch(() => true))) throw noArchive(config);
}

/**
 * Opens the database for commands that may run while the server runs. Never creates or migrates it, because the running server
 * would no longer understand it.
 */
export async function openWithoutMigrating(config: Config, { readOnly = false }: { readOnly?: boolean } = {}): Promise<Db> {
  await requireDatabase(config);
  const db = readOnly && !config.databaseUrl ? openSqliteReadOnly(databaseFile(config)) : await openOrTell(config);
  try {
    const { isEmpty, pending, refusal } = await progressOf(db);
    if (isEmpty) throw noArchive(config);
    if (refusal) throw refusal;
    if (pending.length > 0)
      throw new ConfigError(
        `The database is of an older version than this (the step ${pending[0]} is still to come), and this command does not change it. Start this version once, or use the command of the version that runs. Nothing was changed.`,
      );
    return db;
  } catch (error) {
    await db.destroy();
    throw await asStartError(error, config);
  }
}
