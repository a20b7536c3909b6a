import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { contentOf, done, fill } from '../../e2e/backups.ts';
import { aUser, aVideo, engines, testArchive, type TestArchive } from '../testing.ts';
import { restoreBackup } from './restore-backup.ts';
import { keepSnapshots } from './snapshot.ts';
import { findDump, listSnapshots, takeSnapshot } from './snapshots.ts';

let t: TestArchive;
let staff: Awaited<ReturnType<typeof aUser>>;
const start = async (on = engines[0]!) => {
  t = await testArchive({ on, onDisk: true });
  await t.runner.begin();
  staff = await aUser(t, { name: 'Staff', isStaff: true });
};
afterEach(() => t.close());
const url = (path = '') => `/api/appsettings/snapshot/${path}`;

describe('snapshots', () => {
  beforeEach(() => start());

  test('one is taken, listed, gone back to and deleted', async () => {
    await fill(t.archive.db);
    const before = await contentOf(t.archive.db);
    const { snapshot_name: id } = (await staff.call('POST', url())).json();
    await t.runner.idle();
    const list = (await staff.call('GET', url())).json();
    expect(list).toMatchObject({
      expire_after: '30d',
      next_exec: expect.any(Number),
      next_exec_str: expect.stringMatching(/^\d{4}-\d\d-\d\d 12:00$/),
    });
    expect(list.snapshots).toEqual([
      {
        id,
        state: 'SUCCESS',
        es_version: expect.any(String),
        start_date: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d$/),
        end_date: expect.any(String),
        end_stamp: expect.any(Number),
        duration_s: expect.any(Number),
      },
    ]);
    expect((await staff.call('GET', url(`${id}/`))).json()).toEqual(list.snapshots[0]);

    await t.archive.db.deleteFrom('video').execute();
    await aVideo(t.archive.db, { channelId: 'UChere' });
    expect((await staff.call('POST', url(`${id}/`))).json()).toEqual({ accepted: true });
    await t.runner.idle();
    const after = await contentOf(t.archive.db);
    expect(after['download']).toHaveLength(1);
    expect({ ...after, download: 0 }).toEqual({ ...before, download: 0 });
    // What was there can be gone back to as well, and who asked is still logged in.
    expect((await listSnapshots(t.archive.config)).map(({ reason }) => reason).sort()).toEqual(['manual', 'restore']);
    expect((await staff.call('DELETE', url(`${id}/`))).statusCode).toBe(204);
    expect((await staff.call('GET', url(`${id}/`))).json()).toEqual({ error: 'snapshot not found' });
    for (const wrong of ['..%2Freelkeep', '%2Fetc%2Fpasswd', 'snapshot-20260101-000000-x'])
      expect((await staff.call('POST', url(`${wrong}/`))).statusCode).toBe(404);
  });

  test.each([
    ['by hand', () => staff.call('POST', url())],
    ['as a task', () => staff.call('POST', '/api/task/by-name/snapshot/')],
    ['for the day', () => keepSnapshots(t.archive)],
  ])('who asks while one is under way, begun %s, hears the name of that one', async (_, begin) => {
    await t.runner.end(); // it waits until the second has been asked for
    await begin();
    t.archive.now = () => Math.floor(Date.now() / 1000) + 60;
    const { snapshot_name: name } = (await staff.call('POST', url())).json();
    await t.runner.begin();
    await t.runner.idle();
    expect((await listSnapshots(t.archive.config)).map(({ id }) => id)).toEqual([name]);
  });

  test('the daily one comes by itself, once a day, unless it is switched off', async () => {
    const taken = async () => {
      await keepSnapshots(t.archive);
      await t.runner.idle();
      return (await listSnapshots(t.archive.config)).filter(({ reason }) => reason === 'daily').length;
    };
    await staff.call('POST', '/api/appsettings/config/', { application: { enable_snapshot: false } });
    expect(await taken()).toBe(0);
    await staff.call('POST', '/api/appsettings/config/', { application: { enable_snapshot: true } });
    expect(await taken()).toBe(1);
    expect(await taken()).toBe(1);
    Object.assign(t.archive, { now: () => Math.floor(Date.now() / 1000) + 86_400 });
    expect(await taken()).toBe(2);
  });

  test('one that a wrong clock dated ahead does not have another taken every minute', async () => {
    const { config, now } = t.archive;
    await takeSnapshot({ config, reason: 'daily', now: () => now() + 10 * 86_400 });
    for (let minute = 0; minute < 3; minute++) {
      t.archive.now = () => now() + minute * 60;
      await keepSnapshots(t.archive);
      await t.runner.idle();
    }
    expect(await listSnapshots(config)).toHaveLength(2);
  });

  test('one that cannot be taken is tried again after an hour, and not every minute', async () => {
    const folder = join(t.archive.config.dataFolder, 'snapshots');
    await rm(folder, { recursive: true, force: true });
    await writeFile(folder, 'where the folder should be');
    const { now } = t.archive;
    const tries = async (minutes: number) => {
      t.archive.now = () => now() + minutes * 60;
      await keepSnapshots(t.archive);
      await t.runner.idle();
      return (await staff.call('GET', '/api/task/by-name/snapshot/')).json().length as number;
    };
    expect([await tries(0), await tries(1), await tries(30)]).toEqual([1, 1, 1]);
    await rm(folder);
    expect([await tries(61), await tries(62)]).toEqual([2, 2]);
    expect(await listSnapshots(t.archive.config)).toHaveLength(1);
  });

  test('the newest fifty of thirty days are kept, and five however old', async () => {
    const { config } = t.archive;
    const day = 86_400;
    let at = 1_700_000_000;
    for (let count = 0; count < 8; count++) await takeSnapshot({ config, reason: 'manual', now: () => at + count });
    expect(await listSnapshots(config)).toHaveLength(8);
    at += 40 * day;
    await takeSnapshot({ config, reason: 'manual', now: () => at });
    expect((await listSnapshots(config)).map(({ startedAt }) => startedAt - at)).toEqual([
      0,
      ...[7, 6, 5, 4].map((count) => count - 40 * day),
    ]);
  });

  test('one that is not whole is not one, and what is damaged is not kept', async () => {
    const { config } = t.archive;
    const id = await takeSnapshot({ config, reason: 'manual', now: t.archive.now });
    const folder = join(config.dataFolder, 'snapshots');
    await writeFile(join(folder, 'snapshot-20260101-000000-manual.db'), 'cut off before its note was written');
    expect((await listSnapshots(config)).map((one) => one.id)).toEqual([id]);
    // Its file was damaged since: going back to it fails, and nothing changes.
    await fill(t.archive.db);
    const before = await contentOf(t.archive.db);
    await writeFile(join(folder, `${id}.db`), 'nothing of a database');
    const said = await done(t, t.archive.tasks.start(restoreBackup, { snapshot: id, dry_run: false, watched_for: 'me' }));
    expect(said.status).toBe('failure');
    expect(await contentOf(t.archive.db)).toEqual(before);
    expect((await readdir(config.dataFolder)).filter((name) => name.includes('restoring'))).toEqual([]);
    expect(t.archive.maintenance.why).toBeNull();
  });

  test('the doctor says how old the newest are', async () => {
    const check = async () =>
      (await staff.call('GET', '/api/doctor/')).json().find(({ name }: { name: string }) => name === 'copies');
    expect(await check()).toMatchObject({ state: 'warn', says: expect.stringContaining('There is no backup yet.') });
    await staff.call('POST', '/api/appsettings/backup/');
    await t.runner.idle();
    expect(await check()).toMatchObject({ state: 'good', says: expect.stringMatching(/Last backup less than an hour ago/) });
  });
});

