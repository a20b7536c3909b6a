import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { aUser, aVideo, engines, testArchive, type TestArchive } from '../testing.ts';

describe.each(engines)('what is somebody’s own, on $engine', (on) => {
  let t: TestArchive;
  let anna: Awaited<ReturnType<typeof aUser>>;
  let ben: Awaited<ReturnType<typeof aUser>>;
  beforeEach(async () => {
    t = await testArchive({ on });
    [anna, ben] = [await aUser(t, { password: 'words of Anna' }), await aUser(t, { isStaff: true })];
  });
  afterEach(() => t.close());

  const player = async (user: typeof anna, id: string) => (await user.call('GET', `/api/video/${id}/`)).json().player;
  const continued = async (user: typeof anna) =>
    (await user.call('GET', '/api/video/?watch=continue')).json().data.map((one: { youtube_id: string }) => one.youtube_id);

  test('places and watched marks are not seen by others, nor changed by them', async () => {
    const id = await aVideo(t.archive.db, { durationSeconds: 1000 });
    await anna.call('POST', `/api/video/${id}/progress/`, { position: 100 });
    expect(await player(ben, id)).not.toHaveProperty('position');
    expect([await continued(anna), await continued(ben)]).toEqual([[id], []]);
    for (const body of [
      { position: 500, user_id: anna.id },
      { position: 500, accountId: anna.id, user: anna.name },
    ])
      await ben.call('POST', `/api/video/${id}/progress/?user_id=${anna.id}`, body);
    await ben.call('DELETE', `/api/video/${id}/progress/`);
    expect((await player(anna, id)).position).toBe(100);
    await anna.call('POST', '/api/watched/', { id, is_watched: true });
    expect([(await player(anna, id)).watched, (await player(ben, id)).watched]).toEqual([true, false]);
    await ben.call('POST', '/api/watched/', { id, is_watched: false, user_id: anna.id });
    const ofAll = '/api/video/matching/watched/';
    await ben.call('POST', ofAll, { is_watched: false, user_id: anna.id, accountId: anna.id });
    expect((await ben.call('POST', `${ofAll}?user_id=${anna.id}`, { is_watched: false })).statusCode).toBe(400);
    expect((await player(anna, id)).watched).toBe(true);
    const watched = async (user: typeof anna) =>
      (await user.call('GET', `/api/stats/watch/?user_id=${anna.id}`)).json().watched?.items ?? 0;
    expect([await watched(anna), await watched(ben)]).toEqual([1, 0]);
    const lists = async (user: typeof anna) => (await user.call('GET', '/api/video/?watch=watched')).json().paginate.total_hits;
    expect([await lists(anna), await lists(ben)]).toEqual([1, 0]);
  });

  test('settings, names and rights are one’s own, and nobody makes themselves staff', async () => {
    await anna.call('POST', '/api/user/me/', { page_size: 33, is_staff: true, is_superuser: true, id: ben.id, name: 'root' });
    expect((await ben.call('GET', '/api/user/me/')).json().page_size).toBe(12);
    const account = (await anna.call('GET', '/api/user/account/')).json();
    expect(account).toMatchObject({ id: anna.id, name: anna.name, is_staff: false, is_superuser: false });
    expect((await anna.call('GET', `/api/user/account/?id=${ben.id}`)).json().id).toBe(anna.id);
  });

  test('a theme of one’s own is kept for its owner alone, and is no longer than a theme', async () => {
    const css = ':root { --ground: #000 }';
    const saved = await anna.call('POST', '/api/user/me/', { stylesheet: 'custom.css', custom_css: css });
    expect(saved.json()).toMatchObject({ stylesheet: 'custom.css', custom_css: css });
    expect((await anna.call('GET', '/api/user/me/')).json().custom_css).toBe(css);
    expect((await ben.call('GET', '/api/user/me/')).json().custom_css).toBeNull();
    for (const custom_css of ['x'.repeat(20_001), 'a\0b', 7])
      expect((await anna.call('POST', '/api/user/me/', { custom_css })).statusCode).toBe(400);
  });

  test('tokens and sessions end for their owner alone', async () => {
    const token = async (user: typeof anna) =>
      (await user.call('GET', `/api/appsettings/token/?user_id=${anna.id}`)).json().token;
    const [hers, his] = [await token(anna), await token(ben)];
    expect(hers).not.toBe(his);
    await ben.call('DELETE', `/api/appsettings/token/?user_id=${anna.id}`, { user_id: anna.id });
    const answer = await t.app.inject({ url: '/api/user/account/', headers: { authorization: `Token ${hers}` } });
    expect(answer.json()).toMatchObject({ id: anna.id });
    await ben.call('POST', '/api/user/logout/');
    expect((await anna.call('GET', '/api/ping/')).json().user).toBe(anna.id);
    expect((await ben.call('GET', '/api/ping/')).statusCode).toBe(403);
  });

  test('a password is changed with one’s own present one only', async () => {
    const answer = await ben.call('POST', '/api/user/password/', {
      current: anna.password,
      next: 'words of Ben',
      username: anna.name,
    });
    expect(answer.statusCode).toBe(400);
    expect((await anna.call('POST', '/api/user/password/', { current: anna.password, next: 'other words' })).statusCode).toBe(
      204,
    );
  });
});
