import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { inTransaction, type Db } from './db.ts';
import { TookTooLong } from './aside.ts';
import { readersOver } from './sqlite-readers.ts';
import { openInThread } from './sqlite-thread.ts';
import { openSqlite } from './sqlite.ts';

let folder: string;
let db: Db;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelkeep-db-'));
  db = await openSqlite(join(folder, 'test.db'));
  await sql`create table parent (id integer primary key)`.execute(db);
  await sql`create table child (id integer references parent deferrable initially deferred)`.execute(db);
});
afterEach(async () => {
  await db.destroy();
  await rm(folder, { recursive: true, force: true });
});
const countOf = async (table: string) =>
  (await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(db)).rows[0]!.n;

test('what is written right after a commit that failed is kept, and what failed leaves nothing', async () => {
  // The child without a parent is found out by the commit itself, which leaves the transaction open.
  const failing = inTransaction(db, (tx) => sql`insert into child values (7)`.execute(tx));
  const next = sql`insert into parent values (1)`.execute(db);
  await expect(failing).rejects.toThrow(/FOREIGN KEY/);
  await next;
  expect([await countOf('child'), await countOf('parent')]).toEqual([0, 1]);
});

test('a transaction that SQLite itself rolled back tells what went wrong, and the next one works', async () => {
  const failing = inTransaction(db, async (tx) => {
    await sql`insert into parent values (1)`.execute(tx);
    await sql`rollback`.execute(tx); // as a full disk makes it do
    throw new Error('The disk is full.');
  });
  await expect(failing).rejects.toThrow('The disk is full.');
  await inTransaction(db, (tx) => sql`insert into parent values (2)`.execute(tx));
  expect(await countOf('parent')).toBe(1);
});

test('reads do not wait for a write that waits', async () => {
  const other = new DatabaseSync(join(folder, 'test.db'));
  other.exec('begin immediate');
  let isWritten = false;
  const writing = inTransaction(db, (tx) => sql`insert into parent values (1)`.execute(tx)).then(() => (isWritten = true));
  const read = db.selectFrom('parent' as never).selectAll();
  expect(await Promise.all([read.execute(), read.execute(), read.execute()])).toEqual([[], [], []]);
  expect(isWritten).toBe(false);
  other.exec('commit');
  other.close();
  await writing;
  expect(await read.execute()).toEqual([{ id: 1 }]);
});

// Counts so far that it takes longer than anything else in these tests, also on a busy machine.
const counting = (upTo: number) =>
  `with recursive c(n) as (select 1 union all select n + 1 from c where n < ${upTo}) select max(n) as n from c`;
const counted = (from: Db, upTo: number) => from.selectNoFrom(sql<number>`(${sql.raw(counting(upTo))})`.as('n')).execute();
const quick = () =>
  db
    .selectFrom('parent' as never)
    .selectAll()
    .execute();

test('a list gets through while a long statement reads, also the first time', async () => {
  await quick();
  let isOver = false;
  const long = counted(db, 8_000_000).then(() => (isOver = true));
  await Promise.all([quick(), quick(), quick()]);
  expect(isOver).toBe(false);
  await long;
});

test('a second reader is opened only where the first is busy for long or with much, and closed when it is not needed', async () => {
  const warnings: string[] = [];
  const heard = ({ name }: Error) => warnings.push(name);
  process.on('warning', heard);
  onTestFinished(() => void process.off('warning', heard));
  const open = () => openInThread(join(folder, 'test.db'), { readOnly: true });
  const readers = readersOver(open, { idleMs: 50, patienceMs: 1500 });
  const count = () => readers.run('select count(*) as n from parent', []);
  await count(); // its thread is there
  await Promise.all(Array.from({ length: 7 }, count));
  expect(readers.count()).toBe(1);
  // More than may lie before one.
  await Promise.all(Array.from({ length: 50 }, count));
  expect(readers.count()).toBe(2);
  await expect.poll(() => readers.count()).toBe(1);
  const long = readers.run(counting(40_000_000), []);
  expect((await count()).values).toEqual([[0]]);
  expect(readers.count()).toBe(2);
  await long;
  await expect.poll(() => readers.count()).toBe(1);
  expect((await count()).values).toEqual([[0]]);
  // It goes also while now and then two things are asked at once, which one could do as well.
  await Promise.all(Array.from({ length: 50 }, count));
  expect(readers.count()).toBe(2);
  for (let n = 0; n < 10_000 && readers.count() > 1; n++) await Promise.all([count(), count()]);
  expect(readers.count()).toBe(1);
  await readers.close();
  expect(warnings).not.toContain('TimeoutNegativeWarning'); // its time was over while it was at work
});

test('what is read aside holds up nobody, and is given up when it takes too long; the next one is answered', async () => {
  let isOver = false;
  const long = db.aside.read((aside) => counted(aside, 200_000_000), 3000).finally(() => (isOver = true));
  const given = expect(long).rejects.toThrow(TookTooLong);
  await Promise.all([quick(), quick()]);
  await inTransaction(db, (tx) => sql`insert into parent values (1)`.execute(tx));
  expect(isOver).toBe(false);
  await given;
  const rows = await db.aside.read(
    (aside) =>
      aside
        .selectFrom('parent' as never)
        .selectAll()
        .execute(),
    120_000,
  );
  expect(rows).toEqual([{ id: 1 }]);
});

test('one that is taken is asked nothing else, lists get through beside it, and given back it is there again', async () => {
  const open = () => openInThread(join(folder, 'test.db'), { readOnly: true });
  const readers = readersOver(open, { idleMs: 50, patienceMs: 500 });
  const count = () => readers.run('select count(*) as n from parent', []);
  const taken = readers.take();
  expect(readers.count()).toBe(2);
  let isOver = false;
  const search = taken.connection.run(counting(12_000_000), []).then(() => (isOver = true));
  await Promise.all(Array.from({ length: 50 }, count)); // more than may lie before one, and yet no third is opened
  expect([isOver, readers.count()]).toEqual([false, 2]);
  // Something long before the only other: then there is a third.
  const long = readers.run(counting(20_000_000), []);
  await count();
  expect(readers.count()).toBe(3);
  // It goes when the others can do without it, also while there is always something to ask.
  const busy = new AbortController();
  const asking = (async () => {
    while (!busy.signal.aborted) await Promise.all(Array.from({ length: 30 }, count));
  })();
  await Promise.all([search, long]);
  taken.giveBack();
  await expect.poll(() => readers.count()).toBe(2);
  busy.abort();
  await asking;
  await expect.poll(() => readers.count()).toBe(1);
  const given = readers.take();
  const ended = expect(given.connection.run(counting(500_000_000), [])).rejects.toThrow('closed');
  await given.end();
  await ended;
  expect(readers.count()).toBe(1);
  expect((await count()).values).toEqual([[0]]);
  await readers.close();
});
