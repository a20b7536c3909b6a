import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { inTransaction, type Db } from './db.ts';
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
