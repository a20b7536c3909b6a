import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { aQueueItem, engines, testArchive, type TestArchive } from '../testing.ts';
import * as store from './store.ts';

describe.each(engines)('the queue on $engine', (on) => {
  let t: TestArchive;
  beforeEach(async () => {
    t = await testArchive({ on });
  });
  afterEach(() => t.close());

  const claim = (runId: string, now: number, autoOnly = false) =>
    store.claimNext(t.archive.db, { runId, now, autoOnly, exceptSites: [] });

  test('each item is taken once, however many take at the same time', async () => {
    for (let n = 0; n < 12; n++) await aQueueItem(t.archive.db);
    const taken = await Promise.all(Array.from({ length: 20 }, (_, n) => claim(`run ${n}`, 1000)));
    const ids = taken.flatMap((item) => item?.id ?? []);
    // Two that look at the same instant may both come away empty-handed, but never with the same item.
    expect(new Set(ids).size).toBe(ids.length);
    const rest = [];
    for (let item = await claim('last', 1000); item; item = await claim('last', 1000)) rest.push(item.id);
    expect(new Set([...ids, ...rest]).size).toBe(12);
  });

  test('a lost lease is taken over, a held one is not', async () => {
    const id = await aQueueItem(t.archive.db);
    expect((await claim('first', 1000))?.id).toBe(id);
    expect(await claim('second', 1000 + store.leaseSeconds)).toBeUndefined();
    const again = await claim('second', 1000 + store.leaseSeconds + 1);
    expect(again).toMatchObject({ id, leasedBy: 'second', attempts: 2 });
  });

  test('what was asked for first starts first, and what was pushed forward before all', async () => {
    const first = await aQueueItem(t.archive.db, { queuedAt: 1 });
    const second = await aQueueItem(t.archive.db, { queuedAt: 2 });
    const pushed = await aQueueItem(t.archive.db, { queuedAt: 3, autoStart: 1 });
    const order = [];
    for (let item = await claim('run', 1000); item; item = await claim('run', 1000)) order.push(item.id);
    expect(order).toEqual([pushed, first, second]);
  });

  test('failed and ignored items are left alone until somebody says otherwise', async () => {
    const failed = await aQueueItem(t.archive.db);
    await aQueueItem(t.archive.db, { status: 'ignore' });
    const { number } = (await claim('run', 1000))!;
    await store.noteFailure(t.archive.db, number, { kind: 'private', message: 'It is private.' });
    expect(await claim('run', 9_999_999)).toBeUndefined();
    await store.changeItem(t.archive.db, failed, 'priority');
    expect((await claim('run', 1000))?.id).toBe(failed);
  });

  test('an item is queued once, and an ignored one stays ignored', async () => {
    const id = await aQueueItem(t.archive.db, { status: 'ignore' });
    await aQueueItem(t.archive.db, { id });
    expect(await store.queuedIds(t.archive.db, [id])).toEqual(new Map([[id, 'ignore']]));
    expect(await store.countItems(t.archive.db, {})).toBe(1);
  });

  test('a search finds words of the title in any case, and percent signs mean themselves', async () => {
    const id = await aQueueItem(t.archive.db, { title: 'ÉTÉ sur la Côte – 100% soleil' });
    await aQueueItem(t.archive.db, { title: 'Winter' });
    const found = async (q: string) => (await store.listItems(t.archive.db, { q }, { size: 10, from: 0 })).map((item) => item.id);
    expect(await found('été')).toEqual([id]);
    expect(await found('soleil CÔTE')).toEqual([id]);
    expect(await found('%')).toHaveLength(2); // nothing to look for: everything
    expect(await found('win')).toHaveLength(1);
  });

  test('a site that turned us away is passed over', async () => {
    await aQueueItem(t.archive.db, { site: 'youtube' });
    const other = await aQueueItem(t.archive.db, { site: 'vimeo' });
    const item = await store.claimNext(t.archive.db, { runId: 'r', now: 1, autoOnly: false, exceptSites: ['youtube'] });
    expect(item?.id).toBe(other);
  });
});
