/**
 * `npm run bench -- workers`: time to download videos of a slow site with one, two and three workers, each at its own network address.
 * They share an empty PostgreSQL database, which `REELKEEP_BENCH_POSTGRES` names.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { testSiteEnv } from '../e2e/support/acquisition.ts';
import { aCatalogue, aChannel, aVideo } from '../test-site/builders.ts';
import { startTestSite } from '../test-site/site.ts';
import { createCaller, logIn } from './http-client.ts';
import { stop, timedStart } from './program.ts';

const videosEach = 12;
// Slow enough that the site and not the machine sets the pace.
const bytesPerSecond = 8000;
const maxWorkers = 3;

const database = process.env['REELKEEP_BENCH_POSTGRES'];
if (!database) throw new Error('Set REELKEEP_BENCH_POSTGRES to the URL of an empty PostgreSQL database.');
const channel = aChannel({ name: 'Patience' });
const idsOf = (workers: number) =>
  Array.from({ length: videosEach }, (_, n) => `patience${workers}${String(n).padStart(2, '0')}`);
const videos = Array.from({ length: maxWorkers }, (_, n) => idsOf(n + 1))
  .flat()
  .map((id) => aVideo({ id, channelId: channel.id, durationSeconds: 5, fault: { kind: 'slow', bytesPerSecond } }));
const testSite = await startTestSite({ catalogue: aCatalogue({ channels: [channel], videos }) });
const folder = await mkdtemp(join(tmpdir(), 'reelkeep-bench-workers-'));
const start = (name: string, role: 'web' | 'worker') =>
  timedStart(join(folder, name), {
    ...testSiteEnv(testSite),
    REELKEEP_DATABASE: database,
    REELKEEP_MEDIA: join(folder, 'media'),
    REELKEEP_CACHE: join(folder, 'cache'),
    REELKEEP_KEY: '7b'.repeat(32),
    REELKEEP_NODE: name,
    REELKEEP_ROLE: role,
    ...(role === 'worker' && { REELKEEP_EGRESS: name }),
  });
const web = await start('web', 'web');
const call = createCaller(web.address, await logIn(web.address, 'demo'));
await call('POST', '/api/appsettings/config/', { downloads: { sleep_interval: null } });
const totalOf = async (path: string) => (await call<{ paginate: { total_hits: number } }>('GET', path)).paginate.total_hits;

let alone = 0;
for (let workers = 1; workers <= maxWorkers; workers++) {
  const started = await Promise.all(Array.from({ length: workers }, (_, n) => start(`worker-${n + 1}`, 'worker')));
  const data = idsOf(workers).map((youtube_id) => ({ youtube_id }));
  await call('POST', '/api/download/', { data });
  while ((await totalOf('/api/download/?filter=pending')) < videosEach) await wait(100);
  const before = await totalOf('/api/video/');
  const began = performance.now();
  await call('POST', '/api/task/by-name/download_pending/');
  while ((await totalOf('/api/video/')) < before + videosEach) await wait(100);
  const seconds = (performance.now() - began) / 1000;
  alone ||= seconds;
  const rate = (seconds / videosEach).toFixed(1);
  console.log(
    `${workers} workers: ${seconds.toFixed(1)} s, one video in ${rate} s, ${(alone / seconds).toFixed(2)} × one worker`,
  );
  await Promise.all(started.map(({ program }) => stop(program)));
}
await stop(web.program);
await testSite.close();
await rm(folder, { recursive: true });
process.exit();
