import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createChannel, createQueueItem, createUser, createVideo, testApp, type TestApp } from '../test-support/app.ts';
import { countItems } from '../archive/queue/items.ts';

describe('bad input', () => {
  let t: TestApp;
  let staff: Awaited<ReturnType<typeof createUser>>;
  beforeAll(async () => {
    t = await testApp();
    staff = await createUser(t, { isStaff: true });
    await createQueueItem(t.app.db);
  });
  afterAll(() => t.close());

  test('rejects a body that is not JSON', async () => {
    const reply = await staff.call('POST', '/api/download/', '{"data": [');
    expect([reply.statusCode, reply.json()]).toMatchObject([
      400,
      { detail: expect.stringContaining('JSON parse error'), error: 'The request body is not valid JSON.' },
    ]);
  });

  test.each(['/api/appsettings/config/', '/api/user/me/', '/api/download/'])('rejects the body null at %s', async (path) => {
    const reply = await staff.call('POST', path, 'null');
    expect([reply.statusCode, reply.json().error]).toEqual([400, expect.stringMatching(/may not be null/)]);
  });

  test('rejects a body of 10 MB before reading it', async () => {
    const reply = await staff.call('POST', '/api/download/', JSON.stringify({ data: [{ youtube_id: 'x'.repeat(10_000_000) }] }));
    expect([reply.statusCode, reply.json()]).toMatchObject([413, { error: 'The request body is larger than 1 MB.' }]);
  });

  test('accepts repeated slashes at the beginning of a path', async () => {
    const archiveBelowPath = await testApp({ env: { REELKEEP_BASE_PATH: '/tube' } });
    try {
      const user = await createUser(archiveBelowPath);
      for (const path of ['//api/ping/', '///api/ping/?a=//b', '/tube//api/ping/', '//tube/api/ping/'])
        expect((await user.call('GET', path)).json()).toMatchObject({ response: 'pong' });
    } finally {
      await archiveBelowPath.close();
    }
    expect((await t.server.inject({ url: '//example.org/api/ping', headers: staff.headers })).headers.location).toBeUndefined();
  });

  test('does not parse text/plain as JSON', async () => {
    const reply = await t.server.inject({
      method: 'POST',
      url: '/api/user/login/',
      headers: { 'content-type': 'text/plain' },
      payload: '{"username":"a","password":"b"}',
    });
    const detail = 'The request body must be application/json, application/x-www-form-urlencoded or multipart/form-data.';
    expect([reply.statusCode, reply.json()]).toMatchObject([415, { detail }]);
  });

  test('accepts an empty form for an endpoint without a body', async () => {
    const reply = await t.server.inject({
      method: 'DELETE',
      url: '/api/download/nothing/',
      headers: { ...staff.headers, 'content-type': 'application/x-www-form-urlencoded', 'content-length': '0' },
    });
    expect(reply.statusCode).toBe(204);
  });

  test('returns 404 for unknown paths with any body', async () => {
    for (const type of ['application/zip', 'application/x-www-form-urlencoded', 'application/json']) {
      const reply = await t.server.inject({
        method: 'PUT',
        url: '/api/appsettings/backup/ta_backup-20260101-x.zip/file/ta_backup-20260101-x.zip',
        headers: { ...staff.headers, 'content-type': type },
        payload: '{}',
      });
      expect([reply.statusCode, type]).toEqual([404, type]);
    }
  });

  test.each([
    'https%3A%2F%2Fclips.example%2Fcaf%25E9',
    'https%3A%2F%2Fexample.com%2F%2525zz',
    'https%3A%2F%2Fwww.youtube.com%2Fc%2Fa%25b',
  ])('channel search for %s returns 404', async (q) => {
    expect((await staff.call('GET', `/api/channel/search/?q=${q}`)).statusCode).toBe(404);
  });

  test('an invalid URL does not prevent unsubscribing from others', async () => {
    const [first, second] = [
      await createChannel(t.app.db, { isSubscribed: 1 }),
      await createChannel(t.app.db, { isSubscribed: 1 }),
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
  ])('adding %s is rejected and starts nothing', async (_, body) => {
    const response = await staff.call('POST', '/api/download/', body);
    expect(response.statusCode).toBe(400);
    expect(JSON.stringify(Object.values(response.json()))).toMatch(/\w{3}/); // a reason in words
    expect((await staff.call('GET', '/api/notification/')).json()).toEqual([]);
  });

  test('an invalid change has no effect', async () => {
    expect((await staff.call('PATCH', '/api/download/?filter=pending', { status: 'gone' })).statusCode).toBe(400);
    expect((await staff.call('DELETE', '/api/download/?filter=everything')).statusCode).toBe(400);
    expect((await staff.call('DELETE', '/api/download/')).statusCode).toBe(400);
    // A search without words would match, and delete, everything.
    for (const q of ['%25', '_', '%5C', '%20', '%25%20_'])
      for (const reply of [
        await staff.call('DELETE', `/api/download/?filter=pending&q=${q}`),
        await staff.call('PATCH', `/api/download/?filter=pending&q=${q}`, { status: 'ignore' }),
      ])
        expect([reply.statusCode, reply.json().error]).toEqual([400, expect.stringContaining('Nothing was changed')]);
    expect(await countItems(t.app.db, { filter: 'pending' })).toBe(1);
  });

  test.each(['?page=x', '?page=-1', '?page=1.5', '?type=films', '?sort=;drop table video', '?watch=1', '?order=up'])(
    'a list with %s is rejected with a message that names the parameter',
    async (query) => {
      const reply = await staff.call('GET', `/api/video/${query}`);
      expect([reply.statusCode, reply.json().error]).toEqual([400, expect.stringContaining(/\w+/.exec(query)![0])]);
    },
  );

  test.each(['..%2f..%2fetc%2fpasswd', '%00', "a' or 1=1 --", '<script>', 'x'.repeat(299), '-rf', '%ff'])(
    'the id %s is not found and causes no error',
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
    'rejects the position %s and keeps the saved one',
    async (position) => {
      const id = await createVideo(t.app.db, { durationSeconds: 100 });
      const save = (value: unknown) => staff.call('POST', `/api/video/${id}/progress/`, { position: value });
      expect((await save(30)).statusCode).toBe(200);
      expect((await save(position)).statusCode).toBe(400);
      const { player } = (await staff.call('GET', `/api/video/${id}/`)).json();
      expect(player.position).toBe(30);
    },
  );

  test('a request with an expired session is rejected without a partial change', async () => {
    const expired = await createUser(t, { isStaff: true });
    await t.app.db
      .updateTable('session')
      .set({ expiresAt: 1 })
      .where('accountId', '=', (await readAccount(expired)).id)
      .execute();
    const before = await countItems(t.app.db, {});
    const reply = await expired.call('POST', '/api/download/', { data: [{ youtube_id: 'dQw4w9WgXcQ' }] });
    expect([reply.statusCode, reply.json()]).toMatchObject([403, { detail: 'Authentication credentials were not provided.' }]);
    expect(await countItems(t.app.db, {})).toBe(before);
  });

  const readAccount = async (user: typeof staff) => (await user.call('GET', '/api/user/account/')).json() as { id: number };
});
