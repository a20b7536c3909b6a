/**
 * `npm run bench -- scale`: measures the server with the large library over HTTP: each kind of request alone, the same with cold
 * caches, and all at once with ten users, while four play, positions are saved and videos are downloaded. Reports numbers without
 * pass criteria.
 */
import { execFileSync } from 'node:child_process';
import { cpus } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { testSiteEnv } from '../e2e/support/acquisition.ts';
import { startBenchProgram, createFilm, databaseUrl, largeLibrary, ms, table, isSelected } from './large.ts';
import { people, videoId } from './library.ts';
import { residentMib, stop, timedStart, waitUntilIdle } from './program.ts';
import { createChooser, isForStaff, requestKinds } from './workload.ts';
import { endlessScroll } from './pages.ts';
import { streamingAgainstNginx } from './streaming.ts';
import { createClient, logIn, timesOf, type BenchClient } from './http-client.ts';
import { randomFrom } from './random-words.ts';

const mixSeconds = Number(process.env.REELKEEP_BENCH_SECONDS || 40);
const requestsPerSecond = Number(process.env.REELKEEP_BENCH_RATE || 40);
const savesPerSecond = 50;
const viewers = 4;
const viewerBytesPerSecond = 1_000_000; // 8 Mbit/s

const library = await largeLibrary();
const { folder, data } = library;
const site = startBenchProgram('site.ts');
const { proxyUrl, channel, channelId } = await site.next<{ proxyUrl: string; channel: string; channelId: string }>();
const env = { ...testSiteEnv({ proxyUrl }), ...library.env };

