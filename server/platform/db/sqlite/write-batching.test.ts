import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { inTransaction, type Db } from '../db.ts';
import { openSqlite } from './sqlite.ts';

let folder: string;
let db: Db;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelkeep-db-'));
  db = await openSqlite(join(folder, 'test.db'));
  await sql`create table one (id integer primary key, name text unique)`.execute(db);
  await sql`create table child (id integer references one deferrable initially deferred)`.execute(db);
});
afterEach(async () => {
  await db.destroy();
  await rm(folder, { recursive: true, force: true });
});

const insert = (id: number, name = String(id)) =>
  db
    .insertInto('one' as never)
    .values({ id, name } as never)
    .execute();
const ids = async () => (await sql<{ id: number }>`select id from one order by id`.execute(db)).rows.map(({ id }) => id);
const logBytes = async () => (await stat(join(folder, 'test.db-wal'))).size;
const numbers = Array.from({ length: 120 }, (_, index) => index);

test('concurrent writes share a few commits', async () => {
  const before = await logBytes();
  await Promise.all(numbers.map((id) => insert(id)));
  expect(await ids()).toEqual(numbers);
  // Each commit writes at least two pages of 4 KiB to the WAL: of the table and of the index.
  expect(await logBytes()).toBeLessThan(before + (numbers.length / 4) * 2 * 4096);
});

test('a failed write is reported, the others succeed and return their own rows', async () => {
  await insert(1000, 'taken');
  const done = await Promise.allSettled(
    [1, 2, 3, 4].map((id) =>
      db
        .insertInto('one' as never)
        .values({ id, name: id === 3 ? 'taken' : `n${id}` } as never)
        .executeTakeFirstOrThrow(),
    ),
  );
  expect(done.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  expect(String((done[2] as PromiseRejectedResult).reason)).toMatch(/UNIQUE/);
  expect((done[3] as PromiseFulfilledResult<unknown>).value).toMatchObject({ insertId: 4n, numInsertedOrUpdatedRows: 1n });
  expect(await ids()).toEqual([1, 2, 4, 1000]);
});

test('the others succeed once if one write makes SQLite roll back', async () => {
  await insert(1000, 'taken');
  await sql`create table counter (n integer)`.execute(db);
  await sql`insert into counter values (0)`.execute(db);
  const count = () =>
    db
      .updateTable('counter' as never)
      .set({ n: sql`n + 1` } as never)
      .execute();
  const rollingBack = db
    .insertInto('one' as never)
    .orRollback()
    .values({ id: 5, name: 'taken' } as never)
    .execute();
  const done = await Promise.allSettled([count(), count(), rollingBack, count()]);
  expect(done.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  expect((await sql<{ n: number }>`select n from counter`.execute(db)).rows).toEqual([{ n: 3 }]);
});

test('a write that fails at the commit does not affect others', async () => {
  const orphan = db
    .insertInto('child' as never)
    .values({ id: 77 } as never)
    .execute();
  const others = [insert(1), insert(2)];
  await expect(orphan).rejects.toThrow(/FOREIGN KEY/);
  await Promise.all(others);
  expect(await ids()).toEqual([1, 2]);
});

test('a write outside a transaction is not part of it', async () => {
  const failing = inTransaction(db, async (tx) => {
    await sql`insert into one values (1, 'one')`.execute(tx);
    throw new Error('not that');
  });
  const concurrent = Promise.all([insert(2), insert(3)]);
  await expect(failing).rejects.toThrow('not that');
  await concurrent;
  expect(await ids()).toEqual([2, 3]);
});

test('all writes fail immediately while another process holds the lock for too long', { timeout: 60_000 }, async () => {
  const other = new DatabaseSync(join(folder, 'test.db'));
  other.exec('begin immediate');
  const all = Promise.allSettled([insert(1), insert(2), insert(3)]);
  await expect(insert(4)).rejects.toThrow(/locked/);
  other.exec('commit');
  other.close();
  expect((await all).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(await ids()).toEqual([]);
});

test('reports each write when the database is closed meanwhile', async () => {
  const all = Promise.allSettled([db.destroy(), insert(1), insert(2)]);
  const [, ...writes] = await all;
  db = await openSqlite(join(folder, 'test.db'));
  const storedIds = await ids();
  expect(storedIds).toEqual([1, 2].filter((_, index) => writes[index]!.status === 'fulfilled'));
});
