import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { inTransaction, type Db } from '../db.ts';
import { QueryTimeoutError } from '../slow-query-connection.ts';
import type { Connection, Rows } from './connection.ts';
import { createReaderPool } from './reader-pool.ts';
import { openInWorker } from './worker.ts';
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

test('a write after a failed commit is kept, and the failed one leaves nothing', async () => {
  // The deferred foreign key fails at the commit, which leaves the transaction open.
  const failing = inTransaction(db, (tx) => sql`insert into child values (7)`.execute(tx));
  const next = sql`insert into parent values (1)`.execute(db);
  await expect(failing).rejects.toThrow(/FOREIGN KEY/);
  await next;
  expect([await countOf('child'), await countOf('parent')]).toEqual([0, 1]);
});

test('reports the error of a transaction that SQLite rolled back, and continues', async () => {
  const failing = inTransaction(db, async (tx) => {
    await sql`insert into parent values (1)`.execute(tx);
    await sql`rollback`.execute(tx); // as on a full disk
    throw new Error('The disk is full.');
  });
  await expect(failing).rejects.toThrow('The disk is full.');
  await inTransaction(db, (tx) => sql`insert into parent values (2)`.execute(tx));
  expect(await countOf('parent')).toBe(1);
});

test('lookups see each committed write, and do not wait for a blocked one', async () => {
  const ids = () =>
    db.lookups
      .selectFrom('parent' as never)
      .selectAll()
      .execute();
  await sql`insert into parent values (1)`.execute(db);
  expect(await ids()).toEqual([{ id: 1 }]);
  await inTransaction(db, async (tx) => {
    await sql`insert into parent values (2)`.execute(tx);
    expect(
      await tx.lookups
        .selectFrom('parent' as never)
        .selectAll()
        .execute(),
    ).toHaveLength(2);
    expect(await ids()).toHaveLength(1);
  });
  expect(await ids()).toHaveLength(2);
  await expect(sql`insert into parent values (3)`.execute(db.lookups)).rejects.toThrow(/readonly/);
});

test('reads do not wait for a blocked write', async () => {
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

// Takes longer than anything else in these tests, also on a busy machine.
const countingQuery = (upTo: number) =>
  `with recursive c(n) as (select 1 union all select n + 1 from c where n < ${upTo}) select max(n) as n from c`;
const countTo = (from: Db, upTo: number) => from.selectNoFrom(sql<number>`(${sql.raw(countingQuery(upTo))})`.as('n')).execute();
const countQuickly = () =>
  db
    .selectFrom('parent' as never)
    .selectAll()
    .execute();

test('short reads are not blocked by a long one, also the first time', async () => {
  await countQuickly();
  let isFinished = false;
  const long = countTo(db, 8_000_000).then(() => (isFinished = true));
  await Promise.all([countQuickly(), countQuickly(), countQuickly()]);
  expect(isFinished).toBe(false);
  await long;
});

/** Connections that respond immediately and in order. The statement `hold` and later ones wait until `release` is called. */
function controlledConnections() {
  const held: (() => void)[] = [];
  const open = (): Connection => {
    let last: Promise<unknown> = Promise.resolve();
    const run = (text: string) => {
      const result = last
        .then(() => (text === 'hold' ? new Promise<void>((resolve) => held.push(resolve)) : undefined))
        .then(() => ({ columns: ['n'], values: [[0]], changed: 0, lastId: 0 }) as unknown as Rows);
      last = result;
      return result;
    };
    return { run, close: async () => {}, end: async () => {} };
  };
  return { open, release: () => held.splice(0).forEach((resolve) => resolve()) };
}

test('opens a second reader only when the first is busy, and closes it when idle', async () => {
  const warnings: string[] = [];
  const onWarning = ({ name }: Error) => warnings.push(name);
  process.on('warning', onWarning);
  onTestFinished(() => void process.off('warning', onWarning));
  const { open, release } = controlledConnections();
  const readers = createReaderPool(open, { idleMs: 50, patienceMs: 100 });
  const count = () => readers.run('count', []);
  await Promise.all(Array.from({ length: 7 }, count));
  expect(readers.count()).toBe(1);
  // More than one reader accepts.
  await Promise.all(Array.from({ length: 50 }, count));
  expect(readers.count()).toBe(2);
  await expect.poll(() => readers.count()).toBe(1);
  const long = readers.run('hold', []);
  expect((await count()).values).toEqual([[0]]);
  expect(readers.count()).toBe(2);
  release();
  await long;
  await expect.poll(() => readers.count()).toBe(1);
  expect((await count()).values).toEqual([[0]]);
  // It is closed even if two queries at once are frequent, which one reader can handle.
  await Promise.all(Array.from({ length: 50 }, count));
  expect(readers.count()).toBe(2);
  for (const deadline = performance.now() + 10_000; readers.count() > 1 && performance.now() < deadline; await nextTurn())
    await Promise.all([count(), count()]);
  expect(readers.count()).toBe(1);
  await readers.close();
  expect(warnings).not.toContain('TimeoutNegativeWarning'); // its idle time passed while it was busy
});

test('slow queries block nothing and are aborted after their limit; the next one works', async () => {
  let isFinished = false;
  const long = db.slowQueries.read((slow) => countTo(slow, 200_000_000), 3000).finally(() => (isFinished = true));
  const expectation = expect(long).rejects.toThrow(QueryTimeoutError);
  await Promise.all([countQuickly(), countQuickly()]);
  await inTransaction(db, (tx) => sql`insert into parent values (1)`.execute(tx));
  expect(isFinished).toBe(false);
  await expectation;
  const rows = await db.slowQueries.read(
    (slow) =>
      slow
        .selectFrom('parent' as never)
        .selectAll()
        .execute(),
    120_000,
  );
  expect(rows).toEqual([{ id: 1 }]);
});

test('a reserved reader gets no other queries, others continue, and it returns to the pool', async () => {
  const { open, release } = controlledConnections();
  const readers = createReaderPool(open, { idleMs: 50, patienceMs: 100 });
  const count = () => readers.run('count', []);
  const reserved = readers.take();
  expect(readers.count()).toBe(2);
  const search = reserved.connection.run('hold', []);
  await Promise.all(Array.from({ length: 50 }, count)); // more than one reader accepts, but no third one is opened
  expect(readers.count()).toBe(2);
  // With a long query on the only other reader, a third one is opened.
  const long = readers.run('hold', []);
  await count();
  expect(readers.count()).toBe(3);
  // It is closed when the others suffice, even under constant load.
  const controller = new AbortController();
  const load = (async () => {
    for (; !controller.signal.aborted; await nextTurn()) await Promise.all(Array.from({ length: 30 }, count));
  })();
  release();
  await Promise.all([search, long]);
  reserved.giveBack();
  await expect.poll(() => readers.count()).toBe(2);
  controller.abort();
  await load;
  await expect.poll(() => readers.count()).toBe(1);
  await readers.close();
});

test('a query of a reserved reader is aborted when the reader is closed', async () => {
  const readers = createReaderPool(() => openInWorker(join(folder, 'test.db'), { readOnly: true }));
  const reserved = readers.take();
  const ended = expect(reserved.connection.run(countingQuery(500_000_000), [])).rejects.toThrow('closed');
  await reserved.end();
  await ended;
  expect(readers.count()).toBe(1);
  expect((await readers.run('select count(*) as n from parent', [])).values).toEqual([[0]]);
  await readers.close();
});
