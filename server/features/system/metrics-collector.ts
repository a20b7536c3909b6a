import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Gauge } from 'prom-client';
import type { AppContext } from '../../platform/context/app-context.ts';
import { latestBackups } from '../backup/latest-backups.ts';
import { bucketUse } from '../../archive/storage/disk-space.ts';
import { freeBytes } from '../../platform/files/free-space.ts';
import { countDamaged } from '../../archive/queries/video-counts.ts';
import { listCooldowns } from '../../archive/sites/site-cooldowns.ts';
import { cookieState } from '../../archive/cookies/stored-cookies.ts';
import { version } from '../../platform/config/version.ts';
import { createProcessMetrics } from './process-metrics.ts';

// Gauges that are read for /metrics. Expensive values are read at most once a minute; requests in the meantime get the last value
// immediately.
const freshMs = 60_000;
// Sampling interval of the event loop delay; measured values include this interval.
const everyMs = 20;

interface Library {
  videos: { kind: string; isActive: 0 | 1; count: number; bytes: number }[];
  damaged: number;
}

/** Reads video counts from the counter tables. */
async function libraryOf({ db }: Pick<AppContext, 'db'>): Promise<Library> {
  const [videos, damaged] = await Promise.all([
    db
      .selectFrom('videoKindCount')
      .select(['kind', 'isActive', 'videos as count', 'sizeBytes as bytes'])
      .where('videos', '>', 0)
      .execute(),
    countDamaged(db),
  ]);
  return { videos, damaged };
}

const queueOf = ({ db }: AppContext) =>
  db
    .selectFrom('queueStatusCount')
    .select((e) => ['status', 'failure', e.fn.sum<number>('items').as('count')])
    .where('items', '>', 0)
    .groupBy(['status', 'failure'])
    .execute();

/**
 * Caches the result of `work`: the first call waits, later calls return the last value and refresh it in the background if it is
 * older than `freshMs`.
 */
function kept<T>(work: () => Promise<T>): () => Promise<T> {
  let last: { value: T; at: number } | undefined;
  let making: Promise<T> | undefined;
  const make = () =>
    (making ??= work()
      .then((value) => {
        last = { value, at: performance.now() };
        return value;
      })
      .finally(() => (making = undefined)));
  return () => {
    if (!last) return make();
    if (performance.now() - last.at > freshMs) void make().catch(() => {}); // the next call tries again
    return Promise.resolve(last.value);
  };
}

const sizeOf = (path: string) =>
  stat(path).then(
    ({ size }) => size,
    () => null, // PostgreSQL, or no WAL file at the moment
  );

/**
 * Creates the gauges and returns a function that updates all of them. Of several nodes only the leader reports the archive, so
 * that sums over all nodes are right.
 */
export function createMetricsCollector(app: AppContext): () => Promise<void> {
  const { config, metrics, now } = app;
  const registers = [metrics.registry];
  const gauge = <L extends string = never>(name: string, help: string, labelNames: L[] = []) =>
    new Gauge({ name: `reelkeep_${name}`, help, labelNames, registers });

  const build = gauge('build_info', 'The versions that run', ['version', 'node', 'sqlite', 'ytdlp', 'ffmpeg']);
  const loop = gauge('event_loop_delay_seconds', 'How late the main thread is, since the last look', ['percentile']);
  const running = gauge('task_running', 'Tasks that run', ['name']);
  const queue = gauge('queue_items', 'What waits or is ignored, by the class of its last failure', ['status', 'class']);
  const paused = gauge('site_paused', '1 for a site that is left alone for now', ['site']);
  const videos = gauge('videos', 'Videos in the archive; gone ones are no longer at their site', ['type', 'state']);
  const bytes = gauge('library_bytes', 'Size of all media files');
  const free = gauge('disk_free_bytes', 'What may still be written', ['folder']);
  const database = gauge('db_bytes', 'Size of the database file');
  const log = gauge('wal_bytes', "Size of the database's log");
  const damaged = gauge('verify_failures', 'Files that were damaged or missing when they were last read');
  const cookie = gauge('cookie_expires_timestamp', 'When the login at sites ends');
  const backup = gauge('backup_last_success_timestamp', 'When the newest backup was written');
  const snapshot = gauge('snapshot_last_success_timestamp', 'When the newest snapshot was taken');
  const delay = monitorEventLoopDelay({ resolution: everyMs });
  delay.enable();

  const lookAtProcess = createProcessMetrics(metrics.registry);
  const library = kept(() => libraryOf(app));
  const items = kept(() => queueOf(app));
  // A bucket is not asked with each request.
  const newestCopies = app.files.isRemote ? kept(() => latestBackups(app)) : () => latestBackups(app);

  /** Unknown values are omitted, not reported as 0. */
  const clearArchive = () => {
    for (const one of [running, queue, paused, videos]) one.reset();
    for (const one of [bytes, damaged, cookie, backup, snapshot]) one.remove();
    free.remove({ folder: 'media' });
  };

  const reportProcess = async () => {
    const { tools } = app;
    const [data, file, wal] = await Promise.all([
      freeBytes(config.dataFolder),
      sizeOf(join(config.dataFolder, 'reelkeep.db')),
      sizeOf(join(config.dataFolder, 'reelkeep.db-wal')),
      lookAtProcess(),
    ]);
    build.reset();
    build.set(
      {
        version,
        node: process.versions.node,
        sqlite: process.versions.sqlite ?? '',
        ytdlp: tools.ytdlp?.version ?? '',
        ffmpeg: tools.ffmpeg?.version ?? '',
      },
      1,
    );
    for (const percentile of [50, 99, 100])
      loop.set({ percentile }, Math.max(0, delay.percentile(percentile) / 1e6 - everyMs) / 1000);
    delay.reset();
    free.set({ folder: 'data' }, data);
    for (const one of [database, log]) one.remove();
    if (file !== null) database.set(file);
    if (wal !== null) log.set(wal);
  };

  const reportArchive = async () => {
    const [held, waiting, sites, tasks, login, copies, media] = await Promise.all([
      library(),
      items(),
      listCooldowns(app.db, now()),
      app.db.selectFrom('task').select('name').where('status', '=', 'running').execute(),
      cookieState(app),
      newestCopies().catch(() => ({ backup: null, snapshot: null })),
      app.files.isRemote ? bucketUse(app) : freeBytes(config.mediaFolder),
    ]);
    clearArchive();
    for (const { name } of tasks) running.inc({ name });
    for (const { status, failure, count } of waiting) queue.inc({ status, class: failure || 'none' }, Number(count));
    for (const { site } of sites) paused.set({ site: metrics.site(site) }, 1);
    let sum = 0;
    for (const { kind, isActive, count, bytes: size } of held.videos) {
      videos.set({ type: kind, state: isActive ? 'active' : 'gone' }, Number(count));
      sum += Number(size);
    }
    bytes.set(sum);
    damaged.set(held.damaged);
    if (login.expires) cookie.set(login.expires);
    if (copies.backup) backup.set(copies.backup.at);
    if (copies.snapshot) snapshot.set(copies.snapshot.at);
    if (typeof media === 'number') free.set({ folder: 'media' }, media);
    else if (media.quota !== null) free.set({ folder: 'media' }, Math.max(0, media.quota - media.used));
  };

  return async () => {
    await Promise.all([reportProcess(), app.nodes.isLeader() ? reportArchive() : clearArchive()]);
  };
}
