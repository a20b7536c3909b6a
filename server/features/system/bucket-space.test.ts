import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Check } from '#contract/health.ts';
import { missingMediaSpace, whyNoSpace } from '../../archive/storage/disk-space.ts';
import { renderMessages } from '../../platform/messages/render.ts';
import { createChannel, createUser, createVideo, testApp, type TestApp } from '../../test-support/app.ts';
import { startS3, versitygwPath } from '../../test-support/s3.ts';
import { deleteVideo } from '../trash/delete-video.ts';
import { purgeForSpace } from '../trash/purge-for-space.ts';

describe.runIf(versitygwPath)('space and health of a bucket', () => {
  let s3: Awaited<ReturnType<typeof startS3>>;
  let t: TestApp;
  let staff: Awaited<ReturnType<typeof createUser>>;
  let channelId = '';
  beforeAll(async () => {
    s3 = await startS3();
    t = await testApp({ env: s3.env });
    await t.runner.begin();
    staff = await createUser(t, { isStaff: true });
    channelId = await createChannel(t.app.db);
  });
  afterAll(async () => {
    await t.close();
    await s3.stop();
  });
  const set = async (queue: object) =>
    expect((await staff.call('POST', '/api/appsettings/config/', { queue })).statusCode).toBe(200);
  const whyNot = async () => {
    const why = await whyNoSpace(t.app);
    return why && renderMessages(why);
  };
  const checks = async () => {
    const list = (await staff.call('GET', '/api/health/checks/')).json<Check[]>();
    return (name: string) => list.find((one) => one.name === name)!;
  };
  const storage = async () => (await staff.call('GET', '/api/stats/storage/')).json();

  test('stops downloads at the quota, and purges the trash for space', async () => {
    await set({ reserve: 1 });
    for (const id of ['oldestVideo', 'middleVideo', 'newestVideo']) {
      await createVideo(t.app.db, { id, channelId, sizeBytes: 4e9 });
      await mkdir(dirname(join(s3.folder, 'media', channelId, id)), { recursive: true });
      await writeFile(join(s3.folder, 'media', channelId, `${id}.mp4`), id);
    }
    expect(await whyNot()).toBeNull();
    expect(await storage()).toEqual({ is_bucket: true, free: null, total: null, media_size: 12e9, trash_size: 0 });
    await set({ quota: 20 });
    expect(await whyNot()).toBeNull();
    expect(await storage()).toMatchObject({ free: 8e9, total: 20e9 });
    expect(await missingMediaSpace(t.app, 7e9)).toBeNull();
    expect(await missingMediaSpace(t.app, 8e9)).toEqual({ free: 8, needed: 9 });
    await set({ quota: 12 });
    expect(await whyNot()).toMatch(/take 12 GB of the 12 GB of the bucket, of which 1 GB must stay free/);
    expect((await checks())('disk')).toMatchObject({ state: 'bad', text: expect.stringContaining('12 GB of the bucket') });
    expect(await purgeForSpace(t.app)).toEqual([]);
    await deleteVideo(t.app, 'oldestVideo');
    await deleteVideo(t.app, 'middleVideo');
    expect(await storage()).toMatchObject({ free: 0, trash_size: 8e9 });
    // A full disk of a server is no reason to purge objects.
    await set({ quota: 13 });
    expect(await purgeForSpace(t.app, { wasFull: true })).toEqual([]);
    await set({ quota: 12 });
    expect(await purgeForSpace(t.app)).toHaveLength(1);
    expect(await t.app.files.stat(`${channelId}/newestVideo.mp4`)).not.toBeNull();
    expect(await whyNot()).toBeNull();
  });

  test('says when a disk of the server is full', async () => {
    await set({ reserve: 99_999, quota: null });
    expect(await whyNot()).toMatch(/free in .* on this server, where downloads and copies of media in the bucket are kept/);
    expect(await purgeForSpace(t.app)).toEqual([]);
    await set({ reserve: 1 });
  });

  test('shows on the health page whether the bucket can be used, and stays ready for requests', async () => {
    expect((await checks())('bucket')).toMatchObject({
      state: 'good',
      title: 'Bucket and folders',
      text: expect.stringContaining('The bucket archive answers'),
    });
    await s3.whileAway(async () => {
      expect((await checks())('bucket')).toMatchObject({ state: 'bad', advice: expect.stringContaining('REELKEEP_S3') });
      expect((await t.server.inject('/readyz/')).statusCode).toBe(200);
      expect(await whyNot()).toMatch(/Downloads resume when it is available again/);
    });
    await t.app.files.writeMarker('that of another archive');
    expect((await checks())('bucket').text).toMatch(/belongs to another archive/);
    const { marker } = await t.app.db.selectFrom('bucket').select('marker').executeTakeFirstOrThrow();
    await t.app.files.writeMarker(marker);
    expect((await checks())('bucket').state).toBe('good');
  });

  test('refuses library views, and keeps those that exist', async () => {
    const body = {
      name: 'Jellyfin',
      root: join(t.app.config.viewsFolder, 'a'),
      preset: 'jellyfin',
      content: { type: 'all' },
    };
    const refused = await staff.call('POST', '/api/view/', body);
    expect([refused.statusCode, refused.json().error]).toEqual([409, expect.stringContaining('media are in a bucket')]);
    const values = {
      name: 'Before',
      root: body.root,
      preset: 'jellyfin',
      contentType: 'all',
      link: 'auto',
      marker: 'm',
    } as const;
    const { number } = await t.app.db
      .insertInto('libraryView')
      .values({ ...values, hasNfo: 0, hasArtwork: 0, hasChapters: 0, subtitles: 'none' } as never)
      .returning('number')
      .executeTakeFirstOrThrow();
    for (const [path, sent] of [
      [`/api/view/${number}/`, { name: 'After' }],
      [`/api/view/${number}/build/`, {}],
    ] as const)
      expect((await staff.call('POST', path, sent)).statusCode, path).toBe(409);
    expect((await staff.call('GET', '/api/view/')).json()).toMatchObject({
      data: [{ name: 'Before', problem: null }],
      unavailable: expect.stringContaining('in a bucket'),
    });
    expect((await staff.call('DELETE', `/api/view/${number}/`)).statusCode).toBe(204);
  });
});
