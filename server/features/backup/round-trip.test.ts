import { message, type Message } from '#contract/messages.ts';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { insertExactly } from '../../platform/db/copy/bulk-copy.ts';
import { MessageError, messagesOf } from '../../platform/messages/message-error.ts';
import { renderMessages } from '../../platform/messages/render.ts';
import { steps } from '../../platform/db/migrations/migrate.ts';
import { singleNode } from '../../platform/context/nodes.ts';
import { keysOf } from '../../platform/security/encryption.ts';
import { createUser, createVideo, engines, testApp, type TestApp } from '../../test-support/app.ts';
import { backupFolder, listBackups } from './files/backup-files.ts';
import { restoreReelkeepBackup } from './restore/restore.ts';
import { restoreBackup } from './restore-backup.ts';
import { runBackup } from './run-backup.ts';
import { openZip, textOfEntry } from '../../platform/files/zip.ts';
import { canary, everyKindOfRow } from '../../../e2e/support/backup-rows.ts';
import { aZip, contentOf, done, fill } from '../../../e2e/support/backups.ts';

const open: TestApp[] = [];
async function openArchive(on = engines[0]!, env: Record<string, string> = {}) {
  const t = await testApp({ on, onDisk: true, env });
  open.push(t);
  await t.runner.begin();
  return t;
}
const closeArchives = () => Promise.all(open.splice(0).map((t) => t.close()));

const runTestBackup = (t: TestApp, reason: 'auto' | 'manual' = 'manual') => done(t, t.app.tasks.start(runBackup, { reason }));
const restore = (t: TestApp, filename: string, dry_run = false) =>
  done(t, t.app.tasks.start(restoreBackup, { filename, dry_run, watched_for: 'me', accounts: 'stay' }));
/** Restores like the CLI, which also replaces accounts. */
async function restoreAll({ app }: TestApp, filename: string) {
  const skipped: string[] = [];
  const work = {
    part: app,
    accounts: 'replace' as const,
    signal: new AbortController().signal,
    report: () => {},
    skip: (what: string, why: Message | Message[] | Error) =>
      void skipped.push(`${what}: ${renderMessages(why instanceof Error ? messagesOf(why) : why)}`),
    quiet: async () => {},
    keepPresent: async () => message('restore.previous-saved', { name: 'nothing' }),
  };
  await restoreReelkeepBackup(work, join(backupFolder(app), filename), { dryRun: false });
  return skipped.join('\n');
}
/** Copies the newest backup of one archive to another and returns its file name. */
async function copyNewestBackup(from: TestApp, to: TestApp) {
  const [backup] = await listBackups(from.app);
  const target = join(backupFolder(to.app), backup!.filename);
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, await readFile(backup!.file_path));
  return backup!.filename;
}

