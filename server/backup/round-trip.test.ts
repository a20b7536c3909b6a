import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { addExactly } from '../db/copy.ts';
import { saidBy } from '../http/said.ts';
import { keysOf } from '../seal.ts';
import { aUser, aVideo, engines, testArchive, type TestArchive } from '../testing.ts';
import { backupFolder, listBackups } from './folder.ts';
import { restoreBackup } from './restore-backup.ts';
import { runBackup } from './run-backup.ts';
import { openZip, textOf } from './zip.ts';
import { canary, everyKindOfRow } from '../../e2e/backup-rows.ts';
import { aZip, contentOf, done, fill } from '../../e2e/backups.ts';

const open: TestArchive[] = [];
async function anArchive(on = engines[0]!, env: Record<string, string> = {}) {
  const t = await testArchive({ on, onDisk: true, env });
  open.push(t);
  await t.runner.begin();
  return t;
}
const closeAll = () => Promise.all(open.splice(0).map((t) => t.close()));

const backUp = (t: TestArchive, reason: 'auto' | 'manual' = 'manual') => done(t, t.archive.tasks.start(runBackup, { reason }));
const restore = (t: TestArchive, filename: string, dry_run = false) =>
  done(t, t.archive.tasks.start(restoreBackup, { filename, dry_run, watched_for: 'me' }));
/** Brings the newest backup of one archive to another; answers its name there. */
async function bring(from: TestArchive, to: TestArchive) {
  const [backup] = await listBackups(from.archive);
  const target = join(backupFolder(to.archive), backup!.filename);
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, await readFile(backup!.file_path));
  return backup!.filename;
}

