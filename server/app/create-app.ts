import type { Message } from '#contract/messages.ts';
import { setTimeout as wait } from 'node:timers/promises';
import type { AppContext, Log } from '../platform/context/app-context.ts';
import { scheduleIntegrityChecks } from '../features/backup/integrity-check.ts';
import { runRequired, runEach, takeOverDownloads, cleanupSteps } from './startup.ts';
import type { Config } from '../platform/config/config.ts';
import { makeFolders, newRunId, refuseNetworkStorage } from '../platform/config/data-folder.ts';
import { openForwardProxy } from '../platform/egress/forward-proxy.ts';
import { acquireInstanceLock, type InstanceLock } from './instance-lock.ts';
import { singleNode } from '../platform/context/nodes.ts';
import { createSharedEvents } from '../platform/http/live-updates/shared-events.ts';
import { abortDownloadsHere } from '../archive/queue/active-downloads.ts';
import { releaseLeasesExcept } from '../archive/queue/claims.ts';
import { createBroadcaster } from '../platform/http/live-updates/broadcaster.ts';
import type { Db } from '../platform/db/db.ts';
import { openKeys } from '../platform/security/key-file.ts';
import { createMetrics } from '../platform/observability/metrics.ts';
import { queueTaskNotification } from '../features/notify/outbox.ts';
import { deleteExpiredLimits } from '../platform/http/limiter.ts';
import { createState } from './create-state.ts';
import { openDatabase } from './open-database.ts';
import { periodicJobs, tasks } from './registry.ts';
import { startPeriodicJobs, type PeriodicJob } from '../platform/tasks/intervals.ts';
import { initializeSchedules } from '../platform/tasks/schedule.ts';
import { createTaskRunner, type TaskRunner } from '../platform/tasks/runner.ts';
import { refuseOtherKey } from '../archive/security/key-fingerprint.ts';
import { finishKeyRotation } from '../archive/security/rotate-key.ts';
import { createMetricsCollector } from '../features/system/metrics-collector.ts';
import { findNodeProblems } from '../features/system/health-checks.ts';
import { followYtdlp } from '../features/system/follow-ytdlp.ts';
import { checkYtdlpAfterStart } from '../features/system/ytdlp-parts.ts';
import { recordStartedYtdlp } from '../features/system/ytdlp-history.ts';
import { closeSiteLookups } from '../features/resolve/site-lookups.ts';
import { closePoTokens } from '../archive/sites/po-tokens.ts';
import { installMissingTools } from '../archive/binaries/binaries.ts';
import { noTools } from '../platform/context/tools.ts';
import { openBucket } from '../archive/storage/bucket.ts';
import { openFileStore } from './open-file-store.ts';
import { healthyState } from '../platform/context/health-state.ts';

/** Opens the egress proxy with the options in the configuration. */
export const openForwardProxyFor = ({ allowPrivate, proxyInsecure, proxyUrl }: Config) =>
  openForwardProxy({ allow: allowPrivate, insecure: proxyInsecure, ...(proxyUrl && { upstream: proxyUrl }) });

/** Opens the clock of the archive: that of the database server, or of this machine for SQLite. */
async function openClock({ databaseUrl }: Config, db: Db) {
  if (!databaseUrl) return { now: () => Math.floor(Date.now() / 1000), close() {} };
  const { openDatabaseClock } = await import('../platform/db/postgres/database-clock.ts'); // on demand, like the driver
  return openDatabaseClock(db);
}

type Joining = Pick<AppContext, 'db' | 'now' | 'log' | 'runId' | 'tools'> &
  Pick<InstanceLock, 'connection'> & { findProblems(): Promise<Message[]> };

/** Joins the other servers of the database, if it is shared. */
async function joinNodesOf({ node, role, egress }: Config, { connection, runId, ...part }: Joining) {
  if (!connection || node === undefined) return { nodes: singleNode, follow: async () => {}, leave: async () => {} };
  const { joinNodes } = await import('./join-nodes.ts'); // on demand, like the driver
  return joinNodes({ ...part, connection, node: { name: node, role, runId, egress } });
}

/** Jobs of each node that shares a database. */
const jobsOfNodes: PeriodicJob[] = [
  /** Installs the yt-dlp that the other servers use. */
  { name: 'yt-dlp of the archive', everySeconds: 30, isOnEachNode: true, run: followYtdlp },
];

/** Jobs of each server whose files are in a bucket. */
export const jobsOfBucket: PeriodicJob[] = [
  { name: 'local copies', everySeconds: 600, isOnEachNode: true, run: ({ files }) => files.trimCopies() },
];

/** Jobs of the workers among several nodes. */
const jobsOfWorkers = (runner: TaskRunner): PeriodicJob[] => [
  {
    name: 'dead nodes',
    everySeconds: 5,
    isOnEachNode: true,
    /** Releases the work of dead nodes, so that another node continues it. */
    async run({ db, nodes, runId }) {
      const alive = [runId, ...(await nodes.otherRuns())];
      await runner.releaseExcept(alive);
      await releaseLeasesExcept(db, alive);
    },
  },
  { name: 'rate limits', everySeconds: 300, run: deleteExpiredLimits },
];

