import { message } from '#contract/messages.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { chunks } from '../../platform/db/db.ts';
import { deleteVideo } from '../trash/delete-video.ts';
import { createChannel, createUser, createVideo, engines, testApp, type TestApp } from '../../test-support/app.ts';
import { addAccount } from './account/store.ts';

const wrong = 'not the password';
const password = 'größe, 100 % sicher';
let addressCounter = 0;

describe.each(engines)('large deletions, on $engine', (on) => {
  let t: TestApp;
  let staff: Awaited<ReturnType<typeof createUser>>;
  let channelId: string;
  let ids: string[];
  beforeEach(async () => {
    t = await testApp({ on });
    staff = await createUser(t, { isStaff: true, password });
    channelId = await createChannel(t.app.db, { isSubscribed: 1 });
    ids = [];
  });
  afterEach(() => t.close());

  async function createVideos(count: number) {
    ids = Array.from({ length: count }, (_, n) => `many${String(n).padStart(7, '0')}`);
    const common = { site: 'youtube', channelId, kind: 'videos' as const, publishedAt: 1, downloadedAt: 1, refreshedAt: 1 };
    for (const batch of chunks(ids, 200))
      await t.app.db
        .insertInto('video')
        .values(
          batch.map((id) => ({
            ...common,
            id,
            siteId: id,
            title: id,
            sortTitle: id,
            durationSeconds: 60,
            sizeBytes: 10,
            sha256: '',
            mediaPath: `${channelId}/${id}.mp4`,
          })),
        )
        .execute();
  }
  const countVideos = async () => (await t.app.db.selectFrom('video').select('id').execute()).length;
  const countTrashed = async () => (await t.app.db.selectFrom('trash').select('number').execute()).length;
  const readState = async () => ({
    videos: await countVideos(),
    trashed: await countTrashed(),
    tasks: (await t.app.db.selectFrom('task').select('id').execute()).length,
    settings: await t.app.db.selectFrom('setting').selectAll().execute(),
    channel: await t.app.db.selectFrom('channel').selectAll().execute(),
  });
  type Call = ['POST' | 'PUT' | 'DELETE', string, object?];

  /** Sends a request with a wrong password, by default from a new address because failures are rate limited by address. */
  const sendWrongPassword = (
    method: 'POST' | 'PUT' | 'DELETE',
    url: string,
    body?: object,
    from = `10.9.${++addressCounter >> 8}.${addressCounter & 255}`,
  ) =>
    t.server.inject({
      method,
      url,
      headers: { ...staff.headers, 'x-reelkeep-confirm': wrong },
      remoteAddress: from,
      ...(body && { payload: body }),
    });

  /** Checks that a request is rejected without the password and with a wrong one, changes nothing then, and succeeds with it. */
  async function expectConfirmation(...[method, url, body]: Call) {
    const before = await readState();
    const unconfirmed = await staff.call(method, url, body);
    expect([unconfirmed.statusCode, unconfirmed.json()], url).toEqual([
      400,
      {
        error:
          'This deletes 101 videos (0 GB). To confirm, send your password, percent-encoded, in the header X-Reelkeep-Confirm.',
        messages: [message('confirm.password', { videos: 101, size: 0 })],
        confirm: { by: 'password', videos: 101, media_size: 1010 },
      },
    ]);
    const wrongPassword = await sendWrongPassword(method, url, body);
    expect([wrongPassword.statusCode, wrongPassword.json().error], url).toEqual([400, 'The current password is incorrect.']);
    expect(await readState(), url).toEqual(before);
    expect((await staff.call(method, url, body, password)).statusCode, url).toBeLessThan(300);
    expect(await readState(), url).not.toEqual(before);
  }

  test('need the password for more than 100 videos in every endpoint', async () => {
    await createVideos(101);
    const filter = `?channel=${channelId}`;
    await expectConfirmation('PUT', `/api/channel/${channelId}/rules/`, { keep_days: 1 });
    await staff.call('PUT', `/api/channel/${channelId}/rules/`, {});
    await expectConfirmation('POST', '/api/appsettings/config/', { rules: { keep_days: 1 } });
    await staff.call('POST', '/api/appsettings/config/', { rules: { keep_days: null } });
    for (const id of ids)
      await t.app.db.insertInto('watch').values({ accountId: staff.id, videoId: id, watchedAt: 1, updatedAt: 1 }).execute();
    await expectConfirmation('POST', `/api/channel/${channelId}/`, { channel_overwrites: { autodelete_days: 1 } });
    // A rule that deletes only what another rule already deletes needs no confirmation.
    expect((await staff.call('POST', '/api/appsettings/config/', { downloads: { autodelete_days: 1 } })).statusCode).toBe(200);
    await expectConfirmation('POST', `/api/video/bulk/delete/${filter}`, { videos: 101 });
    await expectConfirmation('POST', '/api/video/delete/', { ids });
    expect([await countVideos(), await countTrashed()]).toEqual([0, 101]);
    const numbers = (await t.app.db.selectFrom('trash').select('number').execute()).map(({ number }) => number);
    await expectConfirmation('POST', '/api/appsettings/config/', { trash: { days: 0 } });
    await expectConfirmation('POST', '/api/trash/', { action: 'delete', ids: numbers });
    expect(await countTrashed()).toBe(0);
  });

  // The following tests are slow and do not depend on the engine.
  const testOnce = test.runIf(on === engines[0]);

  testOnce('need it for a channel, a playlist and the whole trash, but not for 100', async () => {
    await createVideos(101);
    await t.app.db
      .insertInto('playlist')
      .values({ id: 'PL1', kind: 'regular', channelId, name: 'P', sortName: 'p', refreshedAt: 1 })
      .execute();
    for (const [position, videoId] of ids.entries())
      await t.app.db
        .insertInto('playlistEntry')
        .values({ playlistId: 'PL1', position, videoId, title: 't', uploader: null })
        .execute();
    await expectConfirmation('DELETE', '/api/playlist/PL1/?delete_videos=true');
    await expectConfirmation('DELETE', '/api/trash/');
    await createVideos(101);
    await expectConfirmation('DELETE', `/api/channel/${channelId}/`);
    channelId = await createChannel(t.app.db);
    await createVideos(100);
    expect((await staff.call('DELETE', `/api/channel/${channelId}/`)).statusCode).toBe(204);
  });

  test('need it above 100 GB even for one video; wrong passwords count as failed logins', async () => {
    const id = await createVideo(t.app.db, { channelId, sizeBytes: 100e9 + 1 });
    const url = `/api/video/${id}/`;
    expect((await staff.call('DELETE', url)).json().confirm).toEqual({ by: 'password', videos: 1, media_size: 100e9 + 1 });
    const from = `10.8.0.${++addressCounter}`;
    for (let n = 0; n < 10; n++) expect((await sendWrongPassword('DELETE', url, undefined, from)).statusCode).toBe(400);
    expect((await sendWrongPassword('DELETE', url, undefined, from)).statusCode).toBe(429);
    const login = { method: 'POST' as const, url: '/api/user/login/', payload: { username: staff.name, password } };
    expect((await t.server.inject({ ...login, remoteAddress: from })).statusCode).toBe(429);
    expect(await countVideos()).toBe(1);
  });

  testOnce('a token deletes no more per hour unless the password is sent', async () => {
    await createVideos(102);
    const { token } = (await staff.call('GET', '/api/appsettings/token/')).json();
    const remove = (id: string, confirm?: string) =>
      t.server.inject({
        method: 'DELETE',
        url: `/api/video/${id}/`,
        headers: { authorization: `Token ${token}`, ...(confirm && { 'x-reelkeep-confirm': encodeURIComponent(confirm) }) },
      });
    for (const id of ids.slice(0, 99)) await deleteVideo(t.app, id);
    await t.app.db.updateTable('video').set({ sizeBytes: 60e9 }).execute();
    expect((await remove(ids[99]!)).statusCode).toBe(204);
    const rejected = await remove(ids[100]!);
    expect([rejected.statusCode, rejected.json().detail]).toEqual([
      429,
      expect.stringMatching(
        /^An API token can delete at most 100 videos or 100 GB per hour. Try again in \d+ minutes, or confirm with the header X-Reelkeep-Confirm\.$/,
      ),
    ]);
    expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(3000);
    expect((await remove(ids[100]!, password)).statusCode).toBe(204);
    expect((await staff.call('DELETE', `/api/video/${ids[101]}/`)).statusCode).toBe(204);
  });
});

test('users of forward authentication confirm the number instead', async () => {
  const t = await testApp({ env: { REELKEEP_FORWARD_AUTH: 'on', REELKEEP_TRUSTED_PROXIES: '127.0.0.1' } });
  try {
    await addAccount(t.app.db, { name: 'boss', passwordHash: '', isStaff: true }, 0);
    const id = await createVideo(t.app.db, { sizeBytes: 200e9 });
    const sendRequest = (method: 'GET' | 'DELETE', url: string, confirm?: string) =>
      t.server.inject({ method, url, headers: { 'remote-user': 'boss', ...(confirm && { 'x-reelkeep-confirm': confirm }) } });
    expect((await sendRequest('GET', '/api/user/confirm/')).json()).toEqual({ by: 'number', videos: 100, media_size: 100e9 });
    const rejected = await sendRequest('DELETE', `/api/video/${id}/`, '2');
    expect([rejected.statusCode, rejected.json().error]).toEqual([
      400,
      'This deletes 1 video (200 GB). To confirm, send the number of videos in the header X-Reelkeep-Confirm.',
    ]);
    expect((await sendRequest('DELETE', `/api/video/${id}/`, '1')).statusCode).toBe(204);
  } finally {
    await t.close();
  }
});
