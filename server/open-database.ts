import { newestFor, takeSnapshot } from './backup/snapshots.ts';
import { ConfigProblem, type Config } from './config.ts';
import { databaseFile } from './data-folder.ts';
import type { Db } from './db/db.ts';
import { madeByNewer, migrate, NewerDatabase, pendingSteps, progressOf, steps } from './db/migrate.ts';
import { openSqlite, openSqliteToRead } from './db/sqlite.ts';
import { exists } from './media/shelf.ts';
import { readerFile } from './reader.ts';

type Part = Pick<Config, 'databaseUrl' | 'dataFolder'>;

async function open({ databaseUrl, dataFolder }: Part): Promise<Db> {
  if (!databaseUrl) return openSqlite(databaseFile({ dataFolder }), { readerFile });
  const { openPostgres } = await import('./db/postgres.ts'); // its driver takes memory that most people have no use for
  return openPostgres(databaseUrl);
}

/** Before the tables change, what is there is kept; without that they are not changed. */
async function keepBeforeUpdate(db: Db, config: Part) {
  const [next] = await pendingSteps(db);
  if (!next || config.databaseUrl) return; // PostgreSQL's are in the hands of whoever runs it: docs/operations.md
  const names = Object.keys(steps);
  const now = () => Math.floor(Date.now() / 1000);
  try {
    await takeSnapshot({ config, reason: 'update', now, migration: names[names.indexOf(next) - 1] ?? next });
  } catch (error) {
    throw new ConfigProblem(
      `This version changes the database, and the snapshot that is taken before failed: ${(error as Error).message} Nothing was changed.`,
    );
  }
}

/** The database is of a newer version than this; the message says how to go back. */
export class MadeByNewer extends ConfigProblem {}

/** A newer version was here: says how to go back to what this one understands. */
async function waysBack({ message }: NewerDatabase, config: Pick<Config, 'dataFolder'>): Promise<MadeByNewer> {
  const snapshot = await newestFor(config);
  return new MadeByNewer(
    snapshot
      ? `${message} The newest snapshot that this version can go back to is of ${new Date(snapshot.startedAt * 1000).toISOString().slice(0, 16)}Z:\n  npm run restore -- ${snapshot.id}`
      : message,
  );
}

/** The database the configuration names, brought to this version. */
export async function openDatabase(config: Part): Promise<Db> {
  const db = await open(config);
  try {
    await keepBeforeUpdate(db, config);
    await migrate(db);
  } catch (error) {
    await db.destroy();
    throw error instanceof NewerDatabase ? await waysBack(error, config) : error;
  }
  return db;
}

const noArchive = ({ dataFolder, databaseUrl }: Part) =>
  new ConfigProblem(
    databaseUrl
      ? 'There is no archive in the database that REELKEEP_DATABASE names; start the program once, and it makes one.'
      : `There is no archive in ${dataFolder}; set REELKEEP_DATA to the folder that has it.`,
  );

/** Throws ConfigProblem where there is no archive to work on. */
export async function mustBeThere(config: Part): Promise<void> {
  // A folder that may not be looked into is another account's, which is said elsewhere.
  if (!config.databaseUrl && !(await exists(databaseFile(config)).catch(() => true))) throw noArchive(config);
}

/**
 * The database as it is, for commands that may run beside the program: it is never made, and never brought to another version,
 * or the program that runs would not understand it any more.
 */
export async function openAsItIs(config: Part, { readOnly = false }: { readOnly?: boolean } = {}): Promise<Db> {
  await mustBeThere(config);
  const db = readOnly && !config.databaseUrl ? openSqliteToRead(databaseFile(config)) : await open(config);
  try {
    const { isEmpty, pending, strange } = await progressOf(db);
    if (isEmpty) throw noArchive(config);
    if (strange) throw await waysBack(madeByNewer(strange), config);
    if (pending.length > 0)
      throw new ConfigProblem(
        `The database is of an older version than this (the step ${pending[0]} is still to come), and this command does not change it. Start this version once, or use the command of the version that runs. Nothing was changed.`,
      );
    return db;
  } catch (error) {
    await db.destroy();
    throw error;
  }
}
