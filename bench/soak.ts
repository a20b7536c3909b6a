/**
 * `npm run bench -- soak`: keeps the large library busy for REELKEEP_BENCH_SOAK minutes (default: 480) with requests, searches,
 * playback positions, four players, some event listeners, and videos that are downloaded and deleted. REELKEEP_BENCH_PACE
 * multiplies the rates of requests, positions and videos, so 80 minutes at pace 6 do the work of eight hours. Logs the memory,
 * the event loop delay and the size of the database log every minute. Reports numbers without pass criteria.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { testSiteEnv } from '../e2e/support/acquisition.ts';
import type { PlaybackResult, ClientOptions } from './many-clients.ts';
import { startBenchProgram, createFilm, databaseUrl, largeLibrary, ms, table } from './large.ts';
import { people, videoId } from './library.ts';
import { residentMib, stop, timedStart, waitUntilIdle } from './program.ts';
import { createChooser, isForStaff, requestKinds } from './workload.ts';
import { createClient, logIn, timesOf } from './http-client.ts';
import { randomFrom } from './random-words.ts';

const minutes = Number(process.env.REELKEEP_BENCH_SOAK || 480);
const pace = Number(process.env.REELKEEP_BENCH_PACE || 1);
const requestsPerSecond = 20 * pace;
const savesPerSecond = 5 * pace;
const downloadsPerMinute = 4 * pace;
const minute = 60_000;

interface Sample {
  memory: number;
  /** 99th percentile of the event loop delay, milliseconds. */
  late: number;
  logMib: number;
}

/** Slope of a linear regression (least squares) over the index of the values. */
function slopeOf(values: number[]): number {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const rise = values.reduce((sum, value, n) => sum + (n - middle) * (value - mean), 0);
  return rise / values.reduce((sum, _, n) => sum + (n - middle) ** 2, 0);
}

