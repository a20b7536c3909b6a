import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { damageIn } from './backup/damage.ts';
import { listBackups } from './backup/folder.ts';
import { newestFor, takeSnapshot } from './backup/snapshots.ts';
import { ConfigProblem } from './config-problem.ts';
import type { Config } from './config.ts';
import { databaseFile } from './data-folder.ts';
import { isDamage, type Db } from './db/db.ts';
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
    if (isDamage(error)) throw error;
    throw new ConfigProblem(
      `This version changes the database, and the snapshot that is taken before failed: ${(error as Error).message} Nothing was changed.`,
    );
  }
}

/** The line that restores a copy; the folder is named where it is not the one that is worked on unasked. */
const restoreLine = ({ dataFolder }: Pick<Config, 'dataFolder'>, name: string) =>
  `  ${dataFolder === resolve('data') ? '' : `env REELKEEP_DATA=${dataFolder} `}npm run restore -- ${name}`;
const dayOf = (seconds: number) => `${new Date(seconds * 1000).toISOString().slice(0, 16)}Z`;

/** The database is of a newer version than this; the message says how to go back. */
export class MadeByNewer extends ConfigProblem {}

/** A newer version was here: says how to go back to what this one understands. */
async function waysBack({ message }: NewerDatabase, config: Pick<Config, 'dataFolder'>): Promise<MadeByNewer> {
  const snapshot = await newestFor(config);
  return new MadeByNewer(
    snapshot
      ? `${message} The newest snapshot that this version can go back to is of ${dayOf(snapshot.startedAt)}:\n${restoreLine(config, snapshot.id)}`
      : message,
  );
}

/** The database is damaged; the message says what to go back to. */
export class Damaged extends ConfigProblem {}

/** A database that is damaged: says which copies there are, and the line that goes back to one. */
async function waysOut(why: string, config: Pick<Config, 'dataFolder'>): Promise<Damaged> {
  const [snapshot, [backup]] = [await newestFor(config), await listBackups({ config })];
  const copies = [
    ...(snapshot ? [[restoreLine(config, snapshot.id), `a snapshot of ${dayOf(snapshot.startedAt)}`]] : []),
    ...(backup
      ? [[restoreLine(config, backup.filename), `a backup of ${dayOf((await stat(backup.file_path)).mtimeMs / 1000)}`]]
      : []),
  ].map(([line, words]) => `\n${line}   # ${words}`);
  const says = `The database ${databaseFile(config)} is damaged (${why}). Nothing was changed.`;
  return new Damaged(
    copies.length > 0
      ? `${says} Go back to a copy; the damaged file is kept beside it:${copies.join('')}`
      : `${says} There is no snapshot and no backup in ${config.dataFolder}; with one from elsewhere:\n${restoreLine(config, '<file.zip>')}`,
  );
}

/** The same error, or where it tells of a damaged database of ours, the sentence for people. */
export const toldAsDamage = async (error: unknown, config: Part): Promise<unknown> =>
  isDamage(error) && !config.databaseUrl ? waysOut((error as Error).message, config) : error;

/** Reads the file to its end; throws ConfigProblem, with the copies to go back to, when some of it is damaged. */
export async function refuseDamaged(config: Pick<Config, 'dataFolder'>): Promise<void> {
  const damage = await damageIn(databaseFile(config));
  if (damage) throw await waysOut(damage, config);
}

/** A file of no bytes is an empty database to SQLite; where there are copies of another, it is what a broken disk left. */
async function refuseEmptied(config: Part) {
  const size = await stat(databaseFile(config)).then(
    (about) => about.size,
    () => null,
  );
  if (size === 0 && ((await newestFor(config)) || (await listBackups({ config })).length > 0))
    throw await waysOut('the file is empty', config);
}

const openOrTell = (config: Part): Promise<Db> =>
  open(config).catch(async (error: unknown) => Promise.reject(await toldAsDamage(error, config)));

/** The database the configuration names, brought to this version. */
export async function openDatabase(config: Part): Promise<Db> {
  if (!config.databaseUrl) await refuseEmptied(config);
  const db = await openOrTell(config);
  try {
    await keepBeforeUpdate(db, config);
    await migrate(db);
  } catch (error) {
    await db.destroy();
    throw error instanceof NewerDatabase ? await waysBack(error, config) : await toldAsDamage(error, config);
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
  const db = readOnly && !config.databaseUrl ? openSqliteToRead(databaseFile(config)) : await openOrTell(config);
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
    throw await toldAsDamage(error, config);
  }
}
