/**
 * `npm run bench -- faults`: downloads videos with three workers while faults happen at random, and checks that nothing is lost, nothing
 * is archived twice, and no limit of a site is exceeded. The workers and a web server share an empty PostgreSQL database, which
 * `REELKEEP_BENCH_POSTGRES` names. `REELKEEP_BENCH_SEED` repeats the faults of an earlier run. A wrong clock needs libfaketime. With
 * versitygw (`REELKEEP_TEST_VERSITYGW`) media are in a bucket, which also has faults.
 */
import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { findInconsistencies } from '#server/features/library/consistency/check.ts';
import { readConfig } from '#server/platform/config/config.ts';
import { openFileStore } from '#server/app/open-file-store.ts';
import { removeAbandonedUploads } from '#server/archive/storage/abandoned-uploads.ts';
import { filesOf } from '#server/archive/video/media-files.ts';
import type { AppContext } from '#server/platform/context/app-context.ts';
import { singleNode } from '#server/platform/context/nodes.ts';
import { startS3Relay, type S3Fault } from '#server/test-support/s3-relay.ts';
import { startS3, versitygwPath } from '#server/test-support/s3.ts';
import { openPostgres } from '#server/platform/db/postgres/postgres.ts';
import { renderMessages } from '#server/platform/messages/render.ts';
import { startPostgresRelay } from '#server/test-support/postgres-relay.ts';
import { testSiteEnv } from '../e2e/support/acquisition.ts';
import { addressOf, startProgram } from '../e2e/support/program.ts';
import { aCatalogue, aChannel, aVideo } from '../test-site/builders.ts';
import { startTestSite } from '../test-site/site.ts';
import { createCaller, logIn } from './http-client.ts';
import { endWithThis } from './program.ts';

const videoCount = 500;
const faultCount = 50;
const perSite = 2;
const names = ['first', 'second', 'third'];
// Longer than a node counts as alive, so that others continue its work.
const frozenMs = 36_000;
const silentMs = 20_000;
const bucketMs = 15_000;
const libfaketime = [
  '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1',
  '/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1',
].find((path) => existsSync(path));

const database = process.env['REELKEEP_BENCH_POSTGRES'];
if (!database) throw new Error('Set REELKEEP_BENCH_POSTGRES to the URL of an empty PostgreSQL database.');
const seed = Number(process.env['REELKEEP_BENCH_SEED'] ?? Date.now() % 1_000_000);
let state = seed;
/** A number from 0 to `below` - 1 (a linear congruential generator). */
const random = (below: number) => {
  state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
  return Math.floor((state / 2 ** 32) * below);
};

const channel = aChannel({ name: 'Storm' });
const ids = Array.from({ length: videoCount }, (_, n) => `inStorm${String(n).padStart(4, '0')}`);
const videos = ids.map((id) => aVideo({ id, channelId: channel.id, durationSeconds: 4 }));
const testSite = await startTestSite({ catalogue: aCatalogue({ channels: [channel], videos }) });
const folder = await mkdtemp(join(tmpdir(), 'reelkeep-bench-faults-'));
const mediaFolder = join(folder, 'media');
const s3 = versitygwPath ? await startS3() : null;
const shared = {
  ...testSiteEnv(testSite),
  ...(!s3 && { REELKEEP_MEDIA: mediaFolder, REELKEEP_CACHE: join(folder, 'cache') }),
  REELKEEP_KEY: '7b'.repeat(32),
  REELKEEP_LOG: 'warn',
};
async function start(name: string, role: 'web' | 'worker', env: Record<string, string>) {
  const program = await startProgram({
    data: join(folder, name),
    env: { ...shared, REELKEEP_NODE: name, REELKEEP_ROLE: role, ...env },
  });
  endWithThis(program.child);
  return { program, address: await addressOf(program) };
}

const web = await start('web', 'web', { REELKEEP_DATABASE: database, ...s3?.env });
const call = createCaller(web.address, await logIn(web.address, 'demo'));
await call('POST', '/api/appsettings/config/', { downloads: { sleep_interval: null }, queue: { at_once: 2, per_site: perSite } });

