/**
 * `npm run bench:load`: what the server bears with the large library: as many questions as it can answer, many who watch, listen and save
 * their place, guess passwords, dawdle and go away. What is measured is told, not judged.
 */
import { cpus } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { openDatabase } from '#server/open-database.ts';
import { addAccount } from '#server/user/store.ts';
import { throughStandin } from '../e2e/acquiring.ts';
import type { Heard, Watched, Wish } from './crowd.ts';
import { aProgram, bringFilm, databaseUrl, largeLibrary, ms, table, wants } from './large.ts';
import { playlistId, videoId } from './library.ts';
import { residentMib, stop, timedStart, untilAtRest } from './program.ts';
import { choosing, questions, type Question } from './questions.ts';
import { dawdle, descriptorsOf, goAway, guessPasswords } from './siege.ts';
import { aPatron, logIn, timesOf, type Patron } from './visitors.ts';
import { randomFrom } from './words.ts';
import { askByWrk } from './wrk.ts';

const library = await largeLibrary();
const crowd = 64;
const nameOf = (n: number) => `crowd ${n}`;

/** People who may watch and listen beside the ten of the library, with the password that those have. */
async function bringPeople() {
  const db = await openDatabase({ dataFolder: library.data, databaseUrl });
  const { passwordHash } = await db
    .selectFrom('account')
    .select('passwordHash')
    .where('name', '=', 'demo')
    .executeTakeFirstOrThrow();
  await db.deleteFrom('account').where('name', 'like', nameOf(0).replace('0', '%')).execute();
  for (let n = 0; n < crowd; n++) await addAccount(db, { name: nameOf(n), passwordHash, isStaff: true }, 0);
  await db.destroy();
}

const rows: string[][] = [];
const note = (what: string, measured: string, must: string) => {
  rows.push([what, measured, must]);
  console.log(`… ${what}: ${measured} (${must})`);
};
const mib = (size: number | null) => Math.round(size ?? Number.NaN);

const isSearch = ({ path }: Question) => path(0).startsWith('/api/search/');
const random = randomFrom(11);
const asked = choosing(
  questions.filter((one) => !isSearch(one)),
  random,
);
const spoken = choosing(
  questions.filter(({ kind }) => kind.startsWith('spoken')),
  random,
);
/** Does something so many times a second, not waiting for what was begun before, for so long or until `isOver`. Answers how long each took. */
async function paced(
  one: (n: number) => Promise<number>,
  aSecond: number,
  seconds: number,
  isOver = () => false,
): Promise<number[]> {
  const all: Promise<number>[] = [];
  const began = performance.now();
  for (let n = 0; performance.now() - began < seconds * 1000 && !isOver(); n++) {
    all.push(one(n));
    await wait(Math.max(0, began + ((n + 1) * 1000) / aSecond - performance.now()));
  }
  return Promise.all(all);
}

/** So many questions a second, of these people in turn. */
const ask = (patrons: Patron[], choose: () => Question, aSecond: number, seconds: number, isOver?: () => boolean) =>
  paced((n) => patrons[n % patrons.length]!.time(choose().path(n)), aSecond, seconds, isOver);

/** As many as can be answered, from so many connections. */
async function asMany(patron: Patron, connections: number, seconds: number): Promise<number[]> {
  const until = performance.now() + seconds * 1000;
  const times: number[] = [];
  await Promise.all(
    Array.from({ length: connections }, async () => {
      for (let n = 0; performance.now() < until; n++) times.push(await patron.time(asked().path(n)));
    }),
  );
  return times;
}

/** So many a second from so many connections. How long each took counts from when it was due, also where its connection was not free yet. */
async function steadily(patron: Patron, connections: number, aSecond: number, seconds: number): Promise<number[]> {
  const began = performance.now();
  const times: number[] = [];
  const ofOne = async (first: number) => {
    for (let n = first; n < aSecond * seconds; n += connections) {
      const due = began + (n * 1000) / aSecond;
      await wait(Math.max(0, due - performance.now()));
      await patron.time(asked().path(n));
      times.push(performance.now() - due);
    }
  };
  await Promise.all(Array.from({ length: connections }, (_, first) => ofOne(first)));
  return times;
}

