import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { chunks } from '../db/db.ts';
import { deleteVideo } from '../video/delete-video.ts';
import { aChannel, aUser, aVideo, engines, testArchive, type TestArchive } from '../testing.ts';
import { addAccount } from './store.ts';

const wrong = 'not the password';
const password = 'größe, 100 % sicher';
let guesses = 0;

describe.each(engines)('who deletes very much at once, on $engine', (on) => {
  let t: TestArchive;
  let staff: Awaited<ReturnType<typeof aUser>>;
  let channelId: string;
  let ids: string[];
  beforeEach(async () => {
    t = await testArchive({ on });
    staff = await aUser(t, { isStaff: true, password });
    channelId = await aChannel(t.archive.db, { isSubscribed: 1 });
    ids = [];
  });
  afterEach(() => t.close());

  async function many(count: number) {
    ids = Array.from({ length: count }, (_, n) => `many${String(n).padStart(7, '0')}`);
    const about = { site: 'youtube', channelId, kind: 'videos' as const, publishedAt: 1, downloadedAt: 1, refreshedAt: 1 };
    for (const some of chunks(ids, 200))
      await t.archive.db
        .insertInto('video')
        .values(
          some.map((id) => ({
            ...about,
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
  const left = async () => (await t.archive.db.selectFrom('video').select('id').execute()).length;
  const inBin = async () => (await t.archive.db.selectFrom('bin').select('number').execute()).length;
  const everything = async () => ({
    videos: await left(),
    inBin: await inBin(),
    tasks: (await t.archive.db.selectFrom('task').select('id').execute()).length,
    settings: await t.archive.db.selectFrom('setting').selectAll().execute(),
    channel: await t.archive.db.selectFrom('channel').selectAll().execute(),
  });
  type Call = ['POST' | 'PUT' | 'DELETE', string, object?];

  /** With a wrong password, each from another address: those are counted too. */
  const guess = (
    method: 'POST' | 'PUT' | 'DELETE',
    url: string,
    body?: object,
    from = `10.9.${++guesses >> 8}.${guesses & 255}`,
  ) =>
    t.app.inject({
      method,
      url,
      headers: { ...staff.headers, 'x-reelkeep-confirm': wrong },
      remoteAddress: from,
      ...(body && { payload: body }),
    });

  /** Refused without the password and with another, whatever it would change; and done with it. */
  async function isAskedFor(...[method, url, body]: Call) {
    const before = await everything();
    const bare = await staff.call(method, url, body);
    expect([bare.statusCode, bare.json()], url).toEqual([
      400,
      {
        error:
          'This deletes 101 videos (0 GB) at once. Confirm it: send your password, percent-encoded, in the header X-Reelkeep-Confirm.',
        confirm: { by: 'password', videos: 101, media_size: 1010 },
      },
    ]);
    expect(decodeURIComponent(String(bare.headers['reelkeep-said']))).toContain('confirm.password');
    const guessed = await guess(method, url, body);
    expect([guessed.statusCode, guessed.json().error], url).toEqual([400, 'That is not your present password.']);
    expect(await everything(), url).toEqual(before);
    expect((await staff.call(method, url, body, password)).statusCode, url).toBeLessThan(300);
    expect(await everything(), url).not.toEqual(before);
  }

  test('must type the password for more than 100, in every way to delete them', async () => {
    await many(101);
    const filter = `?channel=${channelId}`;
    await isAskedFor('PUT', `/api/channel/${channelId}/rules/`, { keep_days: 1 });
    await staff.call('PUT', `/api/channel/${channelId}/rules/`, {});
    await isAskedFor('POST', '/api/appsettings/config/', { rules: { keep_days: 1 } });
    await staff.call('POST', '/api/appsettings/config/', { rules: { keep_days: null } });
    for (const id of ids)
      await t.archive.db.insertInto('watch').values({ accountId: staff.id, videoId: id, watchedAt: 1, updatedAt: 1 }).execute();
    await isAskedFor('POST', `/api/channel/${channelId}/`, { channel_overwrites: { autodelete_days: 1 } });
    // What goes already by what holds is not asked for again.
    expect((await staff.call('POST', '/api/appsettings/config/', { downloads: { autodelete_days: 1 } })).statusCode).toBe(200);
    await isAskedFor('POST', `/api/video/matching/delete/${filter}`, { videos: 101 });
    await isAskedFor('POST', '/api/video/delete/', { ids });
    expect([await left(), await inBin()]).toEqual([0, 101]);
    const numbers = (await t.archive.db.selectFrom('bin').select('number').execute()).map(({ number }) => number);
    await isAskedFor('POST', '/api/appsettings/config/', { bin: { days: 0 } });
    await isAskedFor('POST', '/api/bin/', { action: 'delete', ids: numbers });
    expect(await inBin()).toBe(0);
  });

  // What follows does not depend on the engine, and takes its time.
  const onOne = test.runIf(on === engines[0]);

  onOne('must do so for a channel, a playlist and the whole bin, and not for 100', async () => {
    await many(101);
    await t.archive.db
      .insertInto('playlist')
      .values({ id: 'PL1', kind: 'regular', channelId, name: 'P', sortName: 'p', refreshedAt: 1 })
      .execute();
    for (const [position, videoId] of ids.entries())
      await t.archive.db
        .insertInto('playlistEntry')
        .values({ playlistId: 'PL1', position, videoId, title: 't', uploader: null })
        .execute();
    await isAskedFor('DELETE', '/api/playlist/PL1/?delete_videos=true');
    await isAskedFor('DELETE', '/api/bin/');
    await many(101);
    await isAskedFor('DELETE', `/api/channel/${channelId}/`);
    channelId = await aChannel(t.archive.db);
    await many(100);
    expect((await staff.call('DELETE', `/api/channel/${channelId}/`)).statusCode).toBe(204);
  });

  test('must do so for more than 100 GB, if it be one video; wrong passwords count as those of the login', async () => {
    const id = await aVideo(t.archive.db, { channelId, sizeBytes: 100e9 + 1 });
    const url = `/api/video/${id}/`;
    expect((await staff.call('DELETE', url)).json().confirm).toEqual({ by: 'password', videos: 1, media_size: 100e9 + 1 });
    const from = `10.8.0.${++guesses}`;
    for (let n = 0; n < 10; n++) expect((await guess('DELETE', url, undefined, from)).statusCode).toBe(400);
    expect((await guess('DELETE', url, undefined, from)).statusCode).toBe(429);
    const login = { method: 'POST' as const, url: '/api/user/login/', payload: { username: staff.name, password } };
    expect((await t.app.inject({ ...login, remoteAddress: from })).statusCode).toBe(429);
    expect(await left()).toBe(1);
  });

  onOne('with a token deletes no more than that in an hour, one by one, unless the password is sent along', async () => {
    await many(102);
    const { token } = (await staff.call('GET', '/api/appsettings/token/')).json();
    const remove = (id: string, confirm?: string) =>
      t.app.inject({
        method: 'DELETE',
        url: `/api/video/${id}/`,
        headers: { authorization: `Token ${token}`, ...(confirm && { 'x-reelkeep-confirm': encodeURIComponent(confirm) }) },
      });
    for (const id of ids.slice(0, 99)) await deleteVideo(t.archive, id);
    await t.archive.db.updateTable('video').set({ sizeBytes: 60e9 }).execute();
    expect((await remove(ids[99]!)).statusCode).toBe(204);
    const second = await remove(ids[100]!);
    expect([second.statusCode, second.json().detail]).toEqual([
      429,
      expect.stringMatching(/^This token deletes very much: no more than 100 videos or 100 GB in an hour. Wait \d+ minutes\.$/),
    ]);
    expect(Number(second.headers['retry-after'])).toBeGreaterThan(3000);
    expect((await remove(ids[100]!, password)).statusCode).toBe(204);
    expect((await staff.call('DELETE', `/api/video/${ids[101]}/`)).statusCode).toBe(204);
  });
});

test('whom a proxy lets in has no password here, and says how many they are', async () => {
  const t = await testArchive({ env: { REELKEEP_FORWARD_AUTH: 'on', REELKEEP_TRUSTED_PROXIES: '127.0.0.1' } });
  try {
    await addAccount(t.archive.db, { name: 'boss', passwordHash: '', isStaff: true }, 0);
    const id = await aVideo(t.archive.db, { sizeBytes: 200e9 });
    const ask = (method: 'GET' | 'DELETE', url: string, confirm?: string) =>
      t.app.inject({ method, url, headers: { 'remote-user': 'boss', ...(confirm && { 'x-reelkeep-confirm': confirm }) } });
    expect((await ask('GET', '/api/user/confirm/')).json()).toEqual({ by: 'number', videos: 100, media_size: 100e9 });
    const refusal = await ask('DELETE', `/api/video/${id}/`, '2');
    expect([refusal.statusCode, refusal.json().error]).toEqual([
      400,
      'This deletes 1 videos (200 GB) at once. Confirm it: send that number in the header X-Reelkeep-Confirm.',
    ]);
    expect((await ask('DELETE', `/api/video/${id}/`, '1')).statusCode).toBe(204);
  } finally {
    await t.close();
  }
});
