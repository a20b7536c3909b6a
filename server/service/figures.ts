import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Gauge } from 'prom-client';
import type { Archive } from '../archive.ts';
import { newestCopies } from '../backup/state.ts';
import { freeBytes } from '../download/room-left.ts';
import { pausedSites } from '../download/site-pause.ts';
import { cookieState } from '../settings/cookie.ts';
import { version } from '../version.ts';
import { openProcessFigures } from './process-figures.ts';

// What stands rather than happens: looked up for /metrics, where reading it costs something at most once a minute. Whoever
// asks meanwhile gets what was known, at once.
const freshMs = 60_000;
// How often it is looked how late the main thread is; what is measured holds this time itself.
const everyMs = 20;

interface Library {
  videos: { kind: string; isActive: 0 | 1; count: number; bytes: number }[];
  damaged: number;
}

/** What the library holds, from the counts that the database keeps; what is damaged is counted by looking. */
async function libraryOf({ db }: Pick<Archive, 'db'>): Promise<Library> {
  const [videos, damaged] = await Promise.all([
    db
      .selectFrom('tally')
      .select((e) => ['kind', 'isActive', e.fn.sum<number>('videos').as('count'), e.fn.sum<number>('sizeBytes').as('bytes')])
      .where('videos', '>', 0)
      .groupBy(['kind', 'isActive'])
      .execute(),
    db
      .selectFrom('video')
      .select((e) => e.fn.countAll<number>().as('count'))
      .where('damage', 'is not', null)
      .executeTakeFirstOrThrow(),
  ]);
  return { videos, damaged: damaged.count };
}

const queueOf = ({ db }: Archive) =>
  db
    .selectFrom('download')
    .select((e) => ['status', 'failure', e.fn.countAll<number>().as('count')])
    .groupBy(['status', 'failure'])
    .execute();

/** The answer of `work`, kept for a while: the first to ask waits, later ones get the last and let it be made anew. */
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
    if (performance.now() - last.at > freshMs) void make().catch(() => {}); // said again when it is asked the next time
    return Promise.resolve(last.value);
  };
}

const sizeOf = (path: string) =>
  stat(path).then(
    ({ size }) => size,
    () => null, // PostgreSQL, or no log at this moment
  );

/** Makes the gauges, and answers how to look at everything once. */
export function openFigures(archive: Archive): () => Promise<void> {
  const { config, meter, now } = archive;
  const registers = [meter.registry];
  const gauge = <L extends string = never>(name: string, help: string, labelNames: L[] = []) =>
    new Gauge({ name: `reelkeep_${name}`, help, labelNames, registers });

  const build = gauge('build_info', 'The versions that run', ['version', 'node', 'sqlite', 'ytdlp', 'ffmpeg']);
  const loop = gauge('event_loop_delay_seconds', 'How late the main thread is, since the last look', ['quantile']);
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

  const lookAtProcess = openProcessFigures(meter.registry);
  const library = kept(() => libraryOf(archive));
  const items = kept(() => queueOf(archive));

  return async () => {
    const { tools } = archive;
    const [held, waiting, sites, tasks, login] = await Promise.all([
      library(),
      items(),
      pausedSites(archive.db, now()),
      archive.db.selectFrom('task').select('name').where('status', '=', 'running').execute(),
      cookieState(archive),
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
    for (const quantile of [50, 99, 100])
      loop.set({ quantile: String(quantile / 100) }, Math.max(0, delay.percentile(quantile) / 1e6 - everyMs) / 1000);
    delay.reset();
    for (const one of [running, queue, paused, videos]) one.reset();
    for (const one of [cookie, database, log, backup, snapshot]) one.remove(); // what is not known is absent, not 0
    for (const { name } of tasks) running.inc({ name });
    for (const { status, failure, count } of waiting) queue.inc({ status, class: failure ?? 'none' }, Number(count));
    for (const { site } of sites) paused.set({ site: meter.site(site) }, 1);
    let sum = 0;
    for (const { kind, isActive, count, bytes: size } of held.videos) {
      videos.set({ type: kind, state: isActive ? 'active' : 'gone' }, Number(count));
      sum += Number(size);
    }
    bytes.set(sum);
    damaged.set(held.damaged);
    if (login.expires) cookie.set(login.expires);
    const copies = await newestCopies(archive);
    if (copies.backup) backup.set(copies.backup.at);
    if (copies.snapshot) snapshot.set(copies.snapshot.at);
    const [media, data, file, wal] = await Promise.all([
      freeBytes(config.mediaFolder),
      freeBytes(config.dataFolder),
      sizeOf(join(config.dataFolder, 'reelkeep.db')),
      sizeOf(join(config.dataFolder, 'reelkeep.db-wal')),
    ]);
    free.set({ folder: 'media' }, media);
    free.set({ folder: 'data' }, data);
    if (file !== null) database.set(file);
    if (wal !== null) log.set(wal);
  };
}