try {
  await bringPeople();
  const site = aProgram('site.ts');
  const { proxyUrl, channel } = await site.next<{ proxyUrl: string; channel: string }>();
  const env = { ...throughStandin({ proxyUrl }), REELKEEP_TRUSTED_PROXIES: '127.0.0.1', ...library.env };
  let { program, address } = await timedStart(library.data, env);
  console.log(`${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}, ${databaseUrl ? 'PostgreSQL' : 'SQLite'}`);
  const film = await bringFilm(library, address);
  await untilAtRest(program);
  const cookies: string[][] = [];
  for (let n = 0; n < crowd; n++) cookies.push(await logIn(address, nameOf(n)));
  const headers = cookies.map((one) => one.join('; '));
  const everyone = cookies.map((one) => aPatron(address, one));
  const patrons = everyone.slice(0, 10);
  const staffCookies = await logIn(address, 'demo');
  const staff = aPatron(address, staffCookies);
  const memory = () => residentMib(program);
  await ask(patrons, asked, 100, 5); // warm

  if (wants('asks')) {
    const times = await asMany(staff, 16, 15);
    const { p50, p95 } = timesOf(times);
    note(
      'lists, details, statistics, 16 connections',
      `${Math.round(times.length / 15)} a second, median ${ms(p50)}, 95 % ${ms(p95)} ms`,
      '≥ 1,500 a second, < 10 ms',
    );
    const paths = Array.from({ length: 20_000 }, (_, n) => asked().path(n));
    for (const [pauseMs, what] of [
      [0, '… by a program that takes less of the two cores'],
      [6, '… and each connection waits 6 ms after an answer, on average'],
    ] as const) {
      const wish = { cookie: staffCookies.join('; '), paths, connections: 16, seconds: 15, pauseMs };
      const byWrk = await askByWrk(address, wish);
      const said =
        byWrk && `${Math.round(byWrk.asked / byWrk.seconds)} a second, median ${ms(byWrk.p50)}, 95 % ${ms(byWrk.p95)} ms`;
      note(what, said ?? 'wrk is not installed', '≥ 1,500 a second, < 10 ms');
    }
    for (const aSecond of [1000, 1500]) {
      const steady = timesOf(await steadily(staff, 16, aSecond, 15));
      note(`… ${aSecond} of them a second`, `median ${ms(steady.p50)}, 95 % ${ms(steady.p95)} ms`, '< 10 ms');
    }
  }
  if (wants('searches')) {
    const [, searched] = await Promise.all([ask(patrons, asked, 95, 15), ask(everyone, spoken, 5, 15)]);
    note('spoken words, 5 of 100 questions a second', `95 % ${ms(timesOf(searched).p95)} ms`, '< 50 ms');
  }
  if (wants('places')) {
    const save = (n: number) =>
      patrons[n % patrons.length]!.time(`/api/video/${videoId((n * 37) % 90_000)}/progress/`, {
        method: 'POST',
        body: { position: 9 + (n % 7) },
      });
    const times = await paced(save, 200, 15);
    const { p99, p50 } = timesOf(times);
    note('places saved, 200 a second', `median ${ms(p50)}, 99 % ${ms(p99)} ms`, '< 15 ms');
  }
  if (wants('viewers'))
    for (const people of [1, 4]) {
      const count = people * 50;
      const before = await memory();
      const wish: Wish = { what: 'watch', address, cookies: headers.slice(0, people), each: 50, film, bytesASecond: 1_000_000 };
      const viewers = aProgram('crowd.ts', wish);
      await viewers.next();
      await wait(2_000);
      const times = await ask(patrons, asked, 40, 20);
      const during = await memory();
      viewers.end();
      const seen = await viewers.next<Watched>();
      const { p50, p99 } = timesOf(times);
      note(
        `${count} who watch at 8 Mbit/s: answers to others`,
        `median ${ms(p50)}, 99 % ${ms(p99)} ms`,
        count === 50 ? '< 15 ms' : '< 50 ms (beyond)',
      );
      note('… until the first byte of a range', `99 % ${ms(seen.firstByte.p99)} ms`, count === 50 ? '< 20 ms' : '–');
      note(
        '… until a quarter of a second of film was there',
        `99 % ${ms(seen.late.p99)}, at most ${ms(seen.late.most)} ms; ${seen.refused} refused`,
        '–',
      );
      note('… memory for each of them', `${(((during ?? 0) - (before ?? 0)) / count).toFixed(2)} MiB`, '≤ 1 MB');
    }
  if (wants('listeners')) {
    const before = await memory();
    const listeners = aProgram('crowd.ts', { what: 'listen', address, cookies: headers.slice(0, 63), each: 8 } satisfies Wish);
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
    const heard = await listeners.next<Heard>();
    // What was not told yet when one heard is what one heard of.
    const lags = heard.flatMap((times) => {
      let told = 0;
      return times.flatMap((at) => {
        const first = sent[told];
        while (told < sent.length && sent[told]! < at) told++;
        return first !== undefined && first < at ? [at - first] : [];
      });
    });
    const { p50, p99, count } = timesOf(lags);
    note(
      `${heard.length} who listen, 4 changes a second: until they hear`,
      `median ${ms(p50)}, 99 % ${ms(p99)} ms, ${count} times`,
      '< 250 ms',
    );
    note('… memory for each of them', `${((((during ?? 0) - (before ?? 0)) * 1024) / heard.length).toFixed(0)} KiB`, '≤ 30 kB');
  }
  if (wants('passwords')) {
    const before = await memory();
    const seconds = 60;
    let isOver = false;
    const flood = guessPasswords(address, { aSecond: 100, seconds }).finally(() => (isOver = true));
    const times = await ask(patrons, asked, 40, seconds, () => isOver);
    const during = await memory();
    const began = performance.now();
    await logIn(address, 'demo');
    const entered = performance.now() - began;
    const answers = [...(await flood)].map(([status, count]) => `${count} × ${status}`).join(', ');
    const { p50, p99 } = timesOf(times);
    note('100 wrong passwords a second for a minute: answers to others', `median ${ms(p50)}, 99 % ${ms(p99)} ms`, '< 50 ms');
    note('… memory', `+ ${mib(during) - mib(before)} MiB (${answers})`, '< 40 MB');
    note('… whoever has the password is let in', `after ${ms(entered)} ms`, 'yes');
  }
  if (wants('slow')) {
    const quiet = timesOf(await ask(patrons, asked, 40, 10));
    let isOver = false;
    const closed = dawdle(address, 1_000).finally(() => (isOver = true));
    const busy = timesOf(await ask(patrons, asked, 40, 90, () => isOver));
    note(
      '1,000 connections half open or slow: answers to others',
      `99 % ${ms(busy.p99)} ms (${ms(quiet.p99)} without them)`,
      'the same',
    );
    const seconds = await closed;
    note('… until the last of them was closed', seconds === null ? 'not at all' : `${seconds.toFixed(0)} s`, '≤ 60 s');
  }
  if (wants('aborts')) {
    const pid = program.child.pid!;
    await wait(6_000); // what others left open is closed
    const [files, before] = [await descriptorsOf(pid), await memory()];
    await goAway(address + film, headers[0]!, 10_000);
    await goAway(`${address}/api/events/`, headers[1]!, 1_000);
    await wait(10_000);
    const [left, after] = [await descriptorsOf(pid), await memory()];
    note('10,000 who go away from a file and 1,000 from the events: open files', `${files} before, ${left} after`, 'the same');
    note('… memory', `${mib(before)} MiB before, ${mib(after)} MiB after`, 'the same');
  }
  if (wants('kill')) {
    await staff.time('/api/download/?autostart=true&flat=true', {
      method: 'POST',
      body: { data: [{ youtube_id: channel, status: 'pending' }] },
    });
    await wait(8_000);
    program.child.kill('SIGKILL');
    await program.ended;
    const again = await timedStart(library.data, env);
    ({ program, address } = again);
    note(
      'killed at work with 50,000 in its queue: until it answers again',
      `${(again.milliseconds / 1000).toFixed(2)} s`,
      '< 10 s',
    );
  }
  for (const patron of [...everyone, staff]) patron.close();
  await stop(program);
  site.stop();
  table(['what the server bears', 'measured', 'must'], rows);
} finally {
  await library.forget();
}
