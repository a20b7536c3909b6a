/**
 * `npm run bench:soak`: the large library kept busy for REELKEEP_BENCH_SOAK minutes (480 unless it says otherwise), with questions, searches,
 * places, four who watch, some who listen, and videos that are downloaded and deleted again; REELKEEP_BENCH_PACE times as many questions, places and
 * videos as else, so that 80 minutes at pace 6 do what eight hours do. Each minute it writes down how much memory the
 * server has, how late its main thread is and how large the database's log is. What is measured is told, not judged.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { throughStandin } from '../e2e/acquiring.ts';
import type { Watched, Wish } from './crowd.ts';
import { aProgram, bringFilm, databaseUrl, largeLibrary, ms, table } from './large.ts';
import { people, videoId } from './library.ts';
import { residentMib, stop, timedStart, untilAtRest } from './program.ts';
import { choosing, isForStaff, questions } from './questions.ts';
import { aPatron, logIn, timesOf } from './visitors.ts';
import { randomFrom } from './words.ts';

const minutes = Number(process.env.REELKEEP_BENCH_SOAK || 480);
const pace = Number(process.env.REELKEEP_BENCH_PACE || 1);
const asksASecond = 20 * pace;
const savesASecond = 5 * pace;
const downloadsAMinute = 4 * pace;
const minute = 60_000;

interface Sample {
  memory: number;
  /** How late the main thread was at 99 %, milliseconds. */
  late: number;
  logMib: number;
}

/** By how much something grows with each of its values, by least squares. */
function slopeOf(values: number[]): number {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const rise = values.reduce((sum, value, n) => sum + (n - middle) * (value - mean), 0);
  return rise / values.reduce((sum, _, n) => sum + (n - middle) ** 2, 0);
}

