import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Backup } from '#contract/backup.ts';
import { done } from '../../../e2e/support/backups.ts';
import { message } from '#contract/messages.ts';
import { fingerprint } from '../../platform/files/files.ts';
import { StorageError } from '../../platform/storage/file-store.ts';
import { inBackups, inHistory, resolveStoredPath } from '../../platform/storage/stored-path.ts';
import { createUser, createVideo, testApp, type TestApp } from '../../test-support/app.ts';
import { openOtherServer } from '../../test-support/other-server.ts';
import { startS3, versitygwPath } from '../../test-support/s3.ts';
import { backupFolder, listBackups } from './files/backup-files.ts';
import { latestBackups } from './latest-backups.ts';
import { restoreReelkeepBackup } from './restore/restore.ts';
import { hasUnsafePath } from './restore/validate-row-paths.ts';
import { runBackup } from './run-backup.ts';

const url = (path = '') => `/api/appsettings/backup/${path}`;

describe.runIf(versitygwPath)('backups in a bucket', () => {
  let s3: Awaited<ReturnType<typeof startS3>>;
  /** Runs the tasks. */
  let t: TestApp;
  /** Another server, whose data folder has no backup. */
  let web: Awaited<ReturnType<typeof openOtherServer>>;
  let staff: Awaited<ReturnType<typeof createUser>>;
  let name: string;

  beforeAll(async () => {
    s3 = await startS3();
    t = await testApp({ env: s3.env, onDisk: true });
    web = await openOtherServer(t, s3.env);
    staff = await createUser({ app: web.app, server: web.server }, { isStaff: true });
    await t.runner.begin();
    const film = join(t.folder, 'film');
    await writeFile(film, 'a film');
    const content = await fingerprint(film);
    await t.app.files.put('c/here.mp4', film, content);
    await createVideo(t.app.db, { id: 'videoHere01', mediaPath: 'c/here.mp4', title: 'Here', ...content });
    await createVideo(t.app.db, { id: 'videoGone01', mediaPath: 'c/gone.mp4', title: 'Gone' });
    const earlier = inHistory('videoHere01-5.jpg');
    const local = resolveStoredPath(t.app, earlier);
    await mkdir(dirname(local), { recursive: true });
    await writeFile(local, 'an earlier picture');
    await t.app.files.save(earlier);
  });
  afterAll(async () => {
    await web?.close();
    await t?.close();
    await s3?.stop();
  });

  const inBucket = async () => (await readdir(join(s3.folder, 'backup')).catch(() => [])).sort();
  const list = async () => (await staff.call('GET', url())).json<Backup[]>();
  const backUp = (reason: 'manual' | 'auto' = 'manual', rotate?: number) =>
    done(t, t.app.tasks.start(runBackup, { reason, ...(rotate !== undefined && { rotate }) }));

  test('a backup that one server makes is listed and downloaded by another', async () => {
    expect(await list()).toEqual([]);
    expect((await backUp()).status).toBe('success');
    const [backup, ...others] = await list();
    name = backup!.filename;
    expect(others).toEqual([]);
    expect(await inBucket()).toEqual([name]);
    const bytes = await readFile(join(s3.folder, 'backup', name));
    expect(backup).toMatchObject({ file_path: `s3://archive/backup/${name}`, file_size: bytes.length, reason: 'manual' });
    expect(backup!.created).toBeCloseTo(Date.now() / 1000, -2);
    const file = await staff.call('GET', url(`${name}/file/`));
    expect([file.statusCode, file.headers['content-type'], file.rawPayload.equals(bytes)]).toEqual([
      200,
      'application/zip',
      true,
    ]);
    expect((await latestBackups(web.app)).backup).toEqual({ name, at: backup!.created });
    // Copies contain secrets, and the server that made it keeps nothing else.
    expect((await stat(backupFolder(web.app))).mode & 0o077).toBe(0);
    expect(await readdir(backupFolder(t.app))).toEqual([]);
  });

  test('a second backup of the day does not overwrite the first', async () => {
    await backUp();
    expect(await inBucket()).toEqual([name, name.replace('.zip', '_2.zip')].sort());
  });

  test('a backup that is uploaded to a web server is restored by the worker', async () => {
    const bytes = await readFile(join(s3.folder, 'backup', name));
    const uploaded = 'ta_other-20260101-manual.zip';
    const upload = () =>
      web.server.inject({
        method: 'PUT',
        url: url(`${uploaded}/file/`),
        payload: bytes,
        headers: { ...staff.headers, 'content-type': 'application/zip' },
      });
    expect((await upload()).statusCode).toBe(200);
    expect((await upload()).statusCode).toBe(400); // the name is taken
    expect(await inBucket()).toContain(uploaded);
    expect(await readdir(backupFolder(web.app))).not.toContain(uploaded);

    await t.app.db.updateTable('video').set({ title: 'Changed since' }).execute();
    await t.app.files.remove(inHistory('videoHere01-5.jpg'));
    const accounts = await staff.call('GET', url(`${uploaded}/accounts/`));
    expect(accounts.json()).toMatchObject({ replaces: true });
    const { task_id } = (await staff.call('POST', url(`${uploaded}/`), {}, staff.password)).json<{ task_id: string }>();
    await t.runner.idle();
    const task = await t.app.db.selectFrom('task').selectAll().where('id', '=', task_id).executeTakeFirstOrThrow();
    expect(task.status, String(task.result)).toBe('success');
    const videos = await t.app.db.selectFrom('video').select(['title', 'damage']).orderBy('title').execute();
    expect(videos).toEqual([
      { title: 'Gone', damage: expect.any(String) as string },
      { title: 'Here', damage: null },
    ]);
    expect(await readFile(await web.app.files.localPath(inHistory('videoHere01-5.jpg')), 'utf8')).toBe('an earlier picture');
    expect(await t.app.files.readMarker()).toBe(
      (await t.app.db.selectFrom('bucket').select('marker').executeTakeFirstOrThrow()).marker,
    );
  });

  test('a backup from before the bucket keeps the mark of the bucket', async () => {
    const before = await t.app.db.selectFrom('bucket').selectAll().execute();
    await t.app.db.deleteFrom('bucket').execute();
    await backUp();
    const [{ filename }] = (await listBackups(t.app)) as [Backup];
    await t.app.db.insertInto('bucket').values(before).execute();
    const path = await t.app.files.localPath(inBackups(filename));
    await restoreReelkeepBackup(
      {
        part: t.app,
        accounts: 'replace',
        signal: new AbortController().signal,
        report() {},
        skip() {},
        quiet: async () => {},
        keepPresent: async () => message('restore.previous-saved', { name: 'nothing' }),
      },
      path,
      { dryRun: false },
    );
    expect(await t.app.db.selectFrom('bucket').selectAll().execute()).toEqual(before);
  });

  test('retention and deletion remove backups from the bucket', async () => {
    for (const _ of [1, 2, 3]) await backUp('auto', 2);
    const auto = (await inBucket()).filter((one) => one.includes('auto'));
    expect(auto).toHaveLength(2);
    expect((await staff.call('DELETE', url(`${auto[0]}/`), undefined, staff.password)).statusCode).toBe(204);
    expect(await inBucket()).not.toContain(auto[0]);
    expect((await staff.call('GET', url(`${auto[0]}/`))).statusCode).toBe(404);
    // A copy that another server has is not a backup.
    await rm(join(s3.folder, 'backup', name));
    expect((await staff.call('GET', url(`${name}/file/`))).statusCode).toBe(404);
  });

  test('a bucket that is away is reported, and no backup is taken for missing', async () => {
    const spy = vi.spyOn(web.app.files, 'list').mockImplementation(() => {
      throw new StorageError('it is away');
    });
    onTestFinished(() => spy.mockRestore());
    expect((await staff.call('GET', url())).statusCode).toBe(503);
    expect((await staff.call('GET', url(`${name}/`))).statusCode).toBe(503);
  });

  test('rows of a backup cannot make a backup a media file or a file in the trash', () => {
    const path = inBackups(name);
    expect(hasUnsafePath('video', { mediaPath: path })).toBe('mediaPath');
    expect(hasUnsafePath('subtitle', { path })).toBe('path');
    expect(hasUnsafePath('trashFile', { path })).toBe('path');
    expect(hasUnsafePath('trashFile', { path: 'cache:videos/a/a.jpg' })).toBeNull();
  });
});
