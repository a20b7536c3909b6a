/**
 * `npm run bench -- load`: load test with the large library: maximum request rate, many clients that play, listen for events and
 * save positions, password guessing, slow requests and disconnects. Reports numbers without pass criteria.
 */
import { cpus } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { openDatabase } from '#server/app/open-database.ts';
import { readConfig } from '#server/platform/config/config.ts';
import { addAccount } from '#server/features/user/account/store.ts';
import { testSiteEnv } from '../e2e/support/acquisition.ts';
import type { EventTimes, PlaybackResult, ClientOptions } from './many-clients.ts';
import { startBenchProgram, createFilm, databaseUrl, largeLibrary, ms, table, isSelected } from './large.ts';
import { playlistId, videoId } from './library.ts';
import { residentMib, stop, timedStart, waitUntilIdle } from './program.ts';
import { createChooser, requestKinds, type RequestKind } from './workload.ts';
import { holdSlowConnections, descriptorsOf, disconnectEarly, guessPasswords } from './attack.ts';
import { createClient, logIn, timesOf, type BenchClient } from './http-client.ts';
import { randomFrom } from './random-words.ts';
import { runWrk } from './wrk.ts';

const library = await largeLibrary();
const userCount = 64;
const nameOf = (n: number) => `crowd ${n}`;

/** Adds users for playback and events to the ten of the library, with the same password. */
async function addUsers() {
  const db = await openDatabase({ ...readConfig({}), dataFolder: library.data, databaseUrl });
  const { passwordHash } = await db
    .selectFrom('account')
    .select('passwordHash')
    .where('name', '=', 'demo')
    .executeTakeFirstOrThrow();
  await db.deleteFrom('account').where('name', 'like', nameOf(0).replace('0', '%')).execute();
  for (let n = 0; n < userCount; n++) await addAccount(db, { name: nameOf(n), passwordHash, isStaff: true }, 0);
  await db.destroy();
}

const rows: string[][] = [];
const note = (what: string, measured: string, target: string) => {
  rows.push([what, measured, target]);
  console.log(`… ${what}: ${measured} (${target})`);
};
const mib = (size: number | null) => Math.round(size ?? Number.NaN);

const isSearch = ({ path }: RequestKind) => path(0).startsWith('/api/search/');
const random = randomFrom(11);
const chooseRequest = createChooser(
  requestKinds.filter((one) => !isSearch(one)),
  random,
);
const chooseTranscriptSearch = createChooser(
  requestKinds.filter(({ kind }) => kind.startsWith('transcripts')),
  random,
);
/**
 * Starts a call at a fixed rate, without waiting for earlier ones, for a time or until `isOver`. Returns the duration of each
 * call.
 */
async function paced(
  call: (n: number) => Promise<number>,
  perSecond: number,
  seconds: number,
  isOver = () => false,
): Promise<number[]> {
  const all: Promise<number>[] = [];
  const began = performance.now();
  for (let n = 0; performance.now() - began < seconds * 1000 && !isOver(); n++) {
    all.push(call(n));
    await wait(Math.max(0, began + ((n + 1) * 1000) / perSecond - performance.now()));
  }
  return Promise.all(all);
}

/** Sends requests at a rate per second, as these users in turn. */
const sendRequests = (
  clients: BenchClient[],
  choose: () => RequestKind,
  perSecond: number,
  seconds: number,
  isOver?: () => boolean,
) => paced((n) => clients[n % clients.length]!.time(choose().path(n)), perSecond, seconds, isOver);

/** Sends requests as fast as they are answered, over a number of connections. */
async function sendBackToBack(client: BenchClient, connections: number, seconds: number): Promise<number[]> {
  const until = performance.now() + seconds * 1000;
  const times: number[] = [];
  await Promise.all(
    Array.from({ length: connections }, async () => {
      for (let n = 0; performance.now() < until; n++) times.push(await client.time(chooseRequest().path(n)));
    }),
  );
  return times;
}

/**
 * Sends requests at a fixed rate over a number of connections. Each duration starts at the due time, even if the connection was
 * busy. Ends after twice the time if the server cannot keep up.
 */
async function sendAtFixedRate(client: BenchClient, connections: number, perSecond: number, seconds: number): Promise<number[]> {
  const began = performance.now();
  const times: number[] = [];
  const isOver = () => performance.now() - began > 2 * seconds * 1000;
  const runConnection = async (first: number) => {
    for (let n = first; n < perSecond * seconds && !isOver(); n += connections) {
      const due = began + (n * 1000) / perSecond;
      await wait(Math.max(0, due - performance.now()));
      await client.time(chooseRequest().path(n));
      times.push(performance.now() - due);
    }
  };
  await Promise.all(Array.from({ length: connections }, (_, first) => runConnection(first)));
  return times;
}