/** Starts a worker whose connections to the database can be cut. */
async function createWorker(name: string) {
  const relay = await startPostgresRelay(database!);
  const bucket = s3 && (await startS3Relay(s3.endpoint));
  const env = {
    REELKEEP_DATABASE: relay.url,
    REELKEEP_EGRESS: name,
    ...(s3 && { ...s3.env, REELKEEP_S3_ENDPOINT: bucket!.endpoint }),
  };
  const begin = async (more: Record<string, string> = {}) => (await start(name, 'worker', { ...env, ...more })).program;
  return { name, relay, bucket, begin, program: await begin(), isBusy: false };
}
type Worker = Awaited<ReturnType<typeof createWorker>>;
const workers = await Promise.all(names.map(createWorker));

async function restart(worker: Worker, signal: 'SIGKILL' | 'SIGTERM', env: Record<string, string> = {}) {
  worker.program.child.kill(signal);
  await worker.program.ended;
  await wait(random(4000));
  worker.program = await worker.begin(env);
}
const bucketFault = (fault: S3Fault) => async (worker: Worker) => {
  worker.bucket!.state.fault = fault;
  await wait(bucketMs);
  worker.bucket!.state.fault = null;
};
const faults: Record<string, (worker: Worker) => Promise<void>> = {
  kill: (worker) => restart(worker, 'SIGKILL'),
  stop: (worker) => restart(worker, 'SIGTERM'),
  async freeze({ program }) {
    program.child.kill('SIGSTOP');
    await wait(frozenMs);
    program.child.kill('SIGCONT');
  },
  cut: async ({ relay }) => relay.cut(),
  async silence({ relay }) {
    void relay.silence().catch(() => {}); // the worker may send nothing
    await wait(silentMs);
    relay.cut();
  },
  ...(s3 && {
    'bucket answers 500': bucketFault('error'),
    'bucket is slow': bucketFault('slow'),
    'bucket cuts answers': bucketFault('cut'),
  }),
  ...(libfaketime && {
    'clock 180 s ahead': (worker: Worker) => restart(worker, 'SIGTERM', { LD_PRELOAD: libfaketime, FAKETIME: '+180s' }),
  }),
};

const client = new pg.Client({ connectionString: database });
await client.connect();
const problems: string[] = [];
let maxAtOnce = 0;
/** Counts the valid leases of each network address. */
async function checkLimits() {
  const { rows } = await client.query<{ egress: string; held: number }>(
    'select egress, count(*)::int as held from download where lease_until >= extract(epoch from now()) group by site, egress',
  );
  for (const { egress, held } of rows) if (held > perSite) problems.push(`${egress} held ${held} items`);
  maxAtOnce = Math.max(
    maxAtOnce,
    rows.reduce((sum, { held }) => sum + held, 0),
  );
}
let isOver = false;
const checking = (async () => {
  for (; !isOver; await wait(100)) await checkLimits();
})();

