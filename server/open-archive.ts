import { join } from 'node:path';
import type { Archive, Log } from './archive.ts';
import type { Config } from './config.ts';
import { holdFolder, keyOf, makeFolders, newRunId, refuseNetworkStorage } from './data-folder.ts';
import type { Db } from './db/db.ts';
import { migrate } from './db/migrate.ts';
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
import { rounds, tasks } from './rooms.ts';
import { beginRounds } from './task/rounds.ts';
import { beginSchedules } from './task/schedule.ts';
import { makeRunner } from './task/runner.ts';
import { openFigures } from './service/figures.ts';
import { bringTools, findTools } from './tools.ts';

async function open({ databaseUrl, dataFolder }: Pick<Config, 'databaseUrl' | 'dataFolder'>): Promise<Db> {
  if (!databaseUrl) return openSqlite(join(dataFolder, 'reelkeep.db'));
  const { openPostgres } = await import('./db/postgres.ts'); // its driver takes memory that most people have no use for
  return openPostgres(databaseUrl);
}

/** The database the configuration names, brought to this version. */
export async function openDatabase(config: Pick<Config, 'databaseUrl' | 'dataFolder'>): Promise<Db> {
  const db = await open(config);
  try {
    await migrate(db);
  } catch (error) {
    await db.destroy();
    throw error;
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
    tools: { ytdlp: null, ffmpeg: null, ffmpegFolder: null, pluginsFolder: null, gate, ytdlpSought },
    announce: (...rooms) => events.announce(...rooms),
    now: () => Math.floor(Date.now() / 1000),
    events,
    log,
    meter: openMeter(),
    runId: newRunId(),
    key,
    recovered: recovered.promise,
  };
  archive.meter.look = openFigures(archive);
  const ending = new AbortController();
  let endRounds = async () => {};

  return {
    archive,
    /** Finds the programs, puts right what an earlier run left, and begins to work; brings what is missing meanwhile. */
    async begin() {
      await findTools(archive);
      await forgetOldSessions(db, archive.now());
      await freeAll(archive);
      await markMediaFolder(archive);
      await removePending(archive);
      await recoverSwaps(archive);
      await removeHalfMade(config.cacheFolder);
      await recoverIncoming(archive);
      recovered.resolve();
      await runner.begin();
      await beginSchedules(archive, tasks);
      endRounds = beginRounds(archive, rounds);
      void bringTools(archive, ending.signal);
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
