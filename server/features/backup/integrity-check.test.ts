import { closeSync, openSync, writeSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createUser, engines, testApp } from '../../test-support/app.ts';
import { checkTables } from './integrity-check.ts';

describe('the check of tables', () => {
  let folder: string;
  let path: string;
  let pageOfLong: { from: number; size: number };
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'reelkeep-integrity-'));
    path = join(folder, 'a.db');
    const db = new DatabaseSync(path);
    db.exec(`create table short (id integer primary key); create table "a ""name""" (id text primary key) without rowid;
      create table long (id integer primary key, text text);
      insert into long (text) with recursive c(n) as (select 1 union all select n + 1 from c where n < 200) select 'text ' || n from c`);
    const { rootpage } = db.prepare("select rootpage from sqlite_schema where name = 'long'").get() as { rootpage: number };
    const { page_size: size } = db.prepare('pragma page_size').get() as { page_size: number };
    pageOfLong = { from: (rootpage - 1) * size, size };
    db.close();
  });
  afterEach(() => rm(folder, { recursive: true }));

  test('covers all tables of a file without damage', async () => {
    expect(await checkTables(path, 30_000)).toEqual({ tables: 3, of: 3, damage: null });
  });

  test('finds a damaged page', async () => {
    const descriptor = openSync(path, 'r+');
    writeSync(descriptor, Buffer.alloc(pageOfLong.size, 0xa5), 0, pageOfLong.size, pageOfLong.from);
    closeSync(descriptor);
    expect((await checkTables(path, 30_000)).damage).toMatch(/long|page|malformed/);
  });

  test('counts nothing that it had no time for', async () => {
    expect((await checkTables(path, 1)).tables).toBe(0);
  });

  test('reports a file that cannot be read', async () => {
    await expect(checkTables(join(folder, 'missing.db'), 30_000)).rejects.toThrow(/open/);
  });
});

test.each(engines)('the health page says what of the database was checked, on $engine', async (on) => {
  const t = await testApp({ on });
  try {
    const staff = await createUser(t, { name: 'Staff', isStaff: true });
    const read = async () =>
      (await staff.call('GET', '/api/health/checks/')).json().find(({ name }: { name: string }) => name === 'database').text;
    if (on.engine === 'postgres') return expect(await read()).toBe('PostgreSQL checks the database itself.');
    expect(await read()).toMatch(/^The database is being checked/);
    t.app.health.checked = { tables: 3, of: 70 };
    expect(await read()).toMatch(/^No damage found in 3 of 70 tables/);
    t.app.health.checked = 'all';
    expect(await read()).toBe('The database is OK.');
  } finally {
    await t.close();
  }
});
