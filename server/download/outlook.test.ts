import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { aQueueItem, aUser, aVideo, engines, testArchive, type TestArchive } from '../testing.ts';
import { listItems } from './queue-store.ts';

describe.each(engines)('how far the queue is, on $engine', (on) => {
  let t: TestArchive;
  let staff: Awaited<ReturnType<typeof aUser>>;
  beforeEach(async () => {
    t = await testArchive({ on });
    Object.assign(t.archive, { now: () => 10_000 });
    staff = await aUser(t, { isStaff: true });
  });
  afterEach(() => t.close());
  const ask = async () => (await staff.call('GET', '/api/download/outlook/')).json();

  test('of nothing there is nothing to tell', async () => {
    expect(await ask()).toEqual({ waiting: 0, failed: 0, running: false, done: 0, bytes_left: null, done_about: null });
  });

  test('what is left is guessed from what is kept, and the end from the pace of this run', async () => {
    const { db } = t.archive;
    for (let n = 0; n < 4; n++) await aVideo(db, { durationSeconds: 100, sizeBytes: 1000, downloadedAt: n < 2 ? 9_500 : 8_000 });
    await aQueueItem(db, { durationSeconds: 50 });
    await aQueueItem(db, { durationSeconds: 150 });
    await aQueueItem(db);
    await aQueueItem(db, { failure: 'private', message: 'It is private.' });
    await aQueueItem(db, { status: 'ignore' });
    expect(await ask()).toMatchObject({ waiting: 3, failed: 1, running: false, bytes_left: 3000, done_about: null });
    await db
      .insertInto('task')
      .values({ id: 'run', name: 'download_pending', input: '{}', status: 'running', queuedAt: 9_000, startedAt: 9_000 })
      .execute();
    // Two in a thousand seconds: three more take fifteen hundred.
    expect(await ask()).toMatchObject({ running: true, done: 2, done_about: 11_500 });
  });

  test('everything that has a word in its title is changed or forgotten, and nothing else', async () => {
    const { db } = t.archive;
    for (const title of ['Night train', 'Day train', 'Boat']) await aQueueItem(db, { title, id: title.replace(' ', '_') });
    const titles = async (status: 'pending' | 'ignore') =>
      (await listItems(db, { filter: status }, { size: 9, from: 0 })).map(({ title }) => title);
    await staff.call('PATCH', '/api/download/?filter=pending&q=train', { status: 'ignore' });
    expect([await titles('pending'), await titles('ignore')]).toEqual([['Boat'], ['Night train', 'Day train']]);
    await staff.call('DELETE', '/api/download/?filter=ignore&q=night');
    expect(await titles('ignore')).toEqual(['Day train']);
  });

  test('what was moved to the front can go back in line', async () => {
    const { db } = t.archive;
    const [first, second] = [await aQueueItem(db), await aQueueItem(db)];
    const order = async () => (await listItems(db, {}, { size: 9, from: 0 })).map(({ id }) => id);
    await staff.call('POST', `/api/download/${second}/`, { status: 'priority' });
    expect(await order()).toEqual([second, first]);
    await staff.call('POST', `/api/download/${second}/`, { status: 'later' });
    expect(await order()).toEqual([first, second]);
  });
});