/** Drops the page cache. Returns false without the permission to do so. */
function dropPageCache(): boolean {
  try {
    execFileSync('sh', ['-c', 'sync; echo 3 > /proc/sys/vm/drop_caches'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const timeRequests = (requestKind: (typeof requestKinds)[number], client: BenchClient, count: number) =>
  (async () => {
    const times: number[] = [];
    for (let n = 0; n < count; n++) times.push(await client.time(requestKind.path(n)));
    return times;
  })();

async function measureAlone(address: string) {
  const client = createClient(address, await logIn(address, 'demo'));
  const rows: string[][] = [];
  // Warm-up of the same length as the measurement, for file caches and JIT compilation.
  for (const requestKind of requestKinds) await timeRequests(requestKind, client, 140);
  for (const requestKind of requestKinds) {
    const { p50, p95, max } = timesOf(await timeRequests(requestKind, client, 100));
    rows.push([requestKind.kind, ms(p50), ms(p95), ms(max), `< ${requestKind.goal}`, p95 < requestKind.goal ? '' : 'missed']);
  }
  const saves: number[] = [];
  for (let n = 0; n < 200; n++)
    saves.push(await client.time(`/api/video/${videoId(n)}/progress/`, { method: 'POST', body: { position: 8 + (n % 5) } }));
  const { p50, p95, max } = timesOf(saves);
  rows.push(['saving a position', ms(p50), ms(p95), ms(max), '< 10', p95 < 10 ? '' : 'missed']);
  client.close();
  table(['one after the other, warm', 'median', '95 %', 'longest', 'goal (95 %)', ''], rows);
}

async function measureCold() {
  await library.memoryLock?.unlock();
  const { program, address } = await timedStart(data, env);
  await waitUntilIdle(program); // the server reads the whole database first
  if (!dropPageCache()) {
    await stop(program);
    return console.log('The page cache cannot be dropped by this account, so cold caches were not measured.');
  }
  const client = createClient(address, await logIn(address, 'demo'));
  const rows: string[][] = [];
  for (const requestKind of requestKinds) rows.push([requestKind.kind, ...(await timeRequests(requestKind, client, 4)).map(ms)]);
  client.close();
  await stop(program);
  table(['after the cache of files was dropped', 'first', 'second', 'third', 'fourth'], rows);
}

/** Returns the maximum number of responses per second, with this many connections that send requests back to back. */
async function measureMaximum(address: string, connections = 16, ms = 8_000) {
  const client = createClient(address, await logIn(address, 'demo'));
  const until = performance.now() + ms;
  const times: number[] = [];
  const sendUntilOver = async () => {
    while (performance.now() < until) times.push(await client.time('/api/video/'));
  };
  await Promise.all(Array.from({ length: connections }, sendUntilOver));
  client.close();
  const { p50, p95 } = timesOf(times);
  console.log(
    `first pages of videos, ${connections} connections: ${((times.length * 1000) / ms).toFixed(0)} per second, median ${p50.toFixed(1)} ms, 95 % ${p95.toFixed(1)} ms\n`,
  );
}

async function measureTogether(address: string, film: string, memory: () => Promise<number | null>) {
  const clients = await Promise.all(people.map(async (name) => createClient(address, await logIn(address, name))));
  const until = performance.now() + mixSeconds * 1000;
  const isOver = () => performance.now() > until;
  const random = randomFrom(3);
  const choose = createChooser(requestKinds, random);
  const times = new Map<string, number[]>(requestKinds.map(({ kind }) => [kind, []]));
  let [refused, peak] = [0, 0];
  // Ten users send requests independently of each other.
  const browse = async () => {
    const all: Promise<unknown>[] = [];
    for (let n = 0; !isOver(); n++) {
      const requestKind = choose();
      const path = requestKind.path(n);
      // Only the first of the ten users has access to everything.
      const request = clients[isForStaff(path) ? 0 : n % clients.length]!.time(path).then(
        (took) => times.get(requestKind.kind)!.push(took),
        () => refused++,
      );
      all.push(request);
      await wait((-Math.log(1 - random()) * 1000) / requestsPerSecond);
    }
    await Promise.all(all);
  };
  const saves: number[] = [];
  const save = async () => {
    const all: Promise<unknown>[] = [];
    for (let n = 0; !isOver(); n++) {
      const client = clients[n % clients.length]!;
      const path = `/api/video/${videoId((n * 37) % 90_000)}/progress/`;
      all.push(client.time(path, { method: 'POST', body: { position: 10 } }).then((took) => saves.push(took)));
      await wait(1000 / savesPerSecond);
    }
    await Promise.all(all);
  };
  const samplePeak = async () => {
    for (; !isOver(); await wait(250)) peak = Math.max(peak, (await memory()) ?? 0);
  };
  const began = performance.now();
  const stalls = await Promise.all([
    ...Array.from({ length: viewers }, (_, n) => clients[n]!.watch(film, viewerBytesPerSecond, isOver)),
    browse().then(() => 0),
    save().then(() => 0),
    samplePeak().then(() => 0),
  ]);
  const seconds = (performance.now() - began) / 1000;
  for (const client of clients) client.close();
  const all = [...times.values()].flat();
  const lists = requestKinds.filter(({ goal }) => goal === 10).flatMap(({ kind }) => times.get(kind) ?? []);
  table(
    [
      `all at once: ${requestsPerSecond} requests per second, ${all.length} responses in ${seconds.toFixed(0)} s`,
      'median',
      '95 %',
      '99 %',
      'longest',
    ],
    [
      ...[...times].filter(([, list]) => list.length > 0),
      ['lists, details and statistics', lists] as const,
      ['everything', all] as const,
      ['saving a position', saves] as const,
    ].map(([kind, list]) => {
      const { p50, p95, p99, max } = timesOf(list);
      return [kind, ms(p50), ms(p95), ms(p99), ms(max)];
    }),
  );
  console.log(`${(all.length / seconds).toFixed(0)} responses per second; ${refused} rejected`);
  console.log(`longest wait of one of ${viewers} viewers for 0.25 s of video: ${ms(Math.max(...stalls))} ms`);
  console.log(`most resident memory: ${peak.toFixed(0)} MiB`);
}

try {
  const { program, address, milliseconds } = await timedStart(data, env);
  console.log(`${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}, ${databaseUrl ? 'PostgreSQL' : 'SQLite'}`);
  console.log(`ready after ${(milliseconds / 1000).toFixed(2)} s, ${(await residentMib(program))?.toFixed(0)} MiB`);
  const film = await createFilm(library, address);
  await waitUntilIdle(program);
  if (isSelected('alone')) await measureAlone(address);
  if (isSelected('most')) await measureMaximum(address);
  console.log(`${(await residentMib(program))?.toFixed(0)} MiB after that`);
  const cookies = await logIn(address, 'demo');
  const staff = createClient(address, cookies);
  // Warm-up, because this part can be measured alone, on a server that has not compiled its code yet.
  if (isSelected('together')) for (const requestKind of requestKinds) await timeRequests(requestKind, staff, 20);
  await staff.time('/api/download/?autostart=true&flat=true', {
    method: 'POST',
    body: { data: [{ youtube_id: channel, status: 'pending' }] },
  });
  await wait(5_000);
  const countArrived = async () => {
    const response = await fetch(`${address}/api/video/?channel=${channelId}`, { headers: { cookie: cookies.join('; ') } });
    return ((await response.json()) as { paginate: { total_hits: number } }).paginate.total_hits;
  };
  const before = await countArrived();
  if (isSelected('together')) await measureTogether(address, film, () => residentMib(program));
  console.log(`videos archived meanwhile: ${(await countArrived()) - before}`);
  staff.close();
  // At 15,000 pixels per second, and at the highest speed that still renders complete cards.
  for (const [cards, pixels] of isSelected('scroll')
    ? ([
        [10_000, 250],
        [2_000, 48],
      ] as const)
    : []) {
    const scrolled = await endlessScroll(address, cards, pixels);
    if (!scrolled) break;
    console.log(
      `by ${pixels} pixels a frame scrolled past ${scrolled.passed} videos in ${scrolled.frames} frames: ${scrolled.slow} took more than 50 ms, the longest ${ms(scrolled.longest)} ms; at most ${scrolled.maxCards} cards at once`,
    );
  }
  await stop(program);
  if (!databaseUrl && isSelected('cold')) await measureCold();
  if (isSelected('streaming')) {
    const rows = await streamingAgainstNginx(folder);
    if (rows)
      table(
        ['ranges of a large file, readers at once', 'ours', 'nginx', 'ratio', 'goal', 'processor for 1 GiB, ours', 'nginx'],
        rows.map(({ readers, ours, theirs, oursProcessor, theirsProcessor }) => [
          String(readers),
          `${(ours / 1e9).toFixed(2)} GB/s`,
          `${(theirs / 1e9).toFixed(2)} GB/s`,
          (ours / theirs).toFixed(2),
          '≥ 0.8',
          `${oursProcessor.toFixed(2)} s`,
          `${theirsProcessor.toFixed(2)} s`,
        ]),
      );
    else console.log('nginx is not installed, so it was not compared');
  }
} finally {
  site.stop();
  await library.forget();
}
