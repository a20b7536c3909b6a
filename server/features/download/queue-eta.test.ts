import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createQueueItem, createUser, createVideo, engines, testApp, type TestApp } from '../../test-support/app.ts';
import { listItems } from '../../archive/queue/items.ts';

describe.each(engines)('queue estimates, on $engine', (on) => {
  let t: TestApp;
  let staff: Awaited<ReturnType<typeof createUser>>;
  beforeEach(async () => {
    t = await testApp({ on });
    Object.assign(t.app, { now: () => 10_000 });
    staff = await createUser(t, { isStaff: true });
  });
  afterEach(() => t.close());
  const readEstimate = async () => (await staff.call('GET', '/api/download/outlook/')).json();

  test('are empty for an empty queue', async () => {
    expect(await readEstimate()).toEqual({
      waiting: 0,
      listed_only: 0,
      failed: 0,
      running: false,
      done: 0,
      bytes_left: null,
      done_about: null,
    });
  });

  test('estimate size from archived videos, and time from the current speed', async () => {
    const { db } = t.app;
    for (let n = 0; n < 4; n++)
      await createVideo(db, { durationSeconds: 100, sizeBytes: 1000, downloadedAt: n < 2 ? 9_500 : 8_000 });
    await createQueueItem(db, { durationSeconds: 50 });
    await createQueueItem(db, { durationSeconds: 150 });
    await createQueueItem(db);
    await createQueueItem(db, { failure: 'private', message: 'It is private.' });
    await createQueueItem(db, { status: 'ignore' });
    expect(await readEstimate()).toMatchObject({ waiting: 3, failed: 1, running: false, bytes_left: 3000, done_about: null });
    await db
      .insertInto('task')
      .values({ id: 'run', name: 'download_pending', input: '{}', status: 'running', queuedAt: 9_000, startedAt: 9_000 })
      .execute();
    // Two downloads took 1000 s, so three take 1500 s.
    expect(await readEstimate()).toMatchObject({ running: true, done: 2, done_about: 11_500 });
  });

  test('bulk actions change or delete exactly the items with a word in the title', async () => {
    const { db } = t.app;
    for (const title of ['Night train', 'Day train', 'Boat']) await createQueueItem(db, { title, id: title.replace(' ', '_') });
    const titles = async (status: 'pending' | 'ignore') =>
      (await listItems(db, { filter: status }, { size: 9, from: 0 })).map(({ title }) => title);
    await staff.call('PATCH', '/api/download/?filter=pending&q=train', { status: 'ignore' });
    expect([await titles('pending'), await titles('ignore')]).toEqual([['Boat'], ['Night train', 'Day train']]);
    await staff.call('DELETE', '/api/download/?filter=ignore&q=night');
    expect(await titles('ignore')).toEqual(['Day train']);
  });

  test('an item moved to the front can return to its place', async () => {
    const { db } = t.app;
    const [first, second] = [await createQueueItem(db), await createQueueItem(db)];
    const order = async () => (await listItems(db, {}, { size: 9, from: 0 })).map(({ id }) => id);
    await staff.call('POST', `/api/download/${second}/`, { status: 'priority' });
    expect(await order()).toEqual([second, first]);
    await staff.call('POST', `/api/download/${second}/`, { status: 'later' });
    expect(await order()).toEqual([first, second]);
  });
});
