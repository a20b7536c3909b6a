import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createUser, createVideo, engines, testApp, type TestApp } from '../test-support/app.ts';

describe.each(engines)('user data, on $engine', (on) => {
  let t: TestApp;
  let anna: Awaited<ReturnType<typeof createUser>>;
  let ben: Awaited<ReturnType<typeof createUser>>;
  beforeEach(async () => {
    t = await testApp({ on });
    [anna, ben] = [await createUser(t, { password: 'words of Anna' }), await createUser(t, { isStaff: true })];
  });
  afterEach(() => t.close());

  const readPlayer = async (user: typeof anna, id: string) => (await user.call('GET', `/api/video/${id}/`)).json().player;
  const continueWatching = async (user: typeof anna) =>
    (await user.call('GET', '/api/video/?watch=continue')).json().data.map((one: { youtube_id: string }) => one.youtube_id);

  test('positions and watched states are invisible to other users and cannot be changed by them', async () => {
    const id = await createVideo(t.app.db, { durationSeconds: 1000 });
    await anna.call('POST', `/api/video/${id}/progress/`, { position: 100 });
    expect(await readPlayer(ben, id)).not.toHaveProperty('position');
    expect([await continueWatching(anna), await continueWatching(ben)]).toEqual([[id], []]);
    for (const body of [
      { position: 500, user_id: anna.id },
      { position: 500, accountId: anna.id, user: anna.name },
    ])
      await ben.call('POST', `/api/video/${id}/progress/?user_id=${anna.id}`, body);
    await ben.call('DELETE', `/api/video/${id}/progress/`);
    expect((await readPlayer(anna, id)).position).toBe(100);
    await anna.call('POST', '/api/watched/', { id, is_watched: true });
    expect([(await readPlayer(anna, id)).watched, (await readPlayer(ben, id)).watched]).toEqual([true, false]);
    await ben.call('POST', '/api/watched/', { id, is_watched: false, user_id: anna.id });
    const bulkUrl = '/api/video/bulk/watched/';
    await ben.call('POST', bulkUrl, { is_watched: false, user_id: anna.id, accountId: anna.id });
    expect((await ben.call('POST', `${bulkUrl}?user_id=${anna.id}`, { is_watched: false })).statusCode).toBe(400);
    expect((await readPlayer(anna, id)).watched).toBe(true);
    const countWatched = async (user: typeof anna) =>
      (await user.call('GET', `/api/stats/watch/?user_id=${anna.id}`)).json().watched?.items ?? 0;
    expect([await countWatched(anna), await countWatched(ben)]).toEqual([1, 0]);
    const countListed = async (user: typeof anna) =>
      (await user.call('GET', '/api/video/?watch=watched')).json().paginate.total_hits;
    expect([await countListed(anna), await countListed(ben)]).toEqual([1, 0]);
  });

  test('users can change only their own settings and not their rights', async () => {
    await anna.call('POST', '/api/user/me/', { page_size: 33, is_staff: true, is_superuser: true, id: ben.id, name: 'root' });
    expect((await ben.call('GET', '/api/user/me/')).json().page_size).toBe(12);
    const account = (await anna.call('GET', '/api/user/account/')).json();
    expect(account).toMatchObject({ id: anna.id, name: anna.name, is_staff: false, is_superuser: false });
    expect((await anna.call('GET', `/api/user/account/?id=${ben.id}`)).json().id).toBe(anna.id);
  });

  test('a custom theme is stored for its owner only and limited in size', async () => {
    const css = ':root { --ground: #000 }';
    const saved = await anna.call('POST', '/api/user/me/', { stylesheet: 'custom.css', custom_css: css });
    expect(saved.json()).toMatchObject({ stylesheet: 'custom.css', custom_css: css });
    expect((await anna.call('GET', '/api/user/me/')).json().custom_css).toBe(css);
    expect((await ben.call('GET', '/api/user/me/')).json().custom_css).toBeNull();
    for (const custom_css of ['x'.repeat(20_001), 'a\0b', 7])
      expect((await anna.call('POST', '/api/user/me/', { custom_css })).statusCode).toBe(400);
  });

  test('users can end only their own tokens and sessions', async () => {
    const token = async (user: typeof anna) =>
      (await user.call('GET', `/api/appsettings/token/?user_id=${anna.id}`)).json().token;
    const [tokenOfAnna, tokenOfBen] = [await token(anna), await token(ben)];
    expect(tokenOfAnna).not.toBe(tokenOfBen);
    await ben.call('DELETE', `/api/appsettings/token/?user_id=${anna.id}`, { user_id: anna.id });
    const response = await t.server.inject({ url: '/api/user/account/', headers: { authorization: `Token ${tokenOfAnna}` } });
    expect(response.json()).toMatchObject({ id: anna.id });
    await ben.call('POST', '/api/user/logout/');
    expect((await anna.call('GET', '/api/ping/')).json().user).toBe(anna.id);
    expect((await ben.call('GET', '/api/ping/')).statusCode).toBe(403);
  });

  test('a password change requires the current password of the same user', async () => {
    const response = await ben.call('POST', '/api/user/password/', {
      current: anna.password,
      next: 'words of Ben',
      username: anna.name,
    });
    expect(response.statusCode).toBe(400);
    expect((await anna.call('POST', '/api/user/password/', { current: anna.password, next: 'other words' })).statusCode).toBe(
      204,
    );
  });
});