const site = startBenchProgram('site.ts');
try {
  await addUsers();
  const { proxyUrl, channel } = await site.next<{ proxyUrl: string; channel: string }>();
  const env = { ...testSiteEnv({ proxyUrl }), REELKEEP_TRUSTED_PROXIES: '127.0.0.1', ...library.env };
  let { program, address } = await timedStart(library.data, env);
  console.log(`${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}, ${databaseUrl ? 'PostgreSQL' : 'SQLite'}`);
  const film = await createFilm(library, address);
  await waitUntilIdle(program);
  const cookies: string[][] = [];
  for (let n = 0; n < userCount; n++) cookies.push(await logIn(address, nameOf(n)));
  const headers = cookies.map((one) => one.join('; '));
  const clients = cookies.map((one) => createClient(address, one));
  const browsingClients = clients.slice(0, 10);
  const staffCookies = await logIn(address, 'demo');
  const staff = createClient(address, staffCookies);
  const memory = () => residentMib(program);
  await sendRequests(browsingClients, chooseRequest, 100, 5); // warm-up

  if (isSelected('asks')) {
    const times = await sendBackToBack(staff, 16, 15);
    const { p50, p95 } = timesOf(times);
    note(
      'lists, details, statistics, 16 connections',
      `${Math.round(times.length / 15)} a second, median ${ms(p50)}, 95 % ${ms(p95)} ms`,
      '≥ 1,500 a second, < 10 ms',
    );
    const paths = Array.from({ length: 20_000 }, (_, n) => chooseRequest().path(n));
    for (const [pauseMs, what] of [
      [0, '… by a program that takes less of the two cores'],
      [6, '… and each connection waits 6 ms after an answer, on average'],
    ] as const) {
      const options = { cookie: staffCookies.join('; '), paths, connections: 16, seconds: 15, pauseMs };
      const wrkResult = await runWrk(address, options);
      const summary =
        wrkResult &&
        `${Math.round(wrkResult.requests / wrkResult.seconds)} a second, median ${ms(wrkResult.p50)}, 95 % ${ms(wrkResult.p95)} ms`;
      note(what, summary ?? 'wrk is not installed', '≥ 1,500 a second, < 10 ms');
    }
    for (const perSecond of [1000, 1500]) {
      const steady = timesOf(await sendAtFixedRate(staff, 16, perSecond, 15));
      const missing = perSecond * 15 - steady.count;
      note(
        `… ${perSecond} of them a second`,
        `median ${ms(steady.p50)}, 95 % ${ms(steady.p95)} ms${missing > 0 ? `; ${missing} could not be sent in time` : ''}`,
        '< 10 ms',
      );
    }
  }
  if (isSelected('searches')) {
    const [, searched] = await Promise.all([
      sendRequests(browsingClients, chooseRequest, 95, 15),
      sendRequests(clients, chooseTranscriptSearch, 5, 15),
    ]);
    note('spoken words, 5 of 100 questions a second', `95 % ${ms(timesOf(searched).p95)} ms`, '< 50 ms');
  }
  if (isSelected('places')) {
    const save = (n: number) =>
      browsingClients[n % browsingClients.length]!.time(`/api/video/${videoId((n * 37) % 90_000)}/progress/`, {
        method: 'POST',
        body: { position: 9 + (n % 7) },
      });
    const times = await paced(save, 200, 15);
    const { p99, p50 } = timesOf(times);
    note('places saved, 200 a second', `median ${ms(p50)}, 99 % ${ms(p99)} ms`, '< 15 ms');
  }
  if (isSelected('viewers'))
    for (const people of [1, 4]) {
      const count = people * 50;
      const before = await memory();
      const options: ClientOptions = {
        what: 'watch',
        address,
        cookies: headers.slice(0, people),
        each: 50,
        film,
        bytesPerSecond: 1_000_000,
      };
      const viewers = startBenchProgram('many-clients.ts', options);
      await viewers.next();
      await wait(2_000);
      const times = await sendRequests(browsingClients, chooseRequest, 40, 20);
      const during = await memory();
      viewers.end();
      const seen = await viewers.next<PlaybackResult>();
      const { p50, p99 } = timesOf(times);
      note(
        `${count} who watch at 8 Mbit/s: answers to others`,
        `median ${ms(p50)}, 99 % ${ms(p99)} ms`,
        count === 50 ? '< 15 ms' : '< 50 ms (beyond)',
      );
      note('… until the first byte of a range', `99 % ${ms(seen.firstByte.p99)} ms`, count === 50 ? '< 20 ms' : '–');
      note(
        '… until a quarter of a second of film was there',
        `99 % ${ms(seen.late.p99)}, at most ${ms(seen.late.max)} ms; ${seen.refused} refused`,
        '–',
      );
      note('… memory for each of them', `${(((during ?? 0) - (before ?? 0)) / count).toFixed(2)} MiB`, '≤ 1 MB');
    }
  if (isSelected('listeners')) {
    const before = await memory();
    const listeners = startBenchProgram('many-clients.ts', {
      what: 'listen',
      address,
      cookies: headers.slice(0, 63),
      each: 8,
    } satisfies ClientOptions);
    await listeners.next();
    const during = await memory();
    const sent: number[] = [];
    for (let n = 0; n < 60; n++) {
      sent.push(performance.timeOrigin + performance.now());
      await staff.time(`/api/playlist/${playlistId(3)}/`, { method: 'POST', body: { playlist_subscribed: n % 2 === 0 } });
      await wait(Math.max(0, sent.at(-1)! + 250 - performance.timeOrigin - performance.now()));
    }
    await wait(1_000);
    listeners.end();
    const eventTimes = await listeners.next<EventTimes>();
    // An event covers all changes that were sent before it and not reported yet.
    const lags = eventTimes.flatMap((times) => {
      let next = 0;
      return times.flatMap((at) => {
        const first = sent[next];
        while (next < sent.length && sent[next]! < at) next++;
        return first !== undefined && first < at ? [at - first] : [];
      });
    });
    const { p50, p99, count } = timesOf(lags);
    note(
      `${eventTimes.length} who listen, 4 changes a second: until they hear`,
      `median ${ms(p50)}, 99 % ${ms(p99)} ms, ${count} times`,
      '< 250 ms',
    );
    note(
      '… memory for each of them',
      `${((((during ?? 0) - (before ?? 0)) * 1024) / eventTimes.length).toFixed(0)} KiB`,
      '≤ 30 kB',
    );
  }
  if (isSelected('passwords')) {
    const before = await memory();
    const seconds = 60;
    let isOver = false;
    const guesses = guessPasswords(address, { perSecond: 100, seconds }).finally(() => (isOver = true));
    const times = await sendRequests(browsingClients, chooseRequest, 40, seconds, () => isOver);
    const during = await memory();
    const began = performance.now();
    await logIn(address, 'demo');
    const loginMs = performance.now() - began;
    const answers = [...(await guesses)].map(([status, count]) => `${count} × ${status}`).join(', ');
    const { p50, p99 } = timesOf(times);
    note('100 wrong passwords a second for a minute: answers to others', `median ${ms(p50)}, 99 % ${ms(p99)} ms`, '< 50 ms');
    note('… memory', `+ ${mib(during) - mib(before)} MiB (${answers})`, '< 40 MB');
    note('… login with the right password', `after ${ms(loginMs)} ms`, 'yes');
  }
  if (isSelected('slow')) {
    const quiet = timesOf(await sendRequests(browsingClients, chooseRequest, 40, 10));
    let isOver = false;
    const closed = holdSlowConnections(address, 1_000).finally(() => (isOver = true));
    const busy = timesOf(await sendRequests(browsingClients, chooseRequest, 40, 90, () => isOver));
    note(
      '1,000 connections half open or slow: answers to others',
      `99 % ${ms(busy.p99)} ms (${ms(quiet.p99)} without them)`,
      'the same',
    );
    const seconds = await closed;
    note('… until the last of them was closed', seconds === null ? 'not at all' : `${seconds.toFixed(0)} s`, '≤ 60 s');
  }
  if (isSelected('aborts')) {
    const pid = program.child.pid!;
    await wait(6_000); // until the connections of earlier parts are closed
    const [files, before] = [await descriptorsOf(pid), await memory()];
    await disconnectEarly(address + film, headers[0]!, 10_000);
    await disconnectEarly(`${address}/api/events/`, headers[1]!, 1_000);
    await wait(10_000);
    const [filesAfter, memoryAfter] = [await descriptorsOf(pid), await memory()];
    note(
      '10,000 who go away from a file and 1,000 from the events: open files',
      `${files} before, ${filesAfter} after`,
      'the same',
    );
    note('… memory', `${mib(before)} MiB before, ${mib(memoryAfter)} MiB after`, 'the same');
  }
  if (isSelected('kill')) {
    await staff.time('/api/download/?autostart=true&flat=true', {
      method: 'POST',
      body: { data: [{ youtube_id: channel, status: 'pending' }] },
    });
    await wait(8_000);
    program.child.kill('SIGKILL');
    await program.ended;
    const restarted = await timedStart(library.data, env);
    ({ program, address } = restarted);
    note(
      'killed at work with 50,000 in its queue: until it answers again',
      `${(restarted.milliseconds / 1000).toFixed(2)} s`,
      '< 10 s',
    );
  }
  for (const client of [...clients, staff]) client.close();
  await stop(program);
  table(['what the server bears', 'measured', 'must'], rows);
} finally {
  site.stop();
  await library.forget();
}
