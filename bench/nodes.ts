/**
 * `npm run bench -- nodes`: time until a browser at one server shows a change at another one, and lists of videos per second from one
 * and from two servers. Two web servers share an empty PostgreSQL database, which `REELKEEP_BENCH_POSTGRES` names.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openPostgres } from '#server/platform/db/postgres/postgres.ts';
import { createCaller, createClient, headersOf, logIn, timesOf } from './http-client.ts';
import { ms } from './large.ts';
import { stop, timedStart } from './program.ts';

const changes = 60;
// Longer than events are collected for a browser.
const pauseMs = 400;
const listMs = 8_000;

const database = process.env['REELKEEP_BENCH_POSTGRES'];
if (!database) throw new Error('Set REELKEEP_BENCH_POSTGRES to the URL of an empty PostgreSQL database.');
const folder = await mkdtemp(join(tmpdir(), 'reelkeep-bench-nodes-'));
const start = (name: string) =>
  timedStart(join(folder, name), {
    REELKEEP_DATABASE: database,
    REELKEEP_MEDIA: join(folder, 'media'),
    REELKEEP_CACHE: join(folder, 'cache'),
    REELKEEP_KEY: '7b'.repeat(32),
    REELKEEP_NODE: name,
    REELKEEP_ROLE: 'web',
  });
const first = await start('first');
const second = await start('second');
const cookies = await logIn(first.address, 'demo');
const headers = headersOf(cookies);
const call = createCaller(first.address, cookies);

/** Opens the events of a server. `next` resolves with the time of the next one. */
async function listenTo(address: string) {
  const response = await fetch(`${address}/api/events/`, { headers });
  let waiting: ((at: number) => void) | undefined;
  void (async () => {
    for await (const text of response.body!.pipeThrough(new TextDecoderStream()))
      if (text.includes('event: changed')) waiting?.(performance.now());
  })().catch(() => {}); // the server ends
  return {
    next: () =>
      new Promise<number>((resolve) => {
        waiting = resolve;
      }),
  };
}

const streams = { here: await listenTo(first.address), there: await listenTo(second.address) };
const times = { here: [] as number[], there: [] as number[] };
for (let n = 0; n < changes; n++) {
  await wait(pauseMs);
  const received = Promise.all([streams.here.next(), streams.there.next()]);
  const began = performance.now();
  await call('POST', '/api/user/me/', { grid_items: 3 + (n % 5) });
  const [here, there] = await received;
  times.here.push(here - began);
  times.there.push(there - began);
}
for (const [place, list] of Object.entries(times)) {
  const { p50, p95 } = timesOf(list);
  console.log(`${place === 'here' ? 'same server' : 'other server'}: median ${ms(p50)}, 95 % ${ms(p95)}`);
}

const videoCount = 1000;
const db = openPostgres(database);
const row = { site: 'youtube', refreshedAt: 0 };
await db
  .insertInto('channel')
  .values({ ...row, id: 'UCnodes', siteId: 'UCnodes', name: 'N', sortName: 'n', addedAt: 0 })
  .execute();
await db
  .insertInto('video')
  .values(
    Array.from({ length: videoCount }, (_, n) => ({
      ...row,
      id: `node${n}`,
      siteId: `node${n}`,
      channelId: 'UCnodes',
      title: `Video ${n}`,
      sortTitle: `video ${n}`,
      kind: 'videos' as const,
      publishedAt: n,
      downloadedAt: n,
      durationSeconds: 60,
      sizeBytes: 1000,
      sha256: '',
      mediaPath: `UCnodes/node${n}.mp4`,
    })),
  )
  .execute();
await db.destroy();

/** Pages of the list of videos per second from these servers, over 16 connections. */
async function listsPerSecond(addresses: string[]): Promise<number> {
  const clients = addresses.map((address) => createClient(address, cookies));
  const until = performance.now() + listMs;
  let count = 0;
  await Promise.all(
    Array.from({ length: 16 }, async (_, n) => {
      for (let page = n; performance.now() < until; page++) {
        await clients[n % clients.length]!.time(`/api/video/?page=${1 + (page % 40)}`);
        count++;
      }
    }),
  );
  for (const client of clients) client.close();
  return (count * 1000) / listMs;
}
for (const server of [first, second]) await listsPerSecond([server.address]); // compiled code, filled caches
const [one, two] = [await listsPerSecond([first.address]), await listsPerSecond([first.address, second.address])];
console.log(`lists per second: ${one.toFixed(0)} from one server, ${two.toFixed(0)} from two (${(two / one).toFixed(2)} times)`);
await stop(first.program);
await stop(second.program);
await rm(folder, { recursive: true });
process.exit();
