import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { CompiledQuery, sql, type DatabaseConnection, type Driver } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { aChannel, aVideo, engines, testArchive, type TestArchive } from '../testing.ts';
import { inTransaction, type Db } from './db.ts';
import { names } from './names.ts';
import { openRecall, telling, writtenWith } from './recall.ts';
import { openSqlite } from './sqlite.ts';
import type { Tables } from './tables.ts';

describe.each(engines)('what is recalled, on $engine', (on) => {
  let t: TestArchive;
  let db: Db;
  let id: string;
  let reads: number;
  beforeEach(async () => {
    t = await testArchive({ on });
    ({ db } = t.archive);
    id = await aVideo(db, { title: 'first' });
    reads = 0;
  });
  afterEach(() => t.close());

  const titleOf = (from: Db = db) =>
    from.recall.one('title', { from: ['video'] }, async () => {
      reads++;
      return (await from.selectFrom('video').select('title').where('id', '=', id).executeTakeFirst())?.title;
    });
  const rename = (title: string, to: Pick<Db, 'updateTable'> = db) =>
    to.updateTable('video').set({ title }).where('id', '=', id).execute();

  test('is read once, also by several at once', async () => {
    expect(await Promise.all([titleOf(), titleOf()])).toEqual(['first', 'first']);
    expect([await titleOf(), reads]).toEqual(['first', 1]);
  });

  test('is read anew after a write of what it was read from, and not after another', async () => {
    await titleOf();
    await db.updateTable('account').set({ config: '{}' }).execute();
    expect([await titleOf(), reads]).toEqual(['first', 1]);
    await rename('second');
    expect([await titleOf(), reads]).toEqual(['second', 2]);
    // What goes with it when something is deleted is not known.
    await db.deleteFrom('account').where('id', '=', -1).execute();
    await titleOf();
    expect(reads).toBe(3);
    await sql`update video set title = 'by hand'`.execute(db);
    expect([await titleOf(), reads]).toEqual(['by hand', 4]);
    await sql`select 1`.execute(db);
    await titleOf();
    expect(reads).toBe(4);
  });

  test('of one column is read anew when that is written or a row comes or goes, and not when rows are changed otherwise', async () => {
    const titleAlone = () =>
      db.recall.one('title alone', { from: ['video.title'] }, async () => {
        reads++;
        return (await db.selectFrom('video').select('title').where('id', '=', id).executeTakeFirst())?.title;
      });
    await titleAlone();
    await db.updateTable('video').set({ viewCount: 7 }).execute();
    expect([await titleAlone(), reads]).toEqual(['first', 1]);
    await titleOf();
    await db.updateTable('video').set({ viewCount: 8 }).execute();
    await titleOf(); // of the whole table
    expect(reads).toBe(3);
    await db.updateTable('video').set({ viewCount: 9, title: 'second' }).where('id', '=', id).execute();
    expect([await titleAlone(), reads]).toEqual(['second', 4]);
    await inTransaction(db, async (tx) => {
      await tx.updateTable('video').set({ viewCount: 10 }).execute();
      await rename('third', tx);
    });
    expect([await titleAlone(), reads]).toEqual(['third', 5]);
    await aVideo(db);
    await titleAlone();
    expect(reads).toBe(6);
    await sql`update video set title = 'by hand'`.execute(db);
    expect([await titleAlone(), reads]).toEqual(['by hand', 7]);
    // What a trigger writes may be any column.
    const counted = () => db.recall.one('counted', { from: ['tally.sizeBytes'] }, async () => ++reads);
    await counted();
    await db.updateTable('video').set({ sizeBytes: 5 }).execute();
    expect(await counted()).toBe(9);
  });

  test('within a transaction is read always; outside it is what it was until the end of it', async () => {
    await titleOf();
    await inTransaction(db, async (tx) => {
      await rename('second', tx);
      expect(await titleOf(tx as unknown as Db)).toBe('second');
    });
    expect(await titleOf()).toBe('second');
    await inTransaction(db, async (tx) => {
      await rename('third', tx);
      throw new Error('no');
    }).catch(() => {});
    expect(await titleOf()).toBe('second');
  });

  test('is not what was read before a write that ended meanwhile', async () => {
    let goOn = () => {};
    const held = new Promise<void>((resolve) => (goOn = resolve));
    const old = db.recall.one('title', { from: ['video'] }, async () => {
      const row = await db.selectFrom('video').select('title').where('id', '=', id).executeTakeFirst();
      await held;
      return row?.title;
    });
    await wait(50);
    await rename('second');
    goOn();
    expect([await old, await titleOf()]).toEqual(['first', 'second']);
  });

  test('is not a failure', async () => {
    const failing = () => db.recall.one('title', { from: ['video'] }, () => Promise.reject(new Error('broken')));
    await expect(failing()).rejects.toThrow('broken');
    expect(await titleOf()).toBe('first');
  });

  test('is not kept as bytes that were read before a write and are given after it', async () => {
    const version = db.recall.version(['video']);
    const read = async (title: string, before?: number) => {
      const given = async () => new Map([[id, Buffer.from(title)]]);
      return String((await db.recall.bytes('one', [id], { from: ['video'], version: before }, given)).get(id));
    };
    await rename('second');
    expect(db.recall.version(['video'])).not.toBe(version);
    expect(await read('first', version)).toBe('first');
    expect([await read('second'), await read('third')]).toEqual(['second', 'second']);
  });

  test('of bytes what is missing is asked for together and once, and read anew after a write', async () => {
    const other = await aVideo(db, { channelId: await aChannel(db) });
    const asked: string[][] = [];
    const show = async (ids: string[]) => {
      const read = await db.recall.bytes('one', ids, { from: ['video'] }, async (missing) => {
        asked.push(missing);
        await wait(20);
        const rows = await db.selectFrom('video').select(['id', 'title']).where('id', 'in', missing).execute();
        return new Map(rows.map((row) => [row.id, new TextEncoder().encode(row.title)]));
      });
      return ids.map((one) => read.get(one) && new TextDecoder().decode(read.get(one)));
    };
    const { title } = await db.selectFrom('video').select('title').where('id', '=', other).executeTakeFirstOrThrow();
    expect(await Promise.all([show([id]), show([id])])).toEqual([['first'], ['first']]);
    expect(await show([other, 'nowhere', id, other])).toEqual([title, undefined, 'first', title]);
    expect(asked).toEqual([[id], [other, 'nowhere']]);
    const reading = show([other, 'else']);
    await wait(5);
    await rename('second');
    await reading;
    expect(await show([id, other])).toEqual(['second', title]);
    expect(asked.slice(2)).toEqual([['else'], [id, other]]);
    const failing = () => db.recall.bytes('one', ['x'], { from: ['video'] }, () => Promise.reject(new Error('broken')));
    await expect(failing()).rejects.toThrow('broken');
    expect(await show(['x', id])).toEqual([undefined, 'second']);
    await inTransaction(db, async (tx) => {
      await rename('third', tx);
      const read = () => tx.selectFrom('video').select('title').where('id', '=', id).executeTakeFirstOrThrow();
      const found = await tx.recall.bytes(
        'one',
        [id],
        { from: ['video'] },
        async () => new Map([[id, Buffer.from((await read()).title)]]),
      );
      expect(String(found.get(id))).toBe('third');
    });
  });

  test('of several what is missing is asked for together, and what does not exist is left out', async () => {
    const other = await aVideo(db, { channelId: await aChannel(db) });
    const asked: string[][] = [];
    const show = (ids: string[]) =>
      db.recall.each('one', ids, { from: ['video'] }, async (missing) => {
        asked.push(missing);
        const rows = await db.selectFrom('video').select('id').where('id', 'in', missing).execute();
        return new Map(rows.map((row) => [row.id, row.id]));
      });
    expect(await show([other])).toEqual([other]);
    expect(await show([id, 'nowhere', other, id])).toEqual([id, other, id]);
    expect(await show([id, 'nowhere'])).toEqual([id]);
    expect(asked).toEqual([[other], [id, 'nowhere']]);
  });

  test('is read anew where a trigger wrote it', async () => {
    // After a delete everything is read anew, so what triggers do then need not be known.
    const triggers =
      on.engine === 'sqlite'
        ? await sql<{ on: string; body: string }>`select tbl_name as "on", sql as body from sqlite_schema where type = 'trigger'
            and sql not like '%after delete%' and sql not like '%before delete%'`.execute(db)
        : await sql<{ on: string; body: string }>`select relname as "on", prosrc as body from pg_proc
            join pg_trigger on tgfoid = pg_proc.oid join pg_class on pg_class.oid = tgrelid
            where not tgisinternal and (tgtype & 8) = 0`.execute(db);
    const told = triggers.rows.flatMap((trigger) =>
      [...trigger.body.matchAll(/(?:insert into|delete from|update(?! of| or| set| on)) "?(\w+)/g)].map(([, table]) => ({
        table: names.here(trigger.on) as keyof Tables,
        writes: names.here(table!) as keyof Tables,
      })),
    );
    expect(told).toContainEqual({ table: 'video', writes: 'tally' });
    expect(told.filter(({ table, writes }) => !writtenWith[table]?.includes(writes))).toEqual([]);
  });

  test('is read anew when what it was counted from is written', async () => {
    const count = () =>
      db.recall.one('count', { from: ['facetTally'] }, async () => {
        const rows = await db.selectFrom('facetTally').select('videos').where('kind', '=', 'tag').execute();
        return rows.length;
      });
    expect(await count()).toBe(0);
    await db.updateTable('video').set({ tags: '["a tag"]' }).execute();
    expect(await count()).toBe(1);
  });
});

