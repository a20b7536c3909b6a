import type { Archive, Log } from './archive.ts';
import { tidyFolder } from './backup/folder.ts';
import { newestFor, takeSnapshot } from './backup/snapshots.ts';
import { settleFiles, tidyBin } from './bin/files.ts';
import { ConfigProblem, type Config } from './config.ts';
import { databaseFile, holdFolder, keyOf, makeFolders, newRunId, refuseNetworkStorage } from './data-folder.ts';
import type { Db } from './db/db.ts';
import { migrate, NewerDatabase, pendingSteps, steps } from './db/migrate.ts';
import { removeStaging } from './db/staging.ts';
import { openSqlite } from './db/sqlite.ts';
import { freeAll } from './download/free-all.ts';
import { recoverIncoming } from './download/recover.ts';
import { openGate } from './egress/gate.ts';
import { openEvents } from './http/events.ts';
import { forgetOldSessions } from './http/session.ts';
import { markMediaFolder } from './library/media-marker.ts';
import { removePending } from './library/removal.ts';
import { recoverSwaps } from './library/swap.ts';
import { openMeter } from './meter.ts';
import { noteEnd } from './notify/outbox.ts';
import { removeHalfMade } from './media/half-made.ts';
import { removeHalfMadeRenditions } from './rendition/keep.ts';
import { readerFile } from './reader.ts';
import { rounds, tasks } from './rooms.ts';
import { beginRounds } from './task/rounds.ts';
import { beginSchedules } from './task/schedule.ts';
import { makeRunner } from './task/runner.ts';
import { openFigures } from './service/figures.ts';
import { noteYtdlp } from './service/ytdlp-use.ts';
import { bringTools, findTools } from './tools.ts';

async function open({ databaseUrl, dataFolder }: Pick<Config, 'databaseUrl' | 'dataFolder'>): Promise<Db> {
  if (!databaseUrl) return openSqlite(databaseFile({ dataFolder }), { readerFile });
  const { openPostgres } = await import('./db/postgres.ts'); // its driver takes memory that most people have no use for
  return openPostgres(databaseUrl);
}

/** Before the tables change, what is there is kept; without that they are not changed. */
async function keepBeforeUpdate(db: Db, config: Pick<Config, 'databaseUrl' | 'dataFolder'>) {
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
export async function openDatabase(config: Pick<Config, 'databaseUrl' | 'dataFolder'>): Promise<Db> {
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

/** The way out to the internet that the configuration describes. */
export const openGateOf = ({ allowPrivate, proxyInsecure, proxyUrl }: Config) =>
  openGate({ allow: allowPrivate, insecure: proxyInsecure, ...(proxyUrl && { upstream: proxyUrl }) });

/**
 * Opens everything that a running archive needs; nothing works yet. Throws ConfigProblem, with a sentence for people, when
 * the folders cannot be used or somebody else holds them.
 */
export async function openArchive(config: Config, log: Log) {
  await makeFolders(config);
  if (!config.databaseUrl) await refuseNetworkStorage(config.dataFolder);
  const held = holdFolder(config.dataFolder);
  const key = await keyOf(config.dataFolder);
  const db = await openDatabase(config);
  const gate = await openGateOf(config);
  const events = openEvents();
  const runner = makeRunner(tasks, () => archive, { onEnd: noteEnd });
  const recovered = Promise.withResolvers<void>();
  const ytdlpSought = Promise.withResolvers<void>();
  const archive: Archive = {
    config,
    db,
    tasks: runner,
    tools: { ytdlp: null, tooOldYtdlp: null, ffmpeg: null, ffmpegFolder: null, pluginsFolder: null, gate, ytdlpSought },
    announce: (...rooms) => events.announce(...rooms),
    now: () => Math.floor(Date.now() / 1000),
    events,
    log,
    meter: openMeter(),
    runId: newRunId(),
    key,
    recovered: recovered.promise,
    maintenance: { why: null },
  };
  archive.meter.look = openFigures(archive);
  const ending = new AbortController();
  let endRounds = async () => {};

  return {
    archive,
    /** Finds the programs, puts right what an earlier run left, and begins to work; brings what is missing meanwhile. */
    async begin() {
      await findTools(archive);
      await tidyFolder(archive, { uploads: true });
      await removeStaging({ db, path: databaseFile(config), databaseUrl: config.databaseUrl });
      await forgetOldSessions(db, archive.now());
      await freeAll(archive);
      await markMediaFolder(archive);
      await removePending(archive);
      await settleFiles(archive);
      await tidyBin(archive);
      await recoverSwaps(archive);
      await removeHalfMade(config.cacheFolder);
      await removeHalfMadeRenditions(archive);
      await recoverIncoming(archive);
      recovered.resolve();
      await runner.begin();
      await beginSchedules(archive, tasks);
      endRounds = beginRounds(archive, rounds);
      void bringTools(archive, ending.signal).then(() => noteYtdlp(archive));
    },
    async close() {
      ending.abort();
      await endRounds();
      await runner.end();
      events.close();
      await gate.close();
      await db.destroy();
      held.release();
    },
  };
}
