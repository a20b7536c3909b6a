/**
 * `node bench/search.ts`: how fast is searching in a made-up library of 100,000 videos and 5,000,000 spoken lines, and what does
 * it cost? REELKEEP_BENCH_LINES: fewer lines (then as many fewer videos). REELKEEP_BENCH_POSTGRES: in a PostgreSQL database instead,
 * which must be empty. REELKEEP_BENCH_FOLDER: a folder to keep the library in; one that is there is used again.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import pg from 'pg';
import pino from 'pino';
import { readConfig } from '#server/config.ts';
import { migrate } from '#server/db/migrate.ts';
import { openPostgres } from '#server/db/postgres.ts';
import { openSqlite } from '#server/db/sqlite.ts';
import { buildApp } from '#server/http/app.ts';
import { openArchive } from '#server/open-archive.ts';
import { routes } from '#server/rooms.ts';
import { catchUp } from '#server/search/catch-up.ts';
import { hashPassword } from '#server/user/password.ts';
import { addAccount } from '#server/user/store.ts';
import { columnsOf, fillSqlite, rowsOf, wordAt, type Size } from './search-data.ts';

const stepBefore = '0005-around';
const lines = Number(process.env.REELKEEP_BENCH_LINES || 5_000_000);
const share = lines / 5_000_000;
const size: Size = {
  lines,
  videos: Math.round(100_000 * share),
  channels: Math.max(50, Math.round(1000 * share)),
  playlists: Math.max(25, Math.round(500 * share)),
};
const postgres = process.env.REELKEEP_BENCH_POSTGRES;
const kept = process.env.REELKEEP_BENCH_FOLDER;

const rows: [string, string][] = [];
const note = (what: string, measured: string) => {
  rows.push([what, measured]);
  console.log(`${what}: ${measured}`);
};
const at = (times: number[], part: number) => times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) * part)] ?? 0;
const spread = (times: number[]) =>
  `${at(times, 0.5).toFixed(1)} / ${at(times, 0.95).toFixed(1)} / ${at(times, 1).toFixed(0)} ms`;
const mib = (bytes: number) => `${(bytes / 1_048_576).toFixed(0)} MiB`;
const timed = async <T>(work: () => Promise<T> | T): Promise<[number, T]> => {
  const begun = performance.now();
  const result = await work();
  return [performance.now() - begun, result];
};

async function fillPostgres(url: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  let table = '';
  let some: (string | number)[][] = [];
  const flush = async () => {
    if (some.length === 0) return;
    const values = some.map((row, place) => `(${row.map((_, column) => `$${place * row.length + column + 1}`).join(',')})`);
    await client.query(`insert into ${table} (${columnsOf[table]}) values ${values.join(',')}`, some.flat());
    some = [];
  };
  // Tables in turn, so that many rows go in one statement.
  for (const wanted of Object.keys(columnsOf)) {
    table = wanted;
    for (const { table: of, row } of rowsOf(size)) {
      if (of !== wanted) continue;
      some.push(row);
      if (some.length === 1000) await flush();
    }
    await flush();
  }
  await client.end();
}

const folder = kept ?? (await mkdtemp(join(tmpdir(), 'reelkeep-search-')));
await mkdir(folder, { recursive: true });
const file = join(folder, 'reelkeep.db');
const config = readConfig({ REELKEEP_DATA: folder, ...(postgres && { REELKEEP_DATABASE: postgres }) });
const dbSize = async () => (await stat(file)).size;

if (postgres || !existsSync(file)) {
  const db = postgres ? openPostgres(postgres) : await openSqlite(file);
  await migrate(db, stepBefore);
  await db.destroy();
  const [filled] = await timed(() => (postgres ? fillPostgres(postgres) : fillSqlite(file, size)));
  note(`Filling with ${size.videos} videos and ${lines} lines`, `${(filled / 1000).toFixed(0)} s`);
  const again = postgres ? openPostgres(postgres) : await openSqlite(file);
  const [migrated] = await timed(() => migrate(again));
  note('The migration that makes it searchable', `${migrated.toFixed(0)} ms`);
  const sizeBefore = postgres ? 0 : await dbSize();
  let isDone = false;
  const writes: number[] = [];
  const others = (async () => {
    while (!isDone) {
      writes.push((await timed(() => again.updateTable('setting').set({ value: '1' }).where('name', '=', 'none').execute()))[0]);
      await wait(50);
    }
  })();
  const [built] = await timed(async () => {
    const begun = performance.now();
    for (let last = begun; !(await catchUp(again, 1_500));)
      if (performance.now() - last > 30_000) {
        last = performance.now();
        const { n } = await again
          .selectFrom('searchPending')
          .select((e) => e.fn.countAll<number>().as('n'))
          .executeTakeFirstOrThrow();
        console.log(`… ${((last - begun) / 1000).toFixed(0)} s, ${n} left, ${mib(process.memoryUsage.rss())}`);
      }
  });
  isDone = true;
  await others;
  note('Indexing', `${(built / 1000).toFixed(0)} s, ${(lines / built).toFixed(1)} lines a ms`);
  note('… another write meanwhile waits (p50 / p95 / most)', spread(writes));
  if (!postgres) note('… it adds to the database file', `${mib((await dbSize()) - sizeBefore)} to ${mib(sizeBefore)}`);
  else
    for (const table of ['line', 'search_line', 'search_thing', 'search_word', 'search_track'])
      note(
        `… ${table}`,
        mib(Number((await sql<{ n: number }>`select pg_total_relation_size(${table}) as n`.execute(again)).rows[0]!.n)),
      );
  await again.destroy();
}

const { archive, close } = await openArchive(config, pino({ level: 'warn' }));
const app = await buildApp(archive, routes, { startedAt: 0 });
const name = `bench${Date.now()}`;
await addAccount(archive.db, { name, passwordHash: await hashPassword('correct horse'), isStaff: false }, archive.now());
const login = await app.inject({
  method: 'POST',
  url: '/api/user/login/',
  payload: { username: name, password: 'correct horse' },
});
const cookie = login.cookies.map((one) => `${one.name}=${one.value}`).join('; ');
const get = async (url: string) => {
  const answer = await app.inject({ url, headers: { cookie } });
  if (answer.statusCode !== 200) console.log(answer.statusCode, url, answer.body.slice(0, 200));
  return answer.json() as { results?: Record<string, unknown[]> };
};
const ask = (query: string, more = '') => get(`/api/search/?query=${encodeURIComponent(query)}${more}`);

// Places in the order of frequency: from what is in every line to what is in one of ten thousand.
const places = [0, 1, 2, 5, 9, 20, 44, 100, 230, 500, 1100, 2500, 5000, 11_000, 25_000, 60_000, 120_000];
const word = (n: number, step = 0) => wordAt(places[(n + step) % places.length]! + Math.floor(n / places.length) * 3, 'latin');
const mistyped = (text: string) => (text.length < 4 ? text : text.slice(0, 2) + text[3]! + text[2]! + text.slice(4));
const han = (n: number) => wordAt(places[n % places.length]! + n, 'han');
const kinds: [what: string, query: (n: number) => [string, string?]][] = [
  ['Title, one word', (n) => [word(n)]],
  ['Title, as it is typed: one to four letters', (n) => [word(n).slice(0, 1 + (n % 4))]],
  ['Title, two words', (n) => [`${word(n)} ${word(n, 3)}`]],
  ['Title, two words with a typo', (n) => [`${mistyped(wordAt(900 + n * 13, 'latin'))} ${word(n, 3)}`]],
  ['video: word channel: word', (n) => [`video: ${word(n)} channel:${word(n, 1)}`]],
  ['Title with dates', (n) => [word(n), '&from=2018-01-01&to=2019-01-01']],
  ['Spoken, one word', (n) => [`full: ${word(n)}`]],
  ['Spoken, two words', (n) => [`full: ${word(n)} ${word(n, 5)}`]],
  ['Spoken, four words', (n) => [`full: ${word(n)} ${word(n, 2)} ${word(n, 5)} ${word(n, 9)}`]],
  ['Spoken, a typo', (n) => [`full: ${mistyped(wordAt(5000 + n * 131, 'latin'))} ${word(n, 5)}`]],
  ['Spoken, a phrase', (n) => [`full: "${word(n)} ${word(n, 1)}"`]],
  ['Spoken, three very common words', (n) => [`full: ${word(0)} ${word(1)} ${wordAt(n % 10, 'latin')}`]],
  ['Spoken, in a language and a source', (n) => [`full: ${word(n)} lang:en source:user`]],
  ['Spoken, with a date', (n) => [`full: ${word(n)}`, '&from=2018-01-01&to=2018-02-01']],
  ['Spoken, Chinese', (n) => [`full: ${han(n)}`]],
  ['Spoken, one Chinese character', (n) => [`full: ${han(n)[0]}`]],
];
const idle = process.memoryUsage.rss();
const isCold =
  !postgres &&
  (await promisify(execFile)('dd', [`if=${file}`, 'iflag=nocache', 'count=0', 'status=none']).then(
    () => true,
    () => false,
  ));
for (const [what, query] of kinds) {
  const [cold, first] = await timed(() => ask(...query(3)));
  const found = Object.values(first.results ?? {}).flat().length;
  const times: number[] = [];
  const before = process.cpuUsage();
  for (let n = 0; n < 120; n++) times.push((await timed(() => ask(...query(n))))[0]);
  const { user, system } = process.cpuUsage(before);
  // On a busy machine this says more than the time does.
  const each = (user + system) / 1000 / times.length;
  note(
    what,
    `${spread(times)}, of processors ${each.toFixed(1)} ms each; ${isCold ? 'first cold' : 'first'} ${cold.toFixed(0)} ms (${found} hits)`,
  );
}
const similar: number[] = [];
const beforeSimilar = process.cpuUsage();
for (let n = 0; n < 100; n++)
  similar.push((await timed(() => get(`/api/video/v${String((n * 977) % size.videos).padStart(10, '0')}/similar/`)))[0]);
const ofSimilar = process.cpuUsage(beforeSimilar);
note('Similar videos', `${spread(similar)}, of processors ${((ofSimilar.user + ofSimilar.system) / 100_000).toFixed(1)} ms each`);
const alone: number[] = [];
for (let n = 0; n < 100; n++) alone.push((await timed(() => get('/api/video/')))[0]);
note('A page of videos, alone', spread(alone));
let isOver = false;
const searching = (async () => {
  for (let n = 0; !isOver; n++) await ask(...kinds[6 + (n % 10)]![1](n));
})();
const meanwhile: number[] = [];
for (let n = 0; n < 200; n++) {
  meanwhile.push((await timed(() => get('/api/video/')))[0]);
  await wait(5);
}
isOver = true;
await searching;
note('A page of videos while somebody searches without a pause', spread(meanwhile));
note('Resident memory of this process, before and after searching', `${mib(idle)}, ${mib(process.memoryUsage.rss())}`);
await app.close();
await close();
if (!kept) await rm(folder, { recursive: true, force: true });
console.log('\n| what | measured (p50 / p95 / most) |\n|---|---|');
for (const row of rows) console.log(`| ${row.join(' | ')} |`);
