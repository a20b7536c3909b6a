import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aChannel, aQueueItem, aUser, aVideo, testArchive, type TestArchive } from '../testing.ts';
import { countItems } from '../download/queue-store.ts';

describe('bad input', () => {
  let t: TestArchive;
  let staff: Awaited<ReturnType<typeof aUser>>;
  beforeAll(async () => {
    t = await testArchive();
    staff = await aUser(t, { isStaff: true });
    await aQueueItem(t.archive.db);
  });
  afterAll(() => t.close());

  test('a body that is not JSON is refused with a sentence', async () => {
    const answer = await staff.call('POST', '/api/download/', '{"data": [');
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      { detail: expect.stringContaining('JSON parse error'), error: 'The body is not JSON.' },
    ]);
  });

  test('10 MB of body are refused before they are read', async () => {
    const answer = await staff.call('POST', '/api/download/', JSON.stringify({ data: [{ youtube_id: 'x'.repeat(10_000_000) }] }));
    expect([answer.statusCode, answer.json()]).toEqual([413, { error: 'The body is larger than 1 MB.' }]);
  });

  test('two slashes at the beginning are what clients make of an address that ends with one', async () => {
    const below = await testArchive({ env: { REELKEEP_BASE_PATH: '/tube' } });
    try {
      const somebody = await aUser(below);
      for (const path of ['//api/ping/', '///api/ping/?a=//b', '/tube//api/ping/', '//tube/api/ping/'])
        expect((await somebody.call('GET', path)).json()).toMatchObject({ response: 'pong' });
    } finally {
      await below.close();
    }
    expect((await t.app.inject({ url: '//example.org/api/ping', headers: staff.headers })).headers.location).toBeUndefined();
  });

  test('a form is not read as JSON', async () => {
    const answer = await t.app.inject({
      method: 'POST',
      url: '/api/user/login/',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'username=a&password=b',
    });
    expect([answer.statusCode, answer.json()]).toEqual([415, { detail: 'The body must be application/json.' }]);
  });

  test('a form without anything in it is no body, where a call takes none', async () => {
    const answer = await t.app.inject({
      method: 'DELETE',
      url: '/api/download/nothing/',
      headers: { ...staff.headers, 'content-type': 'application/x-www-form-urlencoded', 'content-length': '0' },
    });
    expect(answer.statusCode).toBe(204);
  });

  test('what is sent to where nothing is gets told that, whatever it is', async () => {
    for (const type of ['application/zip', 'application/x-www-form-urlencoded', 'application/json']) {
      const answer = await t.app.inject({
        method: 'PUT',
        url: '/api/appsettings/backup/ta_backup-20260101-x.zip/file/ta_backup-20260101-x.zip',
        headers: { ...staff.headers, 'content-type': type },
        payload: '{}',
      });
      expect([answer.statusCode, type]).toEqual([404, type]);
    }
  });

  test.each([
    'https%3A%2F%2Fclips.example%2Fcaf%25E9',
    'https%3A%2F%2Fexample.com%2F%2525zz',
    'https%3A%2F%2Fwww.youtube.com%2Fc%2Fa%25b',
  ])('a channel is not found at %s, and that is all', async (q) => {
    expect((await staff.call('GET', `/api/channel/search/?q=${q}`)).statusCode).toBe(404);
  });

  test('an address that is strange keeps none of the others from being left', async () => {
    const [first, second] = [
      await aChannel(t.archive.db, { isSubscribed: 1 }),
      await aChannel(t.archive.db, { isSubscribed: 1 }),
    ];
    const data = [first, 'https://clips.example/caf%E9', second].map((channel_id) => ({ channel_id, channel_subscribed: false }));
    expect((await staff.call('POST', '/api/channel/', { data })).statusCode).toBe(200);
    for (const id of [first, second])
      expect((await staff.call('GET', `/api/channel/${id}/`)).json().channel_subscribed).toBe(false);
  });

  test.each([
    ['nothing', undefined],
    ['a list', []],
    ['an object without data', {}],
    ['data that is no list', { data: 'abc' }],
    ['an item without id', { data: [{ status: 'pending' }] }],
    ['a status that does not exist', { data: [{ youtube_id: 'abc', status: 'done' }] }],
    ['a number for an id', { data: [{ youtube_id: 7 }] }],
  ])('adding %s is refused, and nothing is started', async (_, body) => {
    const answer = await staff.call('POST', '/api/download/', body);
    expect(answer.statusCode).toBe(400);
    expect(answer.json().error ?? answer.json().detail ?? Object.keys(answer.json())).toBeTruthy();
    expect((await staff.call('GET', '/api/notification/')).json()).toEqual([]);
  });

  test('a change that cannot be meant changes nothing', async () => {
    expect((await staff.call('PATCH', '/api/download/?filter=pending', { status: 'gone' })).statusCode).toBe(400);
    expect((await staff.call('DELETE', '/api/download/?filter=everything')).statusCode).toBe(400);
    expect((await staff.call('DELETE', '/api/download/')).statusCode).toBe(400);
    // A search for nothing finds everything; what it forgets would be everything as well.
    for (const q of ['%25', '_', '%5C', '%20', '%25%20_'])
      for (const answer of [
        await staff.call('DELETE', `/api/download/?filter=pending&q=${q}`),
        await staff.call('PATCH', `/api/download/?filter=pending&q=${q}`, { status: 'ignore' }),
      ])
        expect([answer.statusCode, answer.json().error]).toEqual([400, expect.stringContaining('nothing was changed')]);
    expect(await countItems(t.archive.db, { filter: 'pending' })).toBe(1);
  });

  test.each(['?page=x', '?page=-1', '?page=1.5', '?channel=', '?type=films', '?sort=;drop table video', '?watch=1', '?order=up'])(
    'a list asked for with %s is refused with a sentence, or answered',
    async (query) => {
      const answer = await staff.call('GET', `/api/video/${query}`);
      expect([200, 400]).toContain(answer.statusCode);
      if (answer.statusCode === 400) expect(JSON.stringify(answer.json()).length).toBeGreaterThan(10);
    },
  );

  test.each(['..%2f..%2fetc%2fpasswd', '%00', "a' or 1=1 --", '<script>', 'x'.repeat(299), '-rf', '%ff'])(
    'the id %s finds nothing and breaks nothing',
    async (id) => {
      for (const url of [
        `/api/video/${id}/`,
        `/api/channel/${id}/`,
        `/api/playlist/${id}/`,
        `/api/download/${id}/`,
        `/youtube/${id}`,
        `/cache/videos/x/${id}.jpg`,
      ])
        expect([400, 404, 414], url).toContain((await staff.call('GET', url.replace(/[ <>]/g, encodeURIComponent))).statusCode);
    },
  );

  test.each([-5, Number.NaN, 1e308, '12x', null, {}, [1], true, '9'.repeat(400)])(
    'the position %s cannot break a video',
    async (position) => {
      const id = await aVideo(t.archive.db, { durationSeconds: 100 });
      const answer = await staff.call('POST', `/api/video/${id}/progress/`, { position });
      expect([200, 400]).toContain(answer.statusCode);
      const { player } = (await staff.call('GET', `/api/video/${id}/`)).json();
      expect(player.position ?? 0).toBeGreaterThanOrEqual(0);
      expect(player.position ?? 0).toBeLessThanOrEqual(100);
    },
  );

  test('a session that has run out says so, and what was sent is not half done', async () => {
    const old = await aUser(t, { isStaff: true });
    await t.archive.db
      .updateTable('session')
      .set({ expiresAt: 1 })
      .where('accountId', '=', (await me(old)).id)
      .execute();
    const before = await countItems(t.archive.db, {});
    const answer = await old.call('POST', '/api/download/', { data: [{ youtube_id: 'dQw4w9WgXcQ' }] });
    expect([answer.statusCode, answer.json()]).toEqual([403, { detail: 'Authentication credentials were not provided.' }]);
    expect(await countItems(t.archive.db, {})).toBe(before);
  });

  const me = async (user: typeof staff) => (await user.call('GET', '/api/user/account/')).json() as { id: number };
});