type Closer = () => unknown;

/** Calls closers, the newest first, and those that are added meanwhile. */
async function closeAll(closers: Closer[]): Promise<void> {
  for (let closer = closers.pop(); closer; closer = closers.pop()) await closer();
}

/**
 * Opens everything the app context needs, without starting background work.
 * @throws ConfigError if a folder is unusable or another process holds the instance lock.
 */
export async function createApp(config: Config, log: Log) {
  await makeFolders(config);
  if (!config.databaseUrl) await refuseNetworkStorage(config.dataFolder);
  const opened: Closer[] = [];
  const held = await acquireInstanceLock(config, (words) => log.warn(words));
  opened.push(() => held.release());
  const keys = await openKeys(config);
  const db = await openDatabase(config);
  opened.push(() => db.destroy());
  held.onLost(() => db.dropConnections?.());
  // A SQLite database is in the folder of its key. Without the file a start creates another key, and staff enters secrets again.
  if (config.databaseUrl) await refuseOtherKey(db, keys);
  await finishKeyRotation({ db, config }).catch((error: unknown) =>
    log.warn({ err: error }, 'cannot encrypt stored values with the current key; retrying at the next start'),
  );
  const clock = await openClock(config, db);
  opened.push(() => clock.close());
  const files = await openFileStore(config);
  opened.push(() => files.close());
  await openBucket({ config, db, files, log });
  const gate = await openForwardProxyFor(config);
  opened.push(() => gate.close());
  const runId = newRunId();
  const tools = noTools(gate);
  const { nodes, follow, leave } = await joinNodesOf(config, {
    tools,
    db,
    connection: held.connection,
    runId,
    now: clock.now,
    log,
    findProblems: () => findNodeProblems(app),
  });
  opened.push(leave);
  const events = createSharedEvents(createBroadcaster(), nodes);
  opened.push(() => events.close());
  const runner = createTaskRunner(tasks, () => app, { onEnd: queueTaskNotification });
  const recovered = Promise.withResolvers<void>();
  const app: AppContext = {
    config,
    db,
    files,
    tasks: runner,
    tools,
    announce: (...topics) => events.announce(...topics),
    now: clock.now,
    events,
    log,
    metrics: createMetrics(),
    runId,
    nodes,
    keys,
    recovered: recovered.promise,
    maintenance: { why: null },
    health: healthyState(),
    state: createState({ config, db }),
  };
  opened.push(
    () => closePoTokens(app),
    () => app.state.questionProcess?.end(),
    () => app.state.hlsSessions?.end(),
    () => closeSiteLookups(app),
  );
  app.metrics.collect = createMetricsCollector(app);
  nodes.onMessage((message) => {
    runner.handleMessage(message);
    if (message.kind === 'abort') void abortDownloadsHere(app, message.numbers);
  });
  await follow(async (why) => {
    app.maintenance.why = why;
    if (why) await runner.pauseOthers();
    else runner.resume();
  });
  const ending = new AbortController();
  const backgroundWork: Closer[] = [() => runner.end()];

  const runsTasks = config.role !== 'web';
  const begin = async () => {
    // A maintenance by another node, which replaces what the startup steps would change.
    while (app.maintenance.why && !ending.signal.aborted)
      await wait(1_000, undefined, { signal: ending.signal }).catch(() => undefined);
    await runEach(app, cleanupSteps);
    const needed = [
      takeOverDownloads,
      { name: 'tasks', go: () => runner.begin() },
      { name: 'schedules', go: () => initializeSchedules(app, tasks) },
    ];
    const { over } = await runRequired(app, runsTasks ? needed : [], ending.signal);
    backgroundWork.push(() => over);
    recovered.resolve();
    if (ending.signal.aborted) return;
    const isNode = config.node !== undefined;
    const jobs = [
      ...(runsTasks ? periodicJobs : []),
      ...(isNode ? jobsOfNodes : []),
      ...(app.files.isRemote ? jobsOfBucket : []),
      ...(isNode && runsTasks ? jobsOfWorkers(runner) : []),
    ];
    backgroundWork.push(startPeriodicJobs(app, jobs));
    const checks = scheduleIntegrityChecks(app, ending.signal);
    backgroundWork.push(() => checks); // a process that still reads the database would keep SQLite from removing its log
    void installMissingTools(app, ending.signal)
      .then(() => recordStartedYtdlp(app))
      .then(() => checkYtdlpAfterStart(app, ending.signal));
  };

  return {
    app,
    /** Fires with a ConfigError when another server has taken the database; this server must exit. */
    taken: held.taken,
    /**
     * Finds the programs, runs the startup steps and starts background work; installs missing programs meanwhile. Never throws.
     */
    begin: () => {
      const begun = begin();
      backgroundWork.push(() => begun);
      return begun;
    },
    /** `answered` resolves when no request needs the database any more. */
    async close(answered?: Promise<unknown>) {
      ending.abort();
      await closeAll(backgroundWork);
      await answered;
      await closeAll(opened);
    },
  };
}
