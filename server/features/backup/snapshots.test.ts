import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { contentOf, done, fill } from '../../../e2e/support/backups.ts';
import { createUser, createVideo, engines, testApp, type TestApp } from '../../test-support/app.ts';
import { restoreBackup } from './restore-backup.ts';
import { takeDueSnapshots } from './take-snapshot-task.ts';
import { findDump, listSnapshots, takeSnapshot } from './snapshots.ts';

let t: TestApp;
let staff: Awaited<ReturnType<typeof createUser>>;
const openArchive = async (on = engines[0]!) => {
  t = await testApp({ on, onDisk: true });
  await t.runner.begin();
  staff = await createUser(t, { name: 'Staff', isStaff: true });
};
afterEach(() => t.close());
const url = (path = '') => `/api/appsettings/snapshot/${path}`;

describe('snapshots', () => {
  beforeEach(() => openArchive());

  test('takes, lists, restores and deletes a snapshot', async () => {
    await fill(t.app.db);
    const before = await contentOf(t.app.db);
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

    await t.app.db.deleteFrom('video').execute();
    await createVideo(t.app.db, { channelId: 'UChere' });
    expect((await staff.call('POST', url(`${id}/`))).json()).toEqual({ accepted: true });
    await t.runner.idle();
    const after = await contentOf(t.app.db);
    expect(after['download']).toHaveLength(1);
    expect({ ...after, download: 0 }).toEqual({ ...before, download: 0 });
    // The previous state was saved as a snapshot, and the session of the user is still valid.
    expect((await listSnapshots(t.app.config)).map(({ reason }) => reason).sort()).toEqual(['manual', 'restore']);
    expect((await staff.call('DELETE', url(`${id}/`))).statusCode).toBe(204);
    expect((await staff.call('GET', url(`${id}/`))).json()).toMatchObject({ error: 'snapshot not found' });
    for (const invalidId of ['..%2Freelkeep', '%2Fetc%2Fpasswd', 'snapshot-20260101-000000-x'])
      expect((await staff.call('POST', url(`${invalidId}/`))).statusCode).toBe(404);
  });

  test.each([
    ['by hand', () => staff.call('POST', url())],
    ['as a task', () => staff.call('POST', '/api/task/by-name/snapshot/')],
    ['for the day', () => takeDueSnapshots(t.app)],
  ])('returns the running snapshot when asked again, started %s', async (_, startSnapshot) => {
    await t.runner.end(); // keeps the first request queued until the second one
    await startSnapshot();
    t.app.now = () => Math.floor(Date.now() / 1000) + 60;
    const { snapshot_name: name } = (await staff.call('POST', url())).json();
    await t.runner.begin();
    await t.runner.idle();
    expect((await listSnapshots(t.app.config)).map(({ id }) => id)).toEqual([name]);
  });

  test('takes one snapshot a day unless disabled', async () => {
    const countDailySnapshots = async () => {
      await takeDueSnapshots(t.app);
      await t.runner.idle();
      return (await listSnapshots(t.app.config)).filter(({ reason }) => reason === 'daily').length;
    };
    const nextRun = async () => {
      const { tasks } = (await staff.call('GET', '/api/task/overview/')).json();
      return tasks.find(({ name }: { name: string }) => name === 'snapshot').next_run_at;
    };
    await staff.call('POST', '/api/appsettings/config/', { application: { enable_snapshot: false } });
    expect(await countDailySnapshots()).toBe(0);
    expect(await nextRun()).toBeNull();
    await staff.call('POST', '/api/appsettings/config/', { application: { enable_snapshot: true } });
    expect(Date.parse(await nextRun()) / 1000).toBe((await staff.call('GET', url())).json().next_exec);
    expect(await countDailySnapshots()).toBe(1);
    expect(await countDailySnapshots()).toBe(1);
    Object.assign(t.app, { now: () => Math.floor(Date.now() / 1000) + 86_400 });
    expect(await countDailySnapshots()).toBe(2);
  });

  test('a snapshot dated in the future does not cause one every minute', async () => {
    const { config, now } = t.app;
    await takeSnapshot({ config, reason: 'daily', now: () => now() + 10 * 86_400 });
    for (let minute = 0; minute < 3; minute++) {
      t.app.now = () => now() + minute * 60;
      await takeDueSnapshots(t.app);
      await t.runner.idle();
    }
    expect(await listSnapshots(config)).toHaveLength(2);
  });

  test('retries a failed snapshot after an hour', async () => {
    const folder = join(t.app.config.dataFolder, 'snapshots');
    await rm(folder, { recursive: true, force: true });
    await writeFile(folder, 'not a folder');
    const { now } = t.app;
    const countRuns = async (minutes: number) => {
      t.app.now = () => now() + minutes * 60;
      await takeDueSnapshots(t.app);
      await t.runner.idle();
      return (await staff.call('GET', '/api/task/by-name/snapshot/')).json().length as number;
    };
    expect([await countRuns(0), await countRuns(1), await countRuns(30)]).toEqual([1, 1, 1]);
    await rm(folder);
    expect([await countRuns(61), await countRuns(62)]).toEqual([2, 2]);
    expect(await listSnapshots(t.app.config)).toHaveLength(1);
  });

  test('keeps the newest fifty of thirty days, and at least five', async () => {
    const { config } = t.app;
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

  test('lists no incomplete snapshot, and keeps no damaged one', async () => {
    const { config } = t.app;
    const id = await takeSnapshot({ config, reason: 'manual', now: t.app.now });
    const folder = join(config.dataFolder, 'snapshots');
    await writeFile(join(folder, 'snapshot-20260101-000000-manual.db'), 'cut off before its note was written');
    expect((await listSnapshots(config)).map((one) => one.id)).toEqual([id]);
    // The snapshot file is damaged: restoring fails and changes nothing.
    await fill(t.app.db);
    const before = await contentOf(t.app.db);
    await writeFile(join(folder, `${id}.db`), 'nothing of a database');
    const task = await done(
      t,
      t.app.tasks.start(restoreBackup, { snapshot: id, dry_run: false, watched_for: 'me', accounts: 'stay' }),
    );
    expect(task.status).toBe('failure');
    expect(await contentOf(t.app.db)).toEqual(before);
    expect((await readdir(config.dataFolder)).filter((name) => name.includes('restoring'))).toEqual([]);
    expect(t.app.maintenance.why).toBeNull();
  });

  test('health checks report the age of the newest ones', async () => {
    const check = async () =>
      (await staff.call('GET', '/api/health/checks/')).json().find(({ name }: { name: string }) => name === 'copies');
    expect(await check()).toMatchObject({ state: 'warn', text: expect.stringContaining('There is no backup yet.') });
    await staff.call('POST', '/api/appsettings/backup/');
    await t.runner.idle();
    expect(await check()).toMatchObject({ state: 'good', text: expect.stringMatching(/Last backup less than an hour ago/) });
  });
});

describe.runIf(engines.length > 1)('snapshots of PostgreSQL', () => {
  beforeEach(() => openArchive(engines[1]));

  test('are dumps if a recent pg_dump exists; restoring needs its own tools', async () => {
    expect((await staff.call('GET', url())).json().snapshots).toEqual([]);
    const response = await staff.call('POST', url());
    if (!(await findDump())) return expect(response.json().error).toMatch(/pg_dump/);
    await t.runner.idle();
    const [task] = (await staff.call('GET', '/api/task/by-name/snapshot/')).json();
    if (task.status !== 'SUCCESS') return expect((await staff.call('GET', url())).json().snapshots).toEqual([]);
    const [snapshot] = (await staff.call('GET', url())).json().snapshots;
    const restored = await staff.call('POST', url(`${snapshot.id}/`));
    expect([restored.statusCode, restored.json().error]).toEqual([400, expect.stringMatching(/pg_restore/)]);
  });

  test('are taken with a percent sign in the password', async () => {
    const databaseUrl = t.app.config.databaseUrl!.replace(/\/\/([^:@]+)(:[^@]*)?@/, '//$1:50%off@');
    const config = { ...t.app.config, databaseUrl };
    const why = await takeSnapshot({ config, reason: 'manual', now: t.app.now }).then(
      () => '',
      (problem: Error) => problem.message,
    );
    expect(why).not.toMatch(/URI/);
  });
});