const library = await largeLibrary();
// The ids of the site's videos have four digits.
const site = startBenchProgram('site.ts', { videos: Math.min(9_999, minutes * downloadsPerMinute) });
try {
  const { proxyUrl, ids } = await site.next<{ proxyUrl: string; ids: string[] }>();
  const { program, address } = await timedStart(library.data, { ...testSiteEnv({ proxyUrl }), ...library.env });
  const film = await createFilm(library, address);
  await waitUntilIdle(program);
  const cookies = await Promise.all(people.map((name) => logIn(address, name)));
  const clients = cookies.map((one) => createClient(address, one));
  const headers = cookies.map((one) => one.join('; '));
  // Only the first of the ten users has access to everything.
  const staff = clients[0]!;

  let isOver = false;
  const times: number[] = [];
  const rejections = new Map<string, number>();
  /** Sends a request and counts rejections by status. */
  const record = (request: Promise<number>) =>
    request.then(
      (took) => void times.push(took),
      (error: unknown) => {
        const reason = /answered (\d+)/.exec(String(error))?.[1] ?? String(error);
        rejections.set(reason, (rejections.get(reason) ?? 0) + 1);
      },
    );
  /** Starts a call at a fixed rate until the end, without waiting for earlier ones. */
  const paced = async (perSecond: number, call: (n: number) => unknown) => {
    const began = performance.now();
    for (let n = 0; !isOver; n++) {
      void call(n);
      await wait(Math.max(0, began + ((n + 1) * 1000) / perSecond - performance.now()));
    }
  };
  const clientOf = (n: number) => clients[n % clients.length]!;
  const permittedClientOf = (path: string, n: number) => (isForStaff(path) ? staff : clientOf(n));
  const choose = createChooser(requestKinds, randomFrom(5));

  const viewerOptions: ClientOptions = {
    what: 'watch',
    address,
    cookies: headers.slice(0, 2),
    each: 2,
    film,
    bytesPerSecond: 1_000_000,
  };
  const viewers = startBenchProgram('many-clients.ts', viewerOptions);
  const listeners = startBenchProgram('many-clients.ts', {
    what: 'listen',
    address,
    cookies: headers,
    each: 2,
  } satisfies ClientOptions);
  await Promise.all([viewers.next(), listeners.next()]);

  let arrived = 0;
  // The default pauses between downloads, meant for real sites, allow five videos per minute.
  if (pace > 1) await staff.time('/api/appsettings/config/', { method: 'POST', body: { downloads: { sleep_interval: null } } });
  const downloaded: string[] = [];
  /** Downloads one more video, and deletes the one from two minutes ago if it has arrived. */
  const downloadAndDelete = async (n: number) => {
    const next = ids[n];
    if (next === undefined) return;
    await staff.time('/api/download/?autostart=true', {
      method: 'POST',
      body: { data: [{ youtube_id: next, status: 'pending' }] },
    });
    downloaded.push(next);
    const oldest = downloaded.length > 2 * downloadsPerMinute ? downloaded.shift()! : undefined;
    if (oldest === undefined) return;
    const isArchived = await staff.time(`/api/video/${oldest}/`).catch(() => null);
    if (isArchived === null) return void downloaded.push(oldest);
    arrived++;
    await staff.time(`/api/video/${oldest}/`, { method: 'DELETE' });
  };

  const metric = (text: string, name: string) =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(name))
        ?.split(' ')
        .at(-1),
    );
  async function takeSample(): Promise<Sample> {
    const text = await (await fetch(`${address}/metrics`, { headers: { cookie: headers[0]! } })).text();
    return {
      memory: (await residentMib(program)) ?? Number.NaN,
      late: 1000 * metric(text, 'reelkeep_event_loop_delay_seconds{percentile="99"}'),
      logMib: metric(text, 'reelkeep_wal_bytes') / 2 ** 20,
    };
  }

  await takeSample();
  const busy = Promise.all([
    paced(requestsPerSecond, (n) => {
      const path = choose().path(n);
      return record(permittedClientOf(path, n).time(path));
    }),
    paced(savesPerSecond, (n) =>
      record(
        clientOf(n).time(`/api/video/${videoId((n * 37) % 90_000)}/progress/`, {
          method: 'POST',
          body: { position: 9 + (n % 7) },
        }),
      ),
    ),
    paced(downloadsPerMinute / 60, (n) => downloadAndDelete(n).catch((error: unknown) => console.log(`download ${n}: ${error}`))),
  ]);
  const samples: Sample[] = [];
  for (let n = 1; n <= minutes; n++) {
    await wait(minute);
    const sample = await takeSample();
    samples.push(sample);
    if (n % 10 === 0)
      console.log(
        `… after ${n} minutes${pace === 1 ? '' : ` at pace ${pace}`}: ${sample.memory.toFixed(0)} MiB, main thread 99 % ${ms(sample.late)} ms late, log ${ms(sample.logMib)} MiB, ${times.length} answers, ${arrived} videos came`,
      );
  }
  isOver = true;
  viewers.end();
  listeners.end();
  const playback = await viewers.next<PlaybackResult>();
  await busy;
  const { p50, p95, p99, max } = timesOf(times);
  // The first half hour fills the caches.
  const settled = samples.slice(Math.min(30, Math.floor(minutes / 2)));
  const range = (of: (sample: Sample) => number, digits = 0) =>
    `${Math.min(...settled.map(of)).toFixed(digits)} to ${Math.max(...settled.map(of)).toFixed(digits)}`;
  const refused = [...rejections].map(([reason, count]) => `${count} × ${reason}`).join(', ') || 'none';
  table(
    [`${minutes} minutes of everything at pace ${pace}, ${databaseUrl ? 'PostgreSQL' : 'SQLite'}`, 'measured', 'must'],
    [
      ['answers', `${times.length}: median ${ms(p50)}, 95 % ${ms(p95)}, 99 % ${ms(p99)}, at most ${ms(max)} ms`, '–'],
      ['refused', refused, 'no 5xx'],
      ['videos that came and were deleted again', String(arrived), '–'],
      [
        'pieces of film, late by',
        `99 % ${ms(playback.late.p99)}, at most ${ms(playback.late.max)} ms; ${playback.refused} refused`,
        '–',
      ],
      ['memory after the first half hour', `${range(({ memory }) => memory)} MiB`, '< 238 MiB'],
      [
        '… by how much it grows',
        `${((60 / pace) * slopeOf(settled.map(({ memory }) => memory))).toFixed(2)} MiB for what an hour does at pace 1`,
        '< 1 MiB an hour',
      ],
      ['main thread late, 99 % of each minute', `${range(({ late }) => late, 1)} ms`, '< 20 ms'],
      ["the database's log", `${range(({ logMib }) => logMib, 1)} MiB`, 'bounded'],
    ],
  );
  for (const client of clients) client.close();
  await stop(program);
} finally {
  site.stop();
  await library.forget();
}
