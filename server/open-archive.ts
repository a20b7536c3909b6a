import type { Archive, Log } from './archive.ts';
import { watchForDamage } from './backup/damage.ts';
import { beginNeeded, doEach, takeOverDownloads, tidying } from './begin-work.ts';
import type { Config } from './config.ts';
import { makeFolders, newRunId, refuseNetworkStorage } from './data-folder.ts';
import { openGate } from './egress/gate.ts';
import { hold } from './hold.ts';
import { openEvents } from './http/events.ts';
import { openKeys } from './key-file.ts';
import { openMeter } from './meter.ts';
import { noteEnd } from './notify/outbox.ts';
import { openDatabase } from './open-database.ts';
import { rounds, tasks } from './rooms.ts';
import { beginRounds } from './task/rounds.ts';
import { beginSchedules } from './task/schedule.ts';
import { makeRunner } from './task/runner.ts';
import { dropFormerKeys } from './service/change-key.ts';
import { openFigures } from './service/figures.ts';
import { noteYtdlp } from './service/ytdlp-use.ts';
import { bringTools, noTools } from './tools.ts';
import { noTroubles } from './troubles.ts';

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
  const held = await hold(config, (words) => log.warn(words));
  const keys = await openKeys(config.dataFolder);
  const db = await openDatabase(config);
  await dropFormerKeys({ db, config }).catch((error: unknown) =>
    log.warn({ err: error }, 'a former key could not be taken out of secret.key; the next start tries again'),
  );
  const gate = await openGateOf(config);
  const events = openEvents();
  const runner = makeRunner(tasks, () => archive, { onEnd: noteEnd });
  const recovered = Promise.withResolvers<void>();
  const archive: Archive = {
    config,
    db,
    tasks: runner,
    tools: noTools(gate),
    announce: (...rooms) => events.announce(...rooms),
    now: () => Math.floor(Date.now() / 1000),
    events,
    log,
    meter: openMeter(),
    runId: newRunId(),
    keys,
    recovered: recovered.promise,
    maintenance: { why: null },
    troubles: noTroubles(),
  };
  archive.meter.look = openFigures(archive);
  const ending = new AbortController();
  let endRounds = async () => {};
  let begun = Promise.resolve();
  let tried = Promise.resolve();

  const begin = async () => {
    await doEach(archive, tidying);
    const needed = [
      takeOverDownloads,
      { name: 'tasks', go: () => runner.begin() },
      { name: 'schedules', go: () => beginSchedules(archive, tasks) },
    ];
    tried = (await beginNeeded(archive, needed, ending.signal)).over;
    recovered.resolve();
    if (ending.signal.aborted) return;
    endRounds = beginRounds(archive, rounds);
    void watchForDamage(archive, ending.signal);
    void bringTools(archive, ending.signal).then(() => noteYtdlp(archive));
  };

  return {
    archive,
    /** Fires, with a ConfigProblem, when another program has taken the database: this one has to end. */
    taken: held.taken,
    /** Finds the programs, puts right what an earlier run left, and begins to work; brings what is missing meanwhile. Never throws. */
    begin: () => {
      begun = begin();
      return begun;
    },
    async close() {
      ending.abort();
      await begun;
      await tried;
      await endRounds();
      await runner.end();
      events.close();
      await gate.close();
      await db.destroy();
      await held.release();
    },
  };
}
