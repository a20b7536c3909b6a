import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Home } from '#contract/home.ts';
import { createChannel, createUser, createVideo, engines, testApp, type TestApp } from '../../test-support/app.ts';
import { addAccount } from '../user/account/store.ts';

describe.each(engines)('the home page on $engine', (on) => {
  let t: TestApp;
  let anna: Awaited<ReturnType<typeof createUser>>;
  let staff: Awaited<ReturnType<typeof createUser>>;
  beforeEach(async () => {
    t = await testApp({ on });
    [anna, staff] = [await createUser(t), await createUser(t, { isStaff: true })];
  });
  afterEach(() => t.close());

  const read = async (user = anna, query = '') => {
    const response = await user.call('GET', `/api/home/${query}`);
    expect(response.statusCode, response.body).toBe(200);
    return response.json() as Home;
  };
  const sectionsOf = async (user = anna, query = '') =>
    Object.fromEntries((await read(user, query)).sections.map(({ section, videos }) => [section, videos.join(' ')]));
  const choose = async (...home_sections: string[]) => {
    const response = await anna.call('POST', '/api/user/me/', { home_sections });
    expect(response.statusCode, response.body).toBe(200);
  };
  const watch = (videoId: string, state: { watchedAt: number } | { positionSeconds: number }) =>
    t.app.db
      .insertInto('watch')
      .values({ accountId: anna.id, videoId, watchedAt: null, positionSeconds: null, updatedAt: 1, ...state })
      .execute();

  async function fillArchive() {
    const { db, now } = t.app;
    await createChannel(db, { id: 'wanted', isSubscribed: 1 });
    await createChannel(db, { id: 'other' });
    const [recently, longAgo] = [now() - 100, now() - 30 * 86_400];
    await createVideo(db, { id: 'old', channelId: 'wanted', downloadedAt: longAgo, publishedAt: 1 });
    await createVideo(db, { id: 'new', channelId: 'wanted', downloadedAt: recently, publishedAt: 2 });
    await createVideo(db, { id: 'stranger', channelId: 'other', downloadedAt: recently, publishedAt: 3 });
    await createVideo(db, { id: 'short', channelId: 'other', downloadedAt: longAgo, publishedAt: 4, kind: 'shorts' });
    await createVideo(db, { id: 'gone', channelId: 'other', downloadedAt: longAgo, publishedAt: 5, isActive: 0 });
  }

  test('asks staff about the setup of an empty archive until it is answered', async () => {
    const empty = { sections: [], data: [], is_empty: true };
    expect(await read(anna)).toEqual({ ...empty, needs_setup: false });
    expect(await read(staff)).toEqual({ ...empty, needs_setup: true });
    await staff.call('POST', '/api/appsettings/config/', { application: { setup_done: true } });
    expect(await read(staff)).toEqual({ ...empty, needs_setup: false });
  });

  test('shows the sections of a user in their order, without empty ones, each video once', async () => {
    await fillArchive();
    await watch('short', { positionSeconds: 9 });
    await choose('unavailable', 'shorts', 'subscriptions', 'continue', 'list:99');
    const home = await read();
    expect(home.sections.map(({ section }) => section)).toEqual(['unavailable', 'shorts', 'subscriptions']);
    expect(await sectionsOf()).toEqual({ unavailable: 'gone', shorts: 'short', subscriptions: 'new' });
    expect(home.data.map(({ youtube_id }) => youtube_id).sort()).toEqual(['gone', 'new', 'short']);
    expect(home.data.find(({ youtube_id }) => youtube_id === 'short')?.player.position).toBe(9);
    expect(home).toMatchObject({ is_empty: false, needs_setup: false });
    await choose();
    expect((await read()).sections).toEqual([]);
  });

  test('shows unwatched videos of subscriptions since the last visit', async () => {
    await fillArchive();
    const { now, db } = t.app;
    await choose('subscriptions');
    expect(await sectionsOf(anna, `?since=${now() - 40 * 86_400}`)).toEqual({ subscriptions: 'new old' });
    expect(await sectionsOf(anna, `?since=${now() - 10}`)).toEqual({});
    await watch('new', { watchedAt: 5 });
    expect(await sectionsOf()).toEqual({});
    // Playlists are subscriptions too.
    const playlist = { id: 'PL', kind: 'regular' as const, name: 'P', sortName: 'p', refreshedAt: 0 };
    await db
      .insertInto('playlist')
      .values({ ...playlist, isSubscribed: 1 })
      .execute();
    await db.insertInto('playlistEntry').values({ playlistId: 'PL', position: 0, videoId: 'stranger', title: '' }).execute();
    expect(await sectionsOf()).toEqual({ subscriptions: 'stranger' });
  });

  test('hides watched videos if the user does', async () => {
    await fillArchive();
    await watch('short', { watchedAt: 5 });
    await choose('shorts', 'unavailable');
    expect(await sectionsOf()).toEqual({ shorts: 'short', unavailable: 'gone' });
    await anna.call('POST', '/api/user/me/', { hide_watched: true });
    expect(await sectionsOf()).toEqual({ unavailable: 'gone' });
  });

  test('shows smart lists that the user can see', async () => {
    await fillArchive();
    const create = async (name: string, is_shared: boolean) =>
      (await staff.call('POST', '/api/list/', { name, filter: { channel: 'wanted', order: 'asc' }, is_shared })).json()
        .id as number;
    const [shared, secret] = [await create('Wanted', true), await create('Secret', false)];
    await choose(`list:${secret}`, `list:${shared}`);
    expect((await read()).sections).toEqual([
      { section: `list:${shared}`, list: { id: shared, name: 'Wanted' }, videos: ['old', 'new'] },
    ]);
  });

  test('starts with all sections for new accounts, and with “Continue watching” for earlier ones', async () => {
    const { db } = t.app;
    const sections = async (user: typeof anna) => (await user.call('GET', '/api/user/me/')).json().home_sections as string[];
    const { id } = (await addAccount(db, { name: 'new', passwordHash: '', isStaff: false }, 0))!;
    const { config } = await db.selectFrom('account').select('config').where('id', '=', id).executeTakeFirstOrThrow();
    expect(JSON.parse(config)).toEqual({ home_sections: ['unavailable', 'continue', 'subscriptions', 'shorts'] });
    await db.updateTable('account').set({ config: '{}' }).where('id', '=', anna.id).execute();
    expect(await sections(anna)).toEqual(['continue']);
  });

  test.each([[['nothing']], [['continue', 'continue']], [['list:0']], [Array.from({ length: 31 }, (_, n) => `list:${n + 1}`)]])(
    'rejects the sections %j',
    async (home_sections) => {
      expect((await anna.call('POST', '/api/user/me/', { home_sections })).statusCode).toBe(400);
    },
  );
});