describe.each(engines)('a backup on $engine', (engine) => {
  test.each(engines)('is restored completely on $engine, row by row', async (other) => {
    try {
      const from = await openArchive(engine);
      await fill(from.app.db);
      const before = await contentOf(from.app.db);
      expect((await runTestBackup(from)).status).toBe('success');
      const to = await openArchive(other);
      await restoreAll(to, await copyNewestBackup(from, to));
      expect(await contentOf(to.app.db)).toEqual(before);
      // This server has no bucket.
      expect(await to.app.db.selectFrom('bucket').selectAll().execute()).toEqual([]);
      // Sequences continue after the restored values.
      const next = await to.app.db
        .insertInto('refreshRequest')
        .values({ kind: 'video', id: 'z', isManual: 0 })
        .returning('number')
        .executeTakeFirstOrThrow();
      expect(next.number).toBeGreaterThan(5);
    } finally {
      await closeArchives();
    }
  });

  test('replaces the current content, which the snapshot can restore', async () => {
    try {
      const t = await openArchive(engine);
      await fill(t.app.db);
      const before = await contentOf(t.app.db);
      await runTestBackup(t);
      const [backup] = await listBackups(t.app);
      await t.app.db.deleteFrom('video').where('id', '=', 'aaaaaaaaaaa').execute();
      await createVideo(t.app.db, { id: 'fffffffffff', channelId: 'UChere' });
      const task = await restore(t, backup!.filename);
      expect([task.status, task.resultIds?.[0]], task.result ?? '').toEqual(['success', 'restore.completed']);
      const after = await contentOf(t.app.db);
      // Queue items get numbers that no download folder uses.
      expect(after['download']!.map(({ id }) => id)).toEqual(before['download']!.map(({ id }) => id));
      expect(Number(after['download']![0]!['number'])).toBeGreaterThan(41);
      expect({ ...after, download: [] }).toEqual({ ...before, download: [] });
      expect(task.result).toMatch(
        engine.engine === 'sqlite' ? /saved as snapshot-\d{8}-\d{6}-restore/ : /saved as ta_backup-\d{8}-before\.zip/,
      );
    } finally {
      await closeArchives();
    }
  });

  test('is consistent during concurrent writes', async () => {
    try {
      const t = await openArchive(engine);
      const { db } = t.app;
      await createVideo(db, { id: 'ggggggggggg' });
      // Each transaction writes two tables that must agree.
      let isOver = false;
      let count = 0;
      const writes = (async () => {
        while (!isOver || count < 1000) {
          count++;
          await db.transaction().execute(async (tx) => {
            await tx
              .insertInto('listingPosition')
              .values({ url: `u${String(count).padStart(6, '0')}`, position: count, updatedAt: 1 })
              .execute();
            await tx.updateTable('video').set({ viewCount: count }).where('id', '=', 'ggggggggggg').execute();
          });
        }
      })();
      while (count < 20) await new Promise((resolve) => setTimeout(resolve, 5));
      const task = await runTestBackup(t);
      isOver = true;
      await writes;
      expect(task.status, task.result ?? '').toBe('success');
      const to = await openArchive(engine);
      await restore(to, await copyNewestBackup(t, to));
      const { viewCount } = await to.app.db.selectFrom('video').select('viewCount').executeTakeFirstOrThrow();
      const listings = await to.app.db
        .selectFrom('listingPosition')
        .select((e) => e.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      expect(viewCount).toBe(listings.count);
      expect(count).toBeGreaterThanOrEqual(1000);
    } finally {
      await closeArchives();
    }
  });

  test('of an earlier version is restored, one of a newer version is rejected', async () => {
    try {
      const t = await openArchive(engine);
      await createVideo(t.app.db, { id: 'hhhhhhhhhhh' });
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
      await aZip(t.app, 'ta_backup-20260101-auto.zip', { migration: '0001-initial', tables: { channel: [channel] } });
      const before = await contentOf(t.app.db);
      await aZip(t.app, 'ta_backup-20270101-auto.zip', { migration: '0999-later', tables: { channel: [channel] } });
      const newer = await restore(t, 'ta_backup-20270101-auto.zip');
      expect(newer).toMatchObject({
        status: 'failure',
        result: expect.stringContaining('created by a newer version of Reelkeep'),
      });
      expect(await contentOf(t.app.db)).toEqual(before);
      steps['0900-later'] = {
        up: async (db) => void (await sql`update channel set url = 'added by 0900-later'`.execute(db)),
      };
      const older = await restore(t, 'ta_backup-20260101-auto.zip');
      expect(older.status, older.result ?? '').toBe('success');
      const after = await contentOf(t.app.db);
      expect(after['channel']).toMatchObject([{ id: 'UCold', name: 'Old', isSubscribed: 0, url: 'added by 0900-later' }]);
      expect(after['video']).toEqual([]);
      await t.app.db.insertInto('secret').values({ name: 'cookie', sealed: 'x', state: '{}', updatedAt: 1 }).execute();
    } finally {
      delete steps['0900-later'];
      await closeArchives();
    }
  });

  test('a dry run or a failed restore changes nothing', async () => {
    try {
      const t = await openArchive(engine);
      await fill(t.app.db);
      const before = await contentOf(t.app.db);
      await aZip(t.app, 'ta_backup-20260101-auto.zip', {
        tables: { listingPosition: [{ url: 'a', position: 1, updatedAt: 1 }] },
      });
      const dry = await restore(t, 'ta_backup-20260101-auto.zip', true);
      expect(dry.result).toMatch(/0 videos \(currently 3\).*Nothing was changed/);
      expect(dry.resultIds).toHaveLength(3);
      // Two accounts with one name violate a unique index.
      const account = {
        id: 1,
        normalizedName: 'x',
        name: 'X',
        passwordHash: 'p',
        isStaff: 1,
        isSuperuser: 1,
        config: '{}',
        createdAt: 1,
        lastLoginAt: null,
      };
      await aZip(t.app, 'ta_backup-20260102-auto.zip', { tables: { account: [account, { ...account, id: 2 }] } });
      expect(await restore(t, 'ta_backup-20260102-auto.zip')).toMatchObject({ status: 'failure' });
      const orphan = { videoId: 'nobody', lang: 'en', position: 0, startSeconds: 1, endSeconds: 2, text: 'x' };
      await aZip(t.app, 'ta_backup-20260103-auto.zip', { tables: { transcriptLine: [orphan] } });
      expect(await restore(t, 'ta_backup-20260103-auto.zip')).toMatchObject({ status: 'failure' });
      // Other servers continued meanwhile.
      await aZip(t.app, 'ta_backup-20260104-auto.zip', {});
      const lost = async () => Promise.reject(new MessageError(message('restore.no-response')));
      Object.assign(t.app, { nodes: { ...singleNode, confirmMaintenance: lost } });
      expect(await restore(t, 'ta_backup-20260104-auto.zip')).toMatchObject({
        status: 'failure',
        result: expect.stringContaining('the other servers continued'),
      });
      expect(await contentOf(t.app.db)).toEqual(before);
      expect(t.app.maintenance.why).toBeNull();
      const { rows } = await sql<{ n: number }>`select count(*) as n from kysely_migration`.execute(t.app.db);
      expect(rows[0]!.n).toBe(Object.keys(steps).length);
    } finally {
      await closeArchives();
    }
  });

  test('keeps sessions of accounts that are unchanged, and only those', async () => {
    try {
      const t = await openArchive(engine);
      const [ann, bob] = [await createUser(t, { name: 'Ann', isStaff: true }), await createUser(t, { name: 'Bob' })];
      await runTestBackup(t);
      const [backup] = await listBackups(t.app);
      await t.app.db.updateTable('account').set({ name: 'Eve', normalizedName: 'eve' }).where('name', '=', 'Bob').execute();
      const eve = { call: bob.call };
      expect((await eve.call('GET', '/api/user/account/')).json()).toMatchObject({ name: 'Eve' });
      await restoreAll(t, backup!.filename);
      expect((await ann.call('GET', '/api/user/account/')).json()).toMatchObject({ name: 'Ann' });
      // The restored account is Bob's. Eve's session must not log in to it.
      expect((await eve.call('GET', '/api/user/account/')).statusCode).toBe(403);
    } finally {
      await closeArchives();
    }
  });
});

test('contains no plain secrets, and drops them under another key', async () => {
  try {
    const t = await openArchive();
    await fill(t.app.db);
    await runTestBackup(t);
    const [backup] = await listBackups(t.app);
    const zip = await openZip(backup!.file_path);
    let text = '';
    for (const entry of zip.entries.values()) for await (const chunk of entry.read()) text += chunk.toString('latin1');
    expect(text).toContain('aaaaaaaaaaa');
    expect(text).not.toContain(canary);
    expect(text).not.toContain(t.app.keys.present.toString('hex'));
    expect(text).not.toContain(t.app.keys.present.toString('base64'));
    expect(JSON.parse(await textOfEntry(zip.entries.get('manifest.json')!)).left_out.join(' ')).toContain('secret.key');
    zip.close();

    const to = await openArchive();
    Object.assign(to.app, { keys: keysOf(Buffer.alloc(32, 9)) });
    expect(await restoreAll(to, await copyNewestBackup(t, to))).toMatch(
      /API token of Ann, cookie, addresses of podcast feeds, share links, token of the media server Plex “Wohnzimmer”, notification URL of run_backup/,
    );
    const content = await contentOf(to.app.db);
    expect([content['token'], content['secret'], content['notifyTarget']]).toEqual([[], [], []]);
    expect(content['account']).toHaveLength(2);
  } finally {
    await closeArchives();
  }
});

test('contains images that exist nowhere else, and restores missing ones', async () => {
  try {
    const t = await openArchive();
    await fill(t.app.db);
    const { dataFolder, cacheFolder } = t.app.config;
    const put = async (path: string, text: string) => {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
    };
    await put(join(dataFolder, 'history/aaaaaaaaaaa-5.jpg'), 'history');
    await put(join(cacheFolder, 'videos/a/aaaaaaaaaaa.jpg'), 'gone video');
    await put(join(cacheFolder, 'videos/b/bbbbbbbbbbb.jpg'), 'still there');
    await put(join(cacheFolder, 'channels/UCgone_thumb.jpg'), 'gone channel');
    expect((await runTestBackup(t)).status).toBe('success');
    const to = await openArchive();
    await put(join(to.app.config.cacheFolder, 'channels/UCgone_thumb.jpg'), 'another');
    await restore(to, await copyNewestBackup(t, to));
    const read = (path: string) => readFile(path, 'utf8').catch(() => null);
    expect(await read(join(to.app.config.dataFolder, 'history/aaaaaaaaaaa-5.jpg'))).toBe('history');
    expect(await read(join(to.app.config.cacheFolder, 'videos/a/aaaaaaaaaaa.jpg'))).toBe('gone video');
    expect(await read(join(to.app.config.cacheFolder, 'videos/b/bbbbbbbbbbb.jpg'))).toBeNull();
    expect(await read(join(to.app.config.cacheFolder, 'channels/UCgone_thumb.jpg'))).toBe('another');
  } finally {
    await closeArchives();
  }
});

test('a second backup on one day keeps the first, and only automatic ones are rotated', async () => {
  try {
    const t = await openArchive();
    await insertExactly(t.app.db, 'schedule', [
      { name: 'run_backup', schedule: '0 18 0', config: '{"rotate":2}', lastRunAt: null, nextAt: 4_000_000_000 },
    ]);
    await runTestBackup(t, 'manual');
    for (let times = 0; times < 4; times++) expect((await runTestBackup(t, 'auto')).status).toBe('success');
    const names = (await listBackups(t.app)).map(({ filename }) => filename.replace(/\d{8}/, 'day'));
    expect(names).toHaveLength(3);
    expect(names).toContain('ta_backup-day-manual.zip');
    expect(names.filter((name) => name.includes('auto'))).toHaveLength(2);
    // TubeArchivist expects three parts; the third one is the reason.
    for (const name of names) expect(name.split('-')).toHaveLength(3);
    expect((await listBackups(t.app)).map(({ reason }) => reason).sort()).toEqual(['auto', 'auto', 'manual']);
    expect((await readdir(backupFolder(t.app))).filter((name) => name.endsWith('.part'))).toEqual([]);
    await rm(backupFolder(t.app), { recursive: true });
  } finally {
    await closeArchives();
  }
});

test('the sample rows fill every column of every table', async () => {
  const t = await testApp();
  try {
    await fill(t.app.db);
    const bucket = await t.app.db.selectFrom('bucket').selectAll().execute();
    const content: Record<string, object[]> = { ...(await contentOf(t.app.db)), bucket };
    for (const [table, rows] of Object.entries(everyKindOfRow())) {
      const stored = content[table]!;
      expect([table, stored.length]).toEqual([table, rows.length]);
      expect(Object.keys(stored[0]!).sort(), table).toEqual(Object.keys(rows[0]!).sort());
    }
  } finally {
    await t.close();
  }
});
