/**
 * `npm run bench:scale`: how the server does with the large library, over HTTP: each kind of question alone, the same cold, and all of
 * them at once with ten people, while four watch, places are saved and something is downloaded. What is measured is told, not judged.
 */
import { execFileSync } from 'node:child_process';
import { cpus } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { throughStandin } from '../e2e/acquiring.ts';
import { aProgram, bringFilm, databaseUrl, largeLibrary, ms, table, wants } from './large.ts';
import { people, videoId } from './library.ts';
import { residentMib, stop, timedStart, untilAtRest } from './program.ts';
import { choosing, isForStaff, questions } from './questions.ts';
import { endlessScroll } from './pages.ts';
import { streamingAgainstNginx } from './streaming.ts';
import { aPatron, logIn, timesOf, type Patron } from './visitors.ts';
import { randomFrom } from './words.ts';

const mixSeconds = Number(process.env.REELKEEP_BENCH_SECONDS || 40);
const asksASecond = Number(process.env.REELKEEP_BENCH_RATE || 40);
const savesASecond = 50;
const viewers = 4;
const viewerBytesASecond = 1_000_000; // 8 Mbit/s

const library = await largeLibrary();
const { folder, data } = library;
const site = aProgram('site.ts');
const { proxyUrl, channel, channelId } = await site.next<{ proxyUrl: string; channel: string; channelId: string }>();
const env = { ...throughStandin({ proxyUrl }), ...library.env };

