import { message } from '#contract/messages.ts';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aZip, done, fill, pairs, writeZip } from '../../../e2e/support/backups.ts';
import { renderMessages } from '../../platform/messages/render.ts';
import { createUser, testApp, type TestApp } from '../../test-support/app.ts';
import { backupFolder } from './files/backup-files.ts';
import { runBackup } from './run-backup.ts';

describe('backups through the API', () => {
  let t: TestApp;
  let staff: Awaited<ReturnType<typeof createUser>>;
  let name: string;
  const url = (path = '') => `/api/appsettings/backup/${path}`;
  beforeAll(async () => {
    t = await testApp({ onDisk: true });
    await t.runner.begin();
    await fill(t.app.db);
    staff = await createUser(t, { isStaff: true });
  });
  afterAll(() => t.close());
  const upload = (path: string, payload: Buffer, type = 'application/zip') =>
    t.server.inject({ method: 'PUT', url: url(path), payload, headers: { ...staff.headers, 'content-type': type } });

  test('creates a backup with the given reason', async () => {
    expect((await staff.call('GET', url())).json()).toEqual([]);
    const auto = (await staff.call('POST', url())).json();
    expect(auto).toEqual({ message: 'backup task started', task_id: expect.any(String) });
    await t.runner.idle();
    await staff.call('POST', url(), { reason: 'manual' });
    await t.runner.idle();
    const list = (await staff.call('GET', url())).json();
    expect(list.map(({ reason }: { reason: string }) => reason)).toEqual(['manual', 'auto']);
    expect(list[0]).toEqual({
      filename: expect.stringMatching(/^ta_backup-\d{8}-manual\.zip$/),
      file_path: expect.any(String),
      file_size: expect.any(Number),
      timestamp: expect.stringMatching(/^\d{8}$/),
      reason: 'manual',
      created: expect.closeTo(Date.now() / 1000, -2),
    });
    name = list[0].filename;
    expect((await staff.call('GET', url(`${name}/`))).json()).toEqual(list[0]);
  });

  test('downloads a backup, whole or in ranges', async () => {
    const whole = await staff.call('GET', url(`${name}/file/`));
    expect([whole.statusCode, whole.headers['content-type'], whole.headers['content-disposition']]).toEqual([
      200,
      'application/zip',
      expect.stringContaining(name),
    ]);
    expect(whole.rawPayload).toEqual(await readFile(join(backupFolder(t.app), name)));
    const part = await t.server.inject({ url: url(`${name}/file/`), headers: { ...staff.headers, range: 'bytes=100-' } });
    expect([part.statusCode, part.headers['content-range']]).toEqual([
      206,
      `bytes 100-${whole.rawPayload.length - 1}/${whole.rawPayload.length}`,
    ]);
    expect(part.rawPayload).toEqual(whole.rawPayload.subarray(100));
  });

  test('accepts a valid uploaded backup', async () => {
    const bytes = await readFile(join(backupFolder(t.app), name));
    expect((await upload('ta_backup-20200101-old.zip/file/', bytes)).json()).toMatchObject({
      timestamp: '20200101',
      reason: 'old',
      file_size: bytes.length,
    });
    expect((await upload('ta_backup-20200101-old.zip/file/', bytes)).json().error).toMatch(/already/);
    await writeZip(join(t.folder, 'original.zip'), { 'es_channel-20200101-0.json': pairs('channel', {}) });
    expect((await upload('ta_backup-20200102.zip/file/', await readFile(join(t.folder, 'original.zip')))).json()).toMatchObject({
      reason: 'False',
    });
    const contentsOf = async (file: string) => (await staff.call('GET', url(`${file}/accounts/`))).json().contents;
    const { current, copy } = await contentsOf('ta_backup-20200101-old.zip');
    expect(copy).toEqual(current);
    expect(current.videos).toBeGreaterThan(0);
    expect(await contentsOf('ta_backup-20200102.zip')).toEqual({
      current,
      copy: { videos: 0, channels: 1, playlists: 0, users: null },
    });
    for (const [path, body, expectedError] of [
      ['ta_backup-20200103-x.zip/file/', Buffer.from('hello'), /cannot be read/],
      ['ta_backup-20200104-x.zip/file/', bytes.subarray(0, 500), /cannot be read/],
      ['holiday.zip/file/', bytes, /Invalid backup name/],
      ['..%2F..%2Fevil.zip/file/', bytes, /Invalid backup name/],
    ] as const) {
      const response = await upload(path, body);
      expect([response.statusCode, response.json().error], path).toEqual([400, expect.stringMatching(expectedError)]);
    }
    expect((await upload('ta_backup-20200105-x.zip/file/', Buffer.from('{}'), 'application/json')).statusCode).toBe(415);
    expect((await readdir(backupFolder(t.app))).filter((one) => !one.endsWith('.zip'))).toEqual([]);
    // No other endpoint accepts a file.
    const otherEndpoint = await t.server.inject({
      method: 'POST',
      url: '/api/watched/',
      payload: bytes,
      headers: { ...staff.headers, 'content-type': 'application/zip' },
    });
    expect(otherEndpoint.statusCode).toBe(415);
  });

  test('never uses a name as a path', async () => {
    await writeFile(join(t.folder, 'secret.zip'), 'x');
    await mkdir(join(t.folder, 'ta_evil'), { recursive: true });
    for (const invalidName of [
      '..%2Fsecret.zip',
      '%2E%2E%2Fsecret.zip',
      '..%5Csecret.zip',
      '%2Fetc%2Fpasswd',
      'ta_backup-20260101-a.zip%00',
      '..',
      'secret.key',
      '__proto__',
    ])
      for (const [method, path] of [
        ['GET', `${invalidName}/`],
        ['GET', `${invalidName}/file/`],
        ['POST', `${invalidName}/`],
        ['DELETE', `${invalidName}/`],
      ] as const) {
        const response = await staff.call(method, url(path), method === 'POST' ? {} : undefined);
        expect([404, 400, 405], `${method} ${path}`).toContain(response.statusCode);
      }
    expect(await readFile(join(t.folder, 'secret.zip'), 'utf8')).toBe('x');
  });

  test('restores with the request of TubeArchivist clients, and deletes', async () => {
    const started = (await staff.call('POST', url(`${name}/`))).json();
    expect(started).toEqual({ message: 'backup restore task started', filename: name, task_id: expect.any(String) });
    expect((await done(t, { id: started.task_id })).status).toBe('success');
    // Backups do not contain images, so a restore starts the thumbnail check.
    expect((await staff.call('GET', '/api/task/by-name/thumbnail_check/')).json()).toHaveLength(1);
    expect((await staff.call('DELETE', url(`${name}/`))).statusCode).toBe(204);
    expect((await staff.call('GET', url(`${name}/`))).json()).toMatchObject({ error: 'file not found' });
    expect((await staff.call('DELETE', url(`${name}/`))).statusCode).toBe(404);
  });

  test('a backup dated in the future does not replace a new one', async () => {
    await aZip(t.app, 'ta_backup-20990101-auto.zip', {});
    await aZip(t.app, 'ta_backup-20200101-auto.zip', {});
    const { tasks } = t.app;
    expect((await done(t, tasks.start(runBackup, { reason: 'auto', rotate: 1 }))).status).toBe('success');
    const list = (await staff.call('GET', url())).json() as { timestamp: string; reason: string }[];
    const today = new Date().getFullYear().toString();
    expect(list.filter(({ reason }) => reason === 'auto').map(({ timestamp }) => timestamp.slice(0, 4))).toEqual(['2099', today]);
  });

  test('serves reads and rejects changes during a restore', async () => {
    await aZip(t.app, 'ta_backup-20260101-auto.zip', {});
    const admin = await createUser(t, { isStaff: true });
    const why = message('error.restoring');
    t.app.maintenance.why = why;
    expect((await admin.call('GET', '/api/channel/')).statusCode).toBe(200);
    const response = await admin.call('POST', '/api/user/me/', { page_size: 9 });
    expect([response.statusCode, response.json(), response.headers['retry-after']]).toEqual([
      503,
      { error: renderMessages(why), messages: [why] },
      '15',
    ]);
    t.app.maintenance.why = null;
    expect((await admin.call('POST', '/api/user/me/', { page_size: 9 })).statusCode).toBe(200);
  });
});