const totalOf = async (path: string) => (await call<{ paginate: { total_hits: number } }>('GET', path)).paginate.total_hits;
const began = performance.now();
await call('POST', '/api/download/?autostart=true&flat=true', { data: ids.map((youtube_id) => ({ youtube_id })) });
const done: Record<string, number> = {};
const running = new Set<Promise<void>>();
for (let n = 0; n < faultCount; n++) {
  await wait(2000 + random(4000));
  const free = workers.filter(({ isBusy }) => !isBusy);
  // One worker stays as it is.
  if (free.length === 1) {
    n--;
    continue;
  }
  const { rows } = await client.query<{ name: string }>('select name from node where is_leader = 1');
  const leader = free.find(({ name }) => rows.some((row) => row.name === name));
  const worker = random(4) === 0 && leader ? leader : free[random(free.length)]!;
  const kinds = Object.keys(faults);
  const kind = kinds[random(kinds.length)]!;
  worker.isBusy = true;
  const label = worker === leader ? `${kind} (leader)` : kind;
  done[label] = (done[label] ?? 0) + 1;
  const fault: Promise<void> = faults[kind]!(worker)
    .catch((error: unknown) => void problems.push(`${kind}: ${String(error)}`))
    .finally(() => {
      worker.isBusy = false;
      running.delete(fault);
    });
  running.add(fault);
}
await Promise.all(running);
const duringFaults = await totalOf('/api/video/');
// What failed is retried at once instead of at its time.
let emptyTimes = 0;
while ((await totalOf('/api/video/')) < videoCount) {
  await client.query(
    "update download set retry_at = extract(epoch from now())::int where retry_at is not null and status = 'pending'",
  );
  await call('POST', '/api/task/by-name/download_pending/');
  await wait(3000);
  emptyTimes = (await totalOf('/api/download/?filter=pending')) === 0 ? emptyTimes + 1 : 0;
  if (emptyTimes > 3) {
    problems.push(`${videoCount - (await totalOf('/api/video/'))} videos are missing`);
    break;
  }
}
isOver = true;
await checking;
// A start removes what a killed worker left.
for (const worker of workers) await restart(worker, 'SIGTERM');
await wait(5000);
for (const name of names) {
  const left = readdirSync(join(s3 ? join(folder, name, 'media') : mediaFolder, '.incoming', `node-${name}`));
  if (left.length > 0) problems.push(`${name} left ${left.join(', ')}`);
}
if ((await totalOf('/api/download/')) > 0) problems.push('the queue is not empty');
const db = openPostgres(database);
const config = readConfig({
  REELKEEP_DATA: join(folder, 'web'),
  ...s3?.env,
  ...(!s3 && { REELKEEP_MEDIA: mediaFolder, REELKEEP_CACHE: shared.REELKEEP_CACHE }),
});
const files = await openFileStore(config);
if (s3) {
  // What lost uploads left is deleted after a day, by a server; here at once, as if it were tomorrow.
  const log = { info() {}, warn: console.warn, error: console.error };
  const now = () => Math.floor(Date.now() / 1000) + 2 * 86_400;
  const tomorrow = { db, config, files, nodes: singleNode, runId: 'bench', now, log } as unknown as AppContext;
  await removeAbandonedUploads(tomorrow, { olderThanSeconds: 86_400 });
  const known = new Set<string>();
  for (const { id } of await db.selectFrom('video').select('id').execute())
    for (const path of await filesOf(db as never, id)) known.add(path);
  const unknown: string[] = [];
  for await (const { path } of files.list('')) if (!known.has(path)) unknown.push(path);
  console.log(
    `${known.size} files of videos; requests with a fault: ${JSON.stringify(workers.map(({ bucket }) => bucket!.state.counts))}`,
  );
  if (unknown.length > 0) problems.push(`objects without a row: ${unknown.join(', ')}`);
}
for await (const problem of findInconsistencies({ db, config, files })) problems.push(renderMessages(problem));
files.close();
await db.destroy();
const { rows } = await client.query(
  "select 1 from run_log join task on task.id = task_id where name = 'download_pending' and kind = 'problem'",
);
console.log(
  `seed ${seed}: ${faultCount} faults in ${((performance.now() - began) / 1000).toFixed(0)} s: ${JSON.stringify(done)}`,
);
console.log(
  `${duringFaults} of ${videoCount} videos archived during the faults, ${await totalOf('/api/video/')} in the end; ${rows.length} downloads failed and were repeated`,
);
console.log(`at most ${maxAtOnce} downloads at once, ${perSite} for each of ${names.length} addresses`);
console.log(problems.length === 0 ? 'No problem was found.' : [...new Set(problems)].join('\n'));
for (const { child } of [web.program, ...workers.map(({ program }) => program)]) child.kill('SIGTERM');
await client.end();
await testSite.close();
for (const { bucket } of workers) bucket?.close();
await s3?.stop();
if (problems.length === 0) await rm(folder, { recursive: true });
process.exit(problems.length === 0 ? 0 : 1);