describe.runIf(engines.length > 1)('snapshots of PostgreSQL', () => {
  beforeEach(() => start(engines[1]));

  test('are dumps, where pg_dump is there and is new enough; going back is for its own tools', async () => {
    expect((await staff.call('GET', url())).json().snapshots).toEqual([]);
    const answer = await staff.call('POST', url());
    if (!(await findDump())) return expect(answer.json().error).toMatch(/pg_dump/);
    await t.runner.idle();
    const [task] = (await staff.call('GET', '/api/task/by-name/snapshot/')).json();
    if (task.status !== 'SUCCESS') return expect((await staff.call('GET', url())).json().snapshots).toEqual([]);
    const [snapshot] = (await staff.call('GET', url())).json().snapshots;
    const back = await staff.call('POST', url(`${snapshot.id}/`));
    expect([back.statusCode, back.json().error]).toEqual([400, expect.stringMatching(/pg_restore/)]);
  });

  test('are taken also where the password holds a bare percent sign', async () => {
    const databaseUrl = t.archive.config.databaseUrl!.replace(/\/\/([^:@]+)(:[^@]*)?@/, '//$1:50%off@');
    const config = { ...t.archive.config, databaseUrl };
    const why = await takeSnapshot({ config, reason: 'manual', now: t.archive.now }).then(
      () => '',
      (problem: Error) => problem.message,
    );
    expect(why).not.toMatch(/URI/);
  });
});