describe.each(engines)('a backup on $engine', (engine) => {
  test.each(engines)('comes back whole on $engine, row by row', async (other) => {
    try {
      const from = await anArchive(engine);
      await fill(from.archive.db);
      const before = await contentOf(from.archive.db);
      expect((await backUp(from)).status).toBe('success');
      const to = await anArchive(other);
      const said = await restore(to, await bring(from, to));
      expect(said.status, said.result ?? '').toBe('success');
      expect(await contentOf(to.archive.db)).toEqual(before);
      // Numbers that the database counts go on after the ones that came.
      const next = await to.archive.db
        .insertInto('refreshWish')
        .values({ kind: 'video', id: 'z', isByHand: 0 })
        .returning('number')
        .executeTakeFirstOrThrow();
      expect(next.number).toBeGreaterThan(5);
    } finally {
      await closeAll();
    }
  });

  test('replaces what is here, and what was here can be had again', async () => {
    try {
      const t = await anArchive(engine);
      await fill(t.archive.db);
      const before = await contentOf(t.archive.db);
      await backUp(t);
      const [backup] = await listBackups(t.archive);
      await t.archive.db.deleteFrom('video').where('id', '=', 'aaaaaaaaaaa').execute();
      await aVideo(t.archive.db, { id: 'fffffffffff', channelId: 'UChere' });
      const said = await restore(t, backup!.filename);
      expect([said.status, saidBy(said.result)?.[0]?.code], said.result ?? '').toEqual(['success', 'restore.completed']);
      const after = await contentOf(t.archive.db);
      // The queue gets numbers that no folder of a download has.
      expect(after['download']!.map(({ id }) => id)).toEqual(before['download']!.map(({ id }) => id));
      expect(Number(after['download']![0]!['number'])).toBeGreaterThan(41);
      expect({ ...after, download: [] }).toEqual({ ...before, download: [] });
      expect(said.result).toMatch(
        engine.engine === 'sqlite' ? /kept as snapshot-\d{8}-\d{6}-restore/ : /kept as ta_backup-\d{8}-before\.zip/,
      );
    } finally {
      await closeAll();
    }
  });

  test('of one instant, though much is written meanwhile', async () => {
    try {
      const t = await anArchive(engine);
      const { db } = t.archive;
      await aVideo(db, { id: 'ggggggggggg' });
      // Each change writes two places that must agree.
      let isOver = false;
      let count = 0;
      const writing = (async () => {
        while (!isOver || count < 1000) {
          count++;
          await db.transaction().execute(async (tx) => {
            await tx
              .insertInto('listing')
              .values({ url: `u${String(count).padStart(6, '0')}`, reached: count, updatedAt: 1 })
              .execute();
            await tx.updateTable('video').set({ viewCount: count }).where('id', '=', 'ggggggggggg').execute();
          });
        }
      })();
      while (count < 20) await new Promise((resolve) => setTimeout(resolve, 5));
      const said = await backUp(t);
      isOver = true;
      await writing;
      expect(said.status, said.result ?? '').toBe('success');
      const to = await anArchive(engine);
      await restore(to, await bring(t, to));
      const { viewCount } = await to.archive.db.selectFrom('video').select('viewCount').executeTakeFirstOrThrow();
      const listings = await to.archive.db
        .selectFrom('listing')
        .select((e) => e.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      expect(viewCount).toBe(listings.count);
      expect(count).toBeGreaterThanOrEqual(1000);
    } finally {
      await closeAll();
    }
  });

  test('of an earlier version comes back, one of a newer is refused', async () => {
    try {
      const t = await anArchive(engine);
      await aVideo(t.archive.db, { id: 'hhhhhhhhhhh' });
      const channel = {
        id: 'UCold',
        site: 'youtube',
        siteId: 'UCold',
        name: 'Old',
        sortName: 'old',
        tags: '[]',
        tabs: '[]',
        addedAt: 1,
        refreshedAt: 2,
      };
      await aZip(t.archive, 'ta_backup-20260101-auto.zip', { migration: '0004-acquisition', tables: { channel: [channel] } });
      const before = await contentOf(t.archive.db);
      await aZip(t.archive, 'ta_backup-20270101-auto.zip', { migration: '0999-later', tables: { channel: [channel] } });
      const newer = await restore(t, 'ta_backup-20270101-auto.zip');
      expect(newer).toMatchObject({ status: 'failure', result: expect.stringContaining('made by a newer version of Reelkeep') });
      expect(await contentOf(t.archive.db)).toEqual(before);
      const older = await restore(t, 'ta_backup-20260101-auto.zip');
      expect(older.status, older.result ?? '').toBe('success');
      const after = await contentOf(t.archive.db);
      expect(after['channel']).toMatchObject([{ id: 'UCold', name: 'Old', isSubscribed: 0, goneSince: null }]);
      expect(after['video']).toEqual([]);
      await t.archive.db.insertInto('secret').values({ name: 'cookie', sealed: 'x', state: '{}', updatedAt: 1 }).execute();
    } finally {
      await closeAll();
    }
  });

  test('nothing changes by a dry run, or by a restore that fails on its last row', async () => {
    try {
      const t = await anArchive(engine);
      await fill(t.archive.db);
      const before = await contentOf(t.archive.db);
      await aZip(t.archive, 'ta_backup-20260101-auto.zip', { tables: { listing: [{ url: 'a', reached: 1, updatedAt: 1 }] } });
      const dry = await restore(t, 'ta_backup-20260101-auto.zip', true);
      expect(dry.result).toMatch(/0 videos \(3 here\).*Nothing was changed/);
      expect(saidBy(dry.result)).toHaveLength(3);
      // The second account has the name of the first.
      const account = {
        id: 1,
        foldedName: 'x',
        name: 'X',
        passwordHash: 'p',
        isStaff: 1,
        isSuperuser: 1,
        config: '{}',
        createdAt: 1,
        lastLoginAt: null,
      };
      await aZip(t.archive, 'ta_backup-20260102-auto.zip', { tables: { account: [account, { ...account, id: 2 }] } });
      expect(await restore(t, 'ta_backup-20260102-auto.zip')).toMatchObject({ status: 'failure' });
      const orphan = { videoId: 'nobody', lang: 'en', position: 0, startSeconds: 1, endSeconds: 2, text: 'x' };
      await aZip(t.archive, 'ta_backup-20260103-auto.zip', { tables: { line: [orphan] } });
      expect(await restore(t, 'ta_backup-20260103-auto.zip')).toMatchObject({ status: 'failure' });
      expect(await contentOf(t.archive.db)).toEqual(before);
      expect(t.archive.maintenance.why).toBeNull();
      const { rows } = await sql<{ n: number }>`select count(*) as n from kysely_migration`.execute(t.archive.db);
      expect(rows[0]!.n).toBeGreaterThan(3);
    } finally {
      await closeAll();
    }
  });

  test('whoever is logged in stays so when the account is the same, and only then', async () => {
    try {
      const t = await anArchive(engine);
      const [ann, bob] = [await aUser(t, { name: 'Ann', isStaff: true }), await aUser(t, { name: 'Bob' })];
      await backUp(t);
      const [backup] = await listBackups(t.archive);
      await t.archive.db.updateTable('account').set({ name: 'Eve', foldedName: 'eve' }).where('name', '=', 'Bob').execute();
      const eve = { call: bob.call };
      expect((await eve.call('GET', '/api/user/account/')).json()).toMatchObject({ name: 'Eve' });
      expect((await restore(t, backup!.filename)).status).toBe('success');
      expect((await ann.call('GET', '/api/user/account/')).json()).toMatchObject({ name: 'Ann' });
      // The number is now Bob's again: Eve's session must not become his.
      expect((await eve.call('GET', '/api/user/account/')).statusCode).toBe(403);
    } finally {
      await closeAll();
    }
  });
});

test('what is sealed is not in it in clear, and is dropped where another key is', async () => {
  try {
    const t = await anArchive();
    await fill(t.archive.db);
    await backUp(t);
    const [backup] = await listBackups(t.archive);
    const zip = await openZip(backup!.file_path);
    let text = '';
    for (const entry of zip.entries.values()) for await (const piece of entry.read()) text += piece.toString('latin1');
    expect(text).toContain('aaaaaaaaaaa');
    expect(text).not.toContain(canary);
    expect(text).not.toContain(t.archive.keys.present.toString('hex'));
    expect(text).not.toContain(t.archive.keys.present.toString('base64'));
    expect(JSON.parse(await textOf(zip.entries.get('manifest.json')!)).left_out.join(' ')).toContain('secret.key');
    zip.close();

    const to = await anArchive();
    Object.assign(to.archive, { keys: keysOf(Buffer.alloc(32, 9)) });
    const said = await restore(to, await bring(t, to));
    expect(said.status, said.result ?? '').toBe('success');
    expect(said.messages).toMatch(/API token of Ann, the cookie, where the end of run_backup is told/);
    const content = await contentOf(to.archive.db);
    expect([content['token'], content['secret'], content['notifyTarget']]).toEqual([[], [], []]);
    expect(content['account']).toHaveLength(2);
  } finally {
    await closeAll();
  }
});

test('pictures that exist nowhere else are in it, and come back where none stands', async () => {
  try {
    const t = await anArchive();
    await fill(t.archive.db);
    const { dataFolder, cacheFolder } = t.archive.config;
    const put = async (path: string, text: string) => {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
    };
    await put(join(dataFolder, 'earlier/aaaaaaaaaaa-5.jpg'), 'earlier');
    await put(join(cacheFolder, 'videos/a/aaaaaaaaaaa.jpg'), 'gone video');
    await put(join(cacheFolder, 'videos/b/bbbbbbbbbbb.jpg'), 'still there');
    await put(join(cacheFolder, 'channels/UCgone_thumb.jpg'), 'gone channel');
    expect((await backUp(t)).status).toBe('success');
    const to = await anArchive();
    await put(join(to.archive.config.cacheFolder, 'channels/UCgone_thumb.jpg'), 'another');
    await restore(to, await bring(t, to));
    const read = (path: string) => readFile(path, 'utf8').catch(() => null);
    expect(await read(join(to.archive.config.dataFolder, 'earlier/aaaaaaaaaaa-5.jpg'))).toBe('earlier');
    expect(await read(join(to.archive.config.cacheFolder, 'videos/a/aaaaaaaaaaa.jpg'))).toBe('gone video');
    expect(await read(join(to.archive.config.cacheFolder, 'videos/b/bbbbbbbbbbb.jpg'))).toBeNull();
    expect(await read(join(to.archive.config.cacheFolder, 'channels/UCgone_thumb.jpg'))).toBe('another');
  } finally {
    await closeAll();
  }
});

test('a second one of a day takes nothing from the first, and only those that came by themselves are rotated', async () => {
  try {
    const t = await anArchive();
    await addExactly(t.archive.db, 'schedule', [
      { name: 'run_backup', schedule: '0 18 0', config: '{"rotate":2}', lastRunAt: null, nextAt: 4_000_000_000 },
    ]);
    await backUp(t, 'manual');
    for (let times = 0; times < 4; times++) expect((await backUp(t, 'auto')).status).toBe('success');
    const names = (await listBackups(t.archive)).map(({ filename }) => filename.replace(/\d{8}/, 'day'));
    expect(names).toHaveLength(3);
    expect(names).toContain('ta_backup-day-manual.zip');
    expect(names.filter((name) => name.includes('auto'))).toHaveLength(2);
    // As the original program reads names: three parts, the third is the reason.
    for (const name of names) expect(name.split('-')).toHaveLength(3);
    expect((await listBackups(t.archive)).map(({ reason }) => reason).sort()).toEqual(['auto', 'auto', 'manual']);
    expect((await readdir(backupFolder(t.archive))).filter((name) => name.endsWith('.part'))).toEqual([]);
    await rm(backupFolder(t.archive), { recursive: true });
  } finally {
    await closeAll();
  }
});

test('the rows to try with fill every column of every table', async () => {
  const t = await testArchive();
  try {
    await fill(t.archive.db);
    const content = await contentOf(t.archive.db);
    for (const [table, rows] of Object.entries(everyKindOfRow())) {
      const stored = content[table]!;
      expect([table, stored.length]).toEqual([table, rows.length]);
      expect(Object.keys(stored[0]!).sort(), table).toEqual(Object.keys(rows[0]!).sort());
    }
  } finally {
    await t.close();
  }
});
