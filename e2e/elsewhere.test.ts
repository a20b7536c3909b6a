import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { aChannel, aUser } from '#server/testing.ts';
import { aCatalogue } from '#standin/builders.ts';
import { anArchiveWith, type Acquiring } from './acquiring.ts';

let t: Acquiring;
const env = { REELKEEP_RELEASES_URL: 'https://releases.example', MB_URL: 'https://members.example' };
beforeEach(async () => {
  t = await anArchiveWith(aCatalogue({ members: { good: { username: 'maria', mostSubscriptions: 2, subscriptions: [] } } }), {
    env,
  });
});
afterEach(() => t.close());
const ask = async (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => {
  const answer = await t.staff.call(method, `/api/appsettings/membership/${path}/`, body);
  return [answer.statusCode, answer.body === '' ? null : answer.json()];
};

describe('the membership service', () => {
  test('is told what is subscribed to, without the kinds that are switched off', async () => {
    expect(await ask('GET', 'token')).toEqual([200, { token: null }]);
    expect(await ask('POST', 'token', { token: 'good' })).toEqual([200, { token: 'good' }]);
    expect(await ask('GET', 'token')).toEqual([200, { token: 'good' }]);
    const all = await aChannel(t.archive.db, { isSubscribed: 1 });
    const few = await aChannel(t.archive.db, { isSubscribed: 1 });
    await aChannel(t.archive.db);
    await aChannel(t.archive.db, { isSubscribed: 1, site: 'clips', id: 'clips.a' });
    await t.staff.call('POST', '/api/appsettings/config/', { subscriptions: { shorts_channel_size: 0 } });
    await t.staff.call('POST', `/api/channel/${few}/`, {
      channel_overwrites: { subscriptions_channel_size: 0, subscriptions_shorts_channel_size: 5 },
    });
    expect(await ask('POST', 'sync')).toEqual([204, null]);
    expect(t.standin.catalogue.members.good!.subscriptions).toEqual([
      { channel_id: all, notify_videos: true, notify_streams: true, notify_shorts: false },
      { channel_id: few, notify_videos: false, notify_streams: true, notify_shorts: true },
    ]);
    expect(await ask('GET', 'profile')).toEqual([
      200,
      {
        id: 1,
        user: { id: 7, username: 'maria' },
        sponsor_tier: { tier_id: 2, name: 'Patron', description: 'A kind one', max_subs: 2 },
        subscription_count: 2,
        subscription_is_max: true,
        is_connected: true,
      },
    ]);
    expect(await ask('DELETE', 'token')).toEqual([204, null]);
    expect(await ask('GET', 'token')).toEqual([200, { token: null }]);
  });

  test('what it refuses is told in its own words, and that it cannot be reached in ours', async () => {
    const none = 'There is no token for the membership service; store one first.';
    expect(await ask('GET', 'profile')).toEqual([400, { error: none, message: none }]);
    await ask('POST', 'token', { token: 'bad' });
    expect(await ask('GET', 'profile')).toEqual([400, { error: 'Invalid token.', message: 'Invalid token.' }]);
    await ask('POST', 'token', { token: 'good' });
    for (let n = 0; n < 3; n++) await aChannel(t.archive.db, { isSubscribed: 1 });
    expect((await ask('POST', 'sync'))[1]).toMatchObject({ message: 'Too many subscriptions for your tier.' });
    await t.standin.close();
    expect((await ask('GET', 'profile'))[1]).toMatchObject({ error: expect.stringMatching(/cannot be reached|failed/) });
  });

  test('its token is kept sealed', async () => {
    await ask('POST', 'token', { token: 'a-very-secret-token' });
    const rows = await t.archive.db.selectFrom('secret').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain('a-very-secret-token');
    expect(rows).toHaveLength(1);
  });
});

describe('a newer release', () => {
  const check = async () => {
    await t.archive.tasks.startByName('version_check');
    await t.runner.idle();
    return (await (await aUser(t)).call('GET', '/api/ping/')).json().ta_update;
  };

  test('is told by ping, with what breaks', async () => {
    expect(await check()).toBeNull(); // 0.1.0 is what runs
    t.standin.catalogue.release = { version: 'v9.10.0', breaking: true };
    expect(await check()).toEqual({ status: true, version: 'v9.10.0', is_breaking: true });
    expect((await t.staff.call('GET', '/api/notification/')).json()).toEqual([]); // nobody is bothered with the asking
  });

  test('something strange in its place changes nothing', async () => {
    t.standin.catalogue.release = { version: '<script>', breaking: false };
    expect(await check()).toBeNull();
  });
});