/** Drops what the system keeps of files in memory, where this account may; else answers false. */
function forgetFiles(): boolean {
  try {
    execFileSync('sh', ['-c', 'sync; echo 3 > /proc/sys/vm/drop_caches'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const timesRight = (kind: (typeof questions)[number], who: Patron, count: number) =>
  (async () => {
    const times: number[] = [];
    for (let n = 0; n < count; n++) times.push(await who.time(kind.path(n)));
    return times;
  })();

async function alone(address: string) {
  const who = aPatron(address, await logIn(address, 'demo'));
  const rows: string[][] = [];
  // First a round of everything, as long as what is measured: neither a cold file nor code that was not compiled yet is meant.
  for (const question of questions) await timesRight(question, who, 140);
  for (const question of questions) {
    const { p50, p95, most } = timesOf(await timesRight(question, who, 100));
    rows.push([question.kind, ms(p50), ms(p95), ms(most), `< ${question.goal}`, p95 < question.goal ? '' : 'missed']);
  }
  const saves: number[] = [];
  for (let n = 0; n < 200; n++)
    saves.push(await who.time(`/api/video/${videoId(n)}/progress/`, { method: 'POST', body: { position: 8 + (n % 5) } }));
  const { p50, p95, most } = timesOf(saves);
  rows.push(['saving a place', ms(p50), ms(p95), ms(most), '< 10', p95 < 10 ? '' : 'missed']);
  who.close();
  table(['one after the other, warm', 'median', '95 %', 'longest', 'goal (95 %)', ''], rows);
}

async function cold() {
  await library.held?.letGo();
  const { program, address } = await timedStart(data, env);
  await untilAtRest(program); // it reads the whole database first
  if (!forgetFiles()) {
    await stop(program);
    return console.log('What the system keeps of files cannot be dropped by this account: nothing was measured cold.');
  }
  const who = aPatron(address, await logIn(address, 'demo'));
  const rows: string[][] = [];
  for (const question of questions) rows.push([question.kind, ...(await timesRight(question, who, 4)).map(ms)]);
  who.close();
  await stop(program);
  table(['after the cache of files was dropped', 'first', 'second', 'third', 'fourth'], rows);
}

/** How many answers a second there are at most, with so many connections that each ask again at once. */
async function atMost(address: string, connections = 16, ms = 8_000) {
  const who = aPatron(address, await logIn(address, 'demo'));
  const until = performance.now() + ms;
  const times: number[] = [];
  const ask = async () => {
    while (performance.now() < until) times.push(await who.time('/api/video/'));
  };
  await Promise.all(Array.from({ length: connections }, ask));
  who.close();
  const { p50, p95 } = timesOf(times);
  console.log(
    `first pages of videos, ${connections} connections: ${((times.length * 1000) / ms).toFixed(0)} a second, median ${p50.toFixed(1)} ms, 95 % ${p95.toFixed(1)} ms\n`,
  );
}

async function together(address: string, film: string, memory: () => Promise<number | null>) {
  const patrons = await Promise.all(people.map(async (name) => aPatron(address, await logIn(address, name))));
  const until = performance.now() + mixSeconds * 1000;
  const isOver = () => performance.now() > until;
  const random = randomFrom(3);
  const choose = choosing(questions, random);
  const times = new Map<string, number[]>(questions.map(({ kind }) => [kind, []]));
  let [refused, peak] = [0, 0];
  // Ten people ask when they want to, and do not wait for each other.
  const browse = async () => {
    const all: Promise<unknown>[] = [];
    for (let n = 0; !isOver(); n++) {
      const question = choose();
      const path = question.path(n);
      // Of the ten only the first may see everything.
      const asked = patrons[isForStaff(path) ? 0 : n % patrons.length]!.time(path).then(
        (took) => times.get(question.kind)!.push(took),
        () => refused++,
      );
      all.push(asked);
      await wait((-Math.log(1 - random()) * 1000) / asksASecond);
    }
    await Promise.all(all);
  };
  const saves: number[] = [];
  const save = async () => {
    const all: Promise<unknown>[] = [];
    for (let n = 0; !isOver(); n++) {
      const who = patrons[n % patrons.length]!;
      const path = `/api/video/${videoId((n * 37) % 90_000)}/progress/`;
      all.push(who.time(path, { method: 'POST', body: { position: 10 } }).then((took) => saves.push(took)));
      await wait(1000 / savesASecond);
    }
    await Promise.all(all);
  };
  const look = async () => {
    for (; !isOver(); await wait(250)) peak = Math.max(peak, (await memory()) ?? 0);
  };
  const began = performance.now();
  const stalls = await Promise.all([
    ...Array.from({ length: viewers }, (_, n) => patrons[n]!.watch(film, viewerBytesASecond, isOver)),
    browse().then(() => 0),
    save().then(() => 0),
    look().then(() => 0),
  ]);
  const seconds = (performance.now() - began) / 1000;
  for (const patron of patrons) patron.close();
  const all = [...times.values()].flat();
  const lists = questions.filter(({ goal }) => goal === 10).flatMap(({ kind }) => times.get(kind) ?? []);
  table(
    [
      `all at once: ${asksASecond} asked a second, ${all.length} answers in ${seconds.toFixed(0)} s`,
      'median',
      '95 %',
      '99 %',
      'longest',
    ],
    [
      ...[...times].filter(([, list]) => list.length > 0),
      ['lists, details and statistics', lists] as const,
      ['everything', all] as const,
      ['saving a place', saves] as const,
    ].map(([kind, list]) => {
      const { p50, p95, p99, most } = timesOf(list);
      return [kind, ms(p50), ms(p95), ms(p99), ms(most)];
    }),
  );
  console.log(`${(all.length / seconds).toFixed(0)} answers a second; ${refused} refused`);
  console.log(
    `the longest that one of ${viewers} viewers waited for a quarter of a second of film: ${ms(Math.max(...stalls))} ms`,
  );
  console.log(`most resident memory: ${peak.toFixed(0)} MiB`);
}

try {
  const { program, address, milliseconds } = await timedStart(data, env);
  console.log(`${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}, ${databaseUrl ? 'PostgreSQL' : 'SQLite'}`);
  console.log(`ready after ${(milliseconds / 1000).toFixed(2)} s, ${(await residentMib(program))?.toFixed(0)} MiB`);
  const film = await bringFilm(library, address);
  await untilAtRest(program);
  if (wants('alone')) await alone(address);
  if (wants('most')) await atMost(address);
  console.log(`${(await residentMib(program))?.toFixed(0)} MiB after that`);
  const cookies = await logIn(address, 'demo');
  const staff = aPatron(address, cookies);
  // Warm here too: where this part is measured alone, the server has answered nothing yet, and its code is not compiled.
  if (wants('together')) for (const question of questions) await timesRight(question, staff, 20);
  await staff.time('/api/download/?autostart=true&flat=true', {
    method: 'POST',
    body: { data: [{ youtube_id: channel, status: 'pending' }] },
  });
  await wait(5_000);
  const came = async () => {
    const answer = await fetch(`${address}/api/video/?channel=${channelId}`, { headers: { cookie: cookies.join('; ') } });
    return ((await answer.json()) as { paginate: { total_hits: number } }).paginate.total_hits;
  };
  const before = await came();
  if (wants('together')) await together(address, film, () => residentMib(program));
  console.log(`videos that came in meanwhile: ${(await came()) - before}`);
  staff.close();
  // By 15,000 pixels a second, and as fast as cards are still drawn in full.
  for (const [cards, pixels] of wants('scroll')
    ? ([
        [10_000, 250],
        [2_000, 48],
      ] as const)
    : []) {
    const scrolled = await endlessScroll(address, cards, pixels);
    if (!scrolled) break;
    console.log(
      `by ${pixels} pixels a frame scrolled past ${scrolled.passed} videos in ${scrolled.frames} frames: ${scrolled.slow} took more than 50 ms, the longest ${ms(scrolled.longest)} ms; at most ${scrolled.most} cards at once`,
    );
  }
  await stop(program);
  if (!databaseUrl && wants('cold')) await cold();
  if (wants('streaming')) {
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
    else console.log('nginx is not there to be compared with');
  }
} finally {
  site.stop();
  await library.forget();
}
