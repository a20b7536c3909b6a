import { mkdir, readFile, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importFolder } from '../../../platform/config/data-folder.ts';
import { removePartialUploads } from '../../../platform/http/receive-file.ts';
import { createUser, testApp, type TestApp } from '../../../test-support/app.ts';

describe('uploads to the import folder', () => {
  let t: TestApp;
  let staff: Awaited<ReturnType<typeof createUser>>;
  let folder: string;
  beforeAll(async () => {
    t = await testApp({ onDisk: true });
    staff = await createUser(t, { isStaff: true });
    folder = importFolder(t.app.config);
    await mkdir(folder, { recursive: true });
  });
  afterAll(() => t.close());
  const upload = async (name: string, payload: string, headers: object = {}) => {
    const response = await t.server.inject({
      method: 'PUT',
      url: `/api/appsettings/manual-import/${encodeURIComponent(name)}/`,
      payload: Buffer.from(payload),
      headers: { ...staff.headers, 'content-type': 'application/octet-stream', ...headers },
    });
    return { status: response.statusCode, error: (response.body && response.json().error) as string | undefined };
  };

  test('stores videos and sidecar files under their names', async () => {
    for (const name of ['Zug 🚂 [abcdefghijk].mp4', 'Zug 🚂 [abcdefghijk].info.json', 'Zug 🚂 [abcdefghijk].en.vtt'])
      expect(await upload(name, name)).toEqual({ status: 204, error: '' });
    expect(await readFile(join(folder, 'Zug 🚂 [abcdefghijk].mp4'), 'utf8')).toBe('Zug 🚂 [abcdefghijk].mp4');
  });

  test('never overwrites a file', async () => {
    await writeFile(join(folder, 'Taken.mp4'), 'first');
    expect(await upload('Taken.mp4', 'second')).toEqual({
      status: 400,
      error: expect.stringMatching(/^The import folder already has a file named Taken\.mp4\./),
    });
    expect(await readFile(join(folder, 'Taken.mp4'), 'utf8')).toBe('first');
  });

  test('rejects names outside of the folder, hidden files and other types', async () => {
    const before = await readdir(folder);
    for (const name of ['../out.mp4', 'a/b.mp4', 'a\\b.mp4', '.hidden.mp4', 'a\n.mp4', `${'x'.repeat(252)}.mp4`])
      expect(await upload(name, 'x'), name).toMatchObject({ status: 400, error: expect.stringMatching(/^Invalid file name\./) });
    for (const name of ['run.sh', 'page.html', 'half.mp4.part', 'noending'])
      expect(await upload(name, 'x'), name).toMatchObject({ status: 400, error: expect.stringMatching(/^Files of this type/) });
    expect(await readdir(folder)).toEqual(before);
  });

  test('rejects an upload that does not fit, and leaves nothing behind', async () => {
    const before = await readdir(folder);
    expect(await upload('Large.mp4', 'x', { 'content-length': '9000000000000000' })).toMatchObject({ status: 507 });
    await staff.call('POST', '/api/appsettings/config/', { queue: { reserve: 100_000 } });
    expect(await upload('Small.mp4', 'x')).toMatchObject({ status: 507, error: expect.stringMatching(/^Not enough space/) });
    await staff.call('POST', '/api/appsettings/config/', { queue: { reserve: 0 } });
    expect(await readdir(folder)).toEqual(before);
  });

  test('is for staff', async () => {
    const user = await createUser(t);
    expect(await upload('Other.mp4', 'x', user.headers)).toMatchObject({ status: 403 });
  });

  test('deletes partial uploads of a killed server, and not those that the new one receives already', async () => {
    const partial = '.0b5c2a1e-8d7f-4c11-9a35-1f2e3d4c5b6a.upload';
    const receiving = partial.replace('0b5c', '1b5c');
    for (const name of [partial, receiving, '.other.upload']) await writeFile(join(folder, name), 'x');
    for (const name of [partial, '.other.upload']) await utimes(join(folder, name), 1_500_000_000, 1_500_000_000);
    await removePartialUploads(folder);
    expect((await readdir(folder)).filter((name) => name.startsWith('.')).sort()).toEqual([receiving, '.other.upload'].sort());
  });
});