const library = await largeLibrary();
// The ids of the site's videos have room for four digits.
const site = aProgram('site.ts', { videos: Math.min(9_999, minutes * downloadsAMinute) });
try {
  const { proxyUrl, ids } = await site.next<{ proxyUrl: string; ids: string[] }>();
  const { program, address } = await timedStart(library.data, { ...throughStandin({ proxyUrl }), ...library.env });
  const film = await bringFilm(library, address);
  await untilAtRest(program);
  const cookies = await Promise.all(people.map((name) => logIn(address, name)));
  const patrons = cookies.map((one) => aPatron(address, one));
  const headers = cookies.map((one) => one.join('; '));
  // Of the ten only the first may see everything.
  const staff = patrons[0]!;

  let isOver = false;
  const times: number[] = [];
  const refusals = new Map<string, number>();
  /** Asks something; what is refused is counted by its status. */
  const ask = (asked: Promise<number>) =>
    asked.then(
      (took) => void times.push(took),
      (error: unknown) => {
        const why = /answered (\d+)/.exec(String(error))?.[1] ?? String(error);
        refusals.set(why, (refusals.get(why) ?? 0) + 1);
      },
    );
  /** Does something so many times a second until it is over, not waiting for what was begun before. */
  const paced = async (aSecond: number, one: (n: number) => unknown) => {
    const began = performance.now();
    for (let n = 0; !isOver; n++) {
      void one(n);
      await wait(Math.max(0, began + ((n + 1) * 1000) / aSecond - performance.now()));
    }
  };
  const who = (n: number) => patrons[n % patrons.length]!;
  const whoMay = (path: string, n: number) => (isForStaff(path) ? staff : who(n));
  const choose = choosing(questions, randomFrom(5));

  const watching: Wish = { what: 'watch', address, cookies: headers.slice(0, 2), each: 2, film, bytesASecond: 1_000_000 };
  const viewers = aProgram('crowd.ts', watching);
  const listeners = aProgram('crowd.ts', { what: 'listen', address, cookies: headers, each: 2 } satisfies Wish);
  await Promise.all([viewers.next(), listeners.next()]);

  let arrived = 0;
  // The pauses between downloads that are meant for a real site allow five a minute.
  if (pace > 1) await staff.time('/api/appsettings/config/', { method: 'POST', body: { downloads: { sleep_interval: null } } });
  const brought: string[] = [];
  /** Fetches one more video, and deletes one of two minutes ago, once it has come. */
  const bringAndTake = async (n: number) => {
    const next = ids[n];
    if (next === undefined) return;
    await staff.time('/api/download/?autostart=true', {
      method: 'POST',
      body: { data: [{ youtube_id: next, status: 'pending' }] },
    });
    brought.push(next);
    const old = brought.length > 2 * downloadsAMinute ? brought.shift()! : undefined;
    if (old === undefined) return;
    const isThere = await staff.time(`/api/video/${old}/`).catch(() => null);
    if (isThere === null) return void brought.push(old);
    arrived++;
    await staff.time(`/api/video/${old}/`, { method: 'DELETE' });
  };

  const metric = (text: string, name: string) =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(name))
        ?.split(' ')
        .at(-1),
    );
  async function look(): Promise<Sample> {
    const text = await (await fetch(`${address}/metrics`, { headers: { cookie: headers[0]! } })).text();
    return {
      memory: (await residentMib(program)) ?? Number.NaN,
      late: 1000 * metric(text, 'reelkeep_event_loop_delay_seconds{quantile="0.99"}'),
      logMib: metric(text, 'reelkeep_wal_bytes') / 2 ** 20,
    };
  }

  await look();
  const busy = Promise.all([
    paced(asksASecond, (n) => {
      const path = choose().path(n);
      return ask(whoMay(path, n).time(path));
    }),
    paced(savesASecond, (n) =>
      ask(who(n).time(`/api/video/${videoId((n * 37) % 90_000)}/progress/`, { method: 'POST', body: { position: 9 + (n % 7) } })),
    ),
    paced(downloadsAMinute / 60, (n) => bringAndTake(n).catch((error: unknown) => console.log(`download ${n}: ${error}`))),
  ]);
  const samples: Sample[] = [];
  for (let n = 1; n <= minutes; n++) {
    await wait(minute);
    const sample = await look();
    samples.push(sample);
    if (n % 10 === 0)
      console.log(
        `… after ${n} minutes${pace === 1 ? '' : ` at pace ${pace}`}: ${sample.memory.toFixed(0)} MiB, main thread 99 % ${ms(sample.late)} ms late, log ${ms(sample.logMib)} MiB, ${times.length} answers, ${arrived} videos came`,
      );
  }
  isOver = true;
  viewers.end();
  listeners.end();
  const seen = await viewers.next<Watched>();
  await busy;
  const { p50, p95, p99, most } = timesOf(times);
  // The first half hour fills what is kept of answers and films.
  const settled = samples.slice(Math.min(30, Math.floor(minutes / 2)));
  const range = (of: (sample: Sample) => number, digits = 0) =>
    `${Math.min(...settled.map(of)).toFixed(digits)} to ${Math.max(...settled.map(of)).toFixed(digits)}`;
  const refused = [...refusals].map(([why, count]) => `${count} × ${why}`).join(', ') || 'none';
  table(
    [`${minutes} minutes of everything at pace ${pace}, ${databaseUrl ? 'PostgreSQL' : 'SQLite'}`, 'measured', 'must'],
    [
      ['answers', `${times.length}: median ${ms(p50)}, 95 % ${ms(p95)}, 99 % ${ms(p99)}, at most ${ms(most)} ms`, '–'],
      ['refused', refused, 'no 5xx'],
      ['videos that came and were deleted again', String(arrived), '–'],
      ['pieces of film, late by', `99 % ${ms(seen.late.p99)}, at most ${ms(seen.late.most)} ms; ${seen.refused} refused`, '–'],
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
  for (const patron of patrons) patron.close();
  await stop(program);
} finally {
  site.stop();
  await library.forget();
}