test('a write is told also on a connection on which a transaction could not begin', async () => {
  const recall = openRecall();
  const connection = { executeQuery: async () => ({ rows: [] }) } as unknown as DatabaseConnection;
  const bare = { acquireConnection: async () => connection, beginTransaction: () => Promise.reject(new Error('gone')) };
  const driver = telling(bare as unknown as Driver, recall);
  await driver.acquireConnection();
  await expect(driver.beginTransaction(connection, {})).rejects.toThrow('gone');
  let reads = 0;
  const read = () => recall.one('a', { from: ['video'] }, async () => ++reads);
  expect([await read(), await read()]).toEqual([1, 1]);
  await connection.executeQuery(CompiledQuery.raw('update video set title = 1'));
  expect(await read()).toBe(2);
});

test('what another program writes to the file is noticed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'reelkeep-recall-'));
  const path = join(folder, 'test.db');
  const db = await openSqlite(path);
  const other = new DatabaseSync(path);
  try {
    await sql`create table video (title text)`.execute(db);
    const count = () =>
      db.recall.one('count', { from: ['video'] }, async () => {
        const { total } = await db
          .selectFrom('video')
          .select((e) => e.fn.countAll<number>().as('total'))
          .executeTakeFirstOrThrow();
        return total;
      });
    expect(await count()).toBe(0);
    other.exec("insert into video values ('by another')");
    await expect.poll(count, { timeout: 20_000 }).toBe(1);
  } finally {
    other.close();
    await db.destroy();
    await rm(folder, { recursive: true, force: true });
  }
});

test('what is old is read anew, and of very many only some are kept', async () => {
  const { one } = openRecall();
  let reads = 0;
  const read = async () => ++reads;
  expect(await one('a', { from: ['video'], forMs: 20 }, read)).toBe(1);
  await wait(40);
  expect(await one('a', { from: ['video'], forMs: 60_000 }, read)).toBe(2);
  for (let n = 0; n < 1_000; n++) await one(`b${n}`, { from: ['video'] }, async () => n);
  expect(await one('a', { from: ['video'] }, read)).toBe(3);
  const large = async () => new Uint8Array(700_000);
  await one('c', { from: ['video'] }, read);
  for (let n = 0; n < 4; n++) await one(`large${n}`, { from: ['video'] }, large);
  expect(await one('c', { from: ['video'] }, read)).toBe(5);
});
