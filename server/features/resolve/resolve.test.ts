import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ResolvedItem } from '#contract/resolve.ts';
import { createChannel, createUser, createVideo, engines, testApp, type TestApp } from '../../test-support/app.ts';

// e2e/acquisition/resolve.test.ts asks sites.
describe.each(engines)('links in the database on $engine', (on) => {
  let t: TestApp;
  let staff: Awaited<ReturnType<typeof createUser>>;
  beforeAll(async () => {
    t = await testApp({ on });
    staff = await createUser(t, { isStaff: true });
    await createChannel(t.app.db, { id: 'UC3gVbQvIoZnLOvM9D6wWKIc', name: 'Slow Bread' });
    await createVideo(t.app.db, { id: 'LoafLoaf001', channelId: 'UC3gVbQvIoZnLOvM9D6wWKIc', title: 'Loaf' });
  });
  afterAll(() => t.close());

  test.each([
    ['LoafLoaf001', { what: 'video', state: 'archived', name: 'Loaf' }],
    ['https://www.youtube.com/channel/UC3gVbQvIoZnLOvM9D6wWKIc', { what: 'channel', state: 'known', name: 'Slow Bread' }],
    ['@nobody', { what: 'channel', state: 'new', name: null }],
    ['https://films.example.org/one', { what: 'page', state: 'new', name: null }],
    ['PLabcdefghijklmnopqrstuvwxyz012345', { what: 'playlist', state: 'new', name: null }],
  ])('finds %s', async (text, expected) => {
    const response = await staff.call('POST', '/api/resolve/', { text });
    expect(response.statusCode, response.body).toBe(200);
    expect(response.json<{ items: ResolvedItem[] }>().items).toEqual([expect.objectContaining(expected)]);
  });

  test('returns nothing for an empty text', async () => {
    expect((await staff.call('POST', '/api/resolve/', { text: '' })).json()).toMatchObject({ items: [], total: 0 });
  });
});
