import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createChannel, createUser } from '#server/test-support/app.ts';
import { aCatalogue } from '../../test-site/builders.ts';
import { createArchive, type TestSiteArchive } from '../support/acquisition.ts';

let t: TestSiteArchive;
const env = { REELKEEP_RELEASES_URL: 'https://releases.example', MB_URL: 'https://members.example' };
beforeEach(async () => {
  t = await createArchive(aCatalogue({ members: { good: { username: 'maria', maxSubscriptions: 2, subscriptions: [] } } }), {
    env,
  });
});
afterEach(() => t.close());
const callMembership = async (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => {
  const response = await t.staff.call(method, `/api/appsettings/membership/${path}/`, body);
  return [response.statusCode, response.body === '' ? null : response.json()];
};

describe('the membership service', () => {
  test('receives the subscriptions without disabled kinds', async () => {
    expect(await callMembership('GET', 'token')).toEqual([200, { token: null }]);
    expect(await callMembership('POST', 'token', { token: 'good' })).toEqual([200, { token: '****' }]);
    expect(await callMembership('GET', 'token')).toEqual([200, { token: '****' }]);
    const all = await createChannel(t.app.db, { isSubscribed: 1 });
    const few = await createChannel(t.app.db, { isSubscribed: 1 });
    await createChannel(t.app.db);
    await createChannel(t.app.db, { isSubscribed: 1, site: 'clips', id: 'clips.a' });
    await t.staff.call('POST', '/api/appsettings/config/', { subscriptions: { shorts_channel_size: 0 } });
    await t.staff.call('POST', `/api/channel/${few}/`, {
      channel_overwrites: { subscriptions_channel_size: 0, subscriptions_shorts_channel_size: 5 },
    });
    expect(await callMembership('POST', 'sync')).toEqual([204, null]);
    expect(t.testSite.catalogue.members.good!.subscriptions).toEqual([
      { channel_id: all, notify_videos: true, notify_streams: true, notify_shorts: false },
      { channel_id: few, notify_videos: false, notify_streams: true, notify_shorts: true },
    ]);
    expect(await callMembership('GET', 'profile')).toEqual([
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
    expect(await callMembership('DELETE', 'token')).toEqual([204, null]);
    expect(await callMembership('GET', 'token')).toEqual([200, { token: null }]);
  });

  test('its errors are shown literally, and an unreachable service is reported', async () => {
    const missingToken = 'No token for the membership service is stored. Add one first.';
    expect(await callMembership('GET', 'profile')).toMatchObject([400, { error: missingToken, message: missingToken }]);
    await callMembership('POST', 'token', { token: 'bad' });
    expect(await callMembership('GET', 'profile')).toMatchObject([400, { error: 'Invalid token.', message: 'Invalid token.' }]);
    await callMembership('POST', 'token', { token: 'good' });
    for (let n = 0; n < 3; n++) await createChannel(t.app.db, { isSubscribed: 1 });
    expect((await callMembership('POST', 'sync'))[1]).toMatchObject({ message: 'Too many subscriptions for your tier.' });
    await t.testSite.close();
    expect((await callMembership('GET', 'profile'))[1]).toMatchObject({
      error: expect.stringMatching(/cannot be reached|failed/),
    });
  });

  test('its token is stored encrypted', async () => {
    await callMembership('POST', 'token', { token: 'a-very-secret-token' });
    const rows = await t.app.db.selectFrom('secret').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain('a-very-secret-token');
    expect(rows).toHaveLength(1);
  });
});

describe('the version check', () => {
  const check = async () => {
    await t.app.tasks.startByName('version_check');
    await t.runner.idle();
    const { ta_update, community } = (await (await createUser(t)).call('GET', '/api/ping/')).json();
    return { ta_update, community };
  };
  const none = { ta_update: null, community: [] };

  test('ping reports a newer release with its breaking changes', async () => {
    expect(await check()).toEqual(none); // 0.1.0 is the current version
    const notes_url = 'https://releases.example/v9.10.0';
    const community = [{ name: 'Forum', url: 'https://forum.example/' }];
    t.testSite.catalogue.release = { version: 'v9.10.0', breaking: true, notes_url, community };
    const ta_update = { status: true, version: 'v9.10.0', is_breaking: true, notes_url };
    expect(await check()).toEqual({ ta_update, community });
    expect((await t.staff.call('GET', '/api/notification/')).json()).toEqual([]); // the check shows no notification
  });

  test('ignores an invalid response', async () => {
    for (const wrong of [{ version: '<script>' }, { version: 'v9.0.0', notes_url: 'javascript:alert(1)' }]) {
      t.testSite.catalogue.release = { breaking: false, ...wrong };
      expect(await check()).toEqual(none);
    }
  });
});
