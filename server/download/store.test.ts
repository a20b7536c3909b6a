import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { foldText } from '../fold-text.ts';
import { aQueueItem, aUser, engines, testArchive, type TestArchive } from '../testing.ts';
import { liftPause, pausedSites, pauseSite } from './site-pause.ts';
import * as queue from './queue-store.ts';
import * as store from './store.ts';

describe.each(engines)('the queue on $engine', (on) => {
  let t: TestArchive;
  beforeEach(async () => {
    t = await testArchive({ on });
  });
  afterEach(() => t.close());

  const claim = (runId: string, now: number, autoOnly = false) => store.claimNext(t.archive.db, { runId, now, autoOnly });

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
    await queue.changeItem(t.archive.db, failed, 'priority');
    expect((await claim('run', 1000))?.id).toBe(failed);
  });

  test('an item is queued once, and an ignored one stays ignored', async () => {
    const id = await aQueueItem(t.archive.db, { status: 'ignore' });
    await aQueueItem(t.archive.db, { id });
    expect(await store.queuedIds(t.archive.db, [id])).toEqual(new Map([[id, 'ignore']]));
    expect(await queue.countItems(t.archive.db, {})).toBe(1);
  });

  test('a search finds words of the title in any case, and percent signs mean themselves', async () => {
    const id = await aQueueItem(t.archive.db, { title: 'ÉTÉ sur la Côte – 100% soleil' });
    await aQueueItem(t.archive.db, { title: 'Winter' });
    const found = async (q: string) => (await queue.listItems(t.archive.db, { q }, { size: 10, from: 0 })).map((item) => item.id);
    expect(await found('été')).toEqual([id]);
    expect(await found('soleil CÔTE')).toEqual([id]);
    expect(await found('%')).toHaveLength(2); // nothing to look for: everything
    expect(await found('win')).toHaveLength(1);
  });

  test('a search finds what stands anywhere in titles, of any script, however they came to be and went', async () => {
    const { db } = t.archive;
    const titles = ['Kühe am "See"', 'kuh', 'Küche', '渡り鳥の群れ', 'の群れ', 'Ångström 🐄🐄🐄 one', "l'été", 'AAAAA', '(a) b'];
    const ids = new Map<string, string>();
    for (const title of titles) ids.set(await aQueueItem(db, { title }), title);
    const found = async (q: string) =>
      (await queue.listItems(db, { q }, { size: 50, from: 0 })).map(({ id }) => ids.get(id)!).toSorted();
    const sought = ['uhe', 'uh', 'k', 'kuh', 'uche', 'uch', 'り鳥の', 'の群れ', '群', '🐄🐄🐄', 'gstr one', '"see"', "l'ete", 'aaaa', 'É', 'or', 'near', '(a) b', ' ']; // prettier-ignore
    for (const q of sought) {
      const words = foldText(q).split(' ').filter(Boolean);
      const having = titles.filter((title) => words.every((word) => foldText(title).includes(word)));
      expect(await found(q), q).toEqual(having.toSorted());
    }

    const [first = ''] = ids.keys();
    await db.updateTable('download').set({ title: 'Schafe', foldedTitle: 'schafe' }).where('id', '=', first).execute();
    ids.set(first, 'Schafe');
    expect([await found('chaf'), await found('kuhe')]).toEqual([['Schafe'], []]);
    await queue.forgetItems(db, { q: 'chaf' });
    expect(await found('chaf')).toEqual([]);
    expect(await queue.countItems(db, {})).toBe(titles.length - 1);
    ids.set(await aQueueItem(db, { title: 'Schafe und Ziegen' }), 'Schafe und Ziegen');
    expect(await found('chafe')).toEqual(['Schafe und Ziegen']);
  });

  test('how many match is told with a page of what is found by words, and is what is counted', async () => {
    const { db } = t.archive;
    for (const title of ['Kuhstall', 'Kuhhandel', 'Kühe', 'Schafe', 'Kuckuck']) await aQueueItem(db, { title });
    const told = async (q: string, from = 0) => (await queue.listItems(db, { q }, { size: 2, from })).map(({ ofAll }) => ofAll);
    expect([await told('kuh'), await told('kuh', 2), await told('kuh', 4)]).toEqual([[3, 3], [3], []]);
    expect([await told('ku'), await told('%%%'), await told('ku__')]).toEqual(Array(3).fill([null, null]));
    const staff = await aUser(t, { isStaff: true });
    const totalOf = async (query: string) => (await staff.call('GET', `/api/download/?${query}`)).json().paginate.total_hits;
    await db.updateTable('account').set({ config: '{"page_size":2}' }).execute();
    expect([await totalOf('q=kuh'), await totalOf('q=kuh&page=2'), await totalOf('q=kuh&page=3')]).toEqual([3, 3, 3]);
    expect([await totalOf('q=ku'), await totalOf('q=schaf'), await totalOf('q=ziege')]).toEqual([4, 1, 0]);
  });

  test('a site that turned us away is left alone until then, longer each time, and others are not', async () => {
    const { db } = t.archive;
    const first = await aQueueItem(db, { site: 'youtube', queuedAt: 1 });
    const other = await aQueueItem(db, { site: 'vimeo', queuedAt: 2 });
    const failure = { kind: 'blocked', message: 'No robots.' } as const;
    await pauseSite(db, 'youtube', failure, 1000);
    await pauseSite(db, 'youtube', failure, 1001); // what was under way beside it is the same refusal
    expect(await pausedSites(db, 1001)).toMatchObject([{ site: 'youtube', times: 1, untilAt: 1000 + 3600 }]);
    expect((await claim('run', 1002))?.id).toBe(other);
    expect(await claim('run', 1002)).toBeUndefined();
    expect((await claim('run', 1001 + 3600))?.id).toBe(first);
    await pauseSite(db, 'youtube', failure, 6000);
    expect(await pausedSites(db, 6001)).toMatchObject([{ times: 2, untilAt: 6000 + 7200 }]);
    await liftPause(db, 'youtube', 6001);
    expect(await pausedSites(db, 6001)).toEqual([]);
  });

  test('never more of one site at once than it may be', async () => {
    const { db } = t.archive;
    for (let n = 0; n < 3; n++) await aQueueItem(db, { site: 'youtube', queuedAt: n });
    const elsewhere = await aQueueItem(db, { site: 'vimeo', queuedAt: 9 });
    const next = () => store.claimNext(db, { runId: 'r', now: 1000, autoOnly: false, perSite: 2 });
    const [first, , third] = [await next(), await next(), await next()];
    expect(third?.id).toBe(elsewhere);
    expect(await next()).toBeUndefined();
    await store.releaseLease(db, first!.number);
    expect((await next())?.id).toBe(first!.id);
  });

  test('what failed is taken again by itself when its time has come, and not before', async () => {
    const { db } = t.archive;
    const id = await aQueueItem(db);
    const { number } = (await claim('run', 1000))!;
    await store.noteFailure(db, number, { kind: 'network', message: 'Cut.', retryAt: 2000 });
    expect(await store.isAnyDue(db, 1999)).toBe(false);
    expect(await claim('run', 1999)).toBeUndefined();
    expect(await store.isAnyDue(db, 2000)).toBe(true);
    expect(await claim('run', 2000, true)).toMatchObject({ id, failures: 1 });
  });

  test('after a stop nothing begins by itself for an hour', async () => {
    const { db } = t.archive;
    await aQueueItem(db, { autoStart: 1 });
    await aQueueItem(db);
    const { number } = (await claim('run', 1000))!;
    await store.noteFailure(db, number, { kind: 'network', message: 'Cut.', retryAt: 1000 });
    await store.standDown(db, 1000);
    expect(await store.isAnyDue(db, 1000)).toBe(false);
    expect(await store.isAnyDue(db, 4600)).toBe(true);
  });

  test('what waits for its site is still asked for when the run is over', async () => {
    const { db } = t.archive;
    await aQueueItem(db, { site: 'youtube' });
    await aQueueItem(db, { site: 'vimeo', autoStart: 1 });
    await pauseSite(db, 'youtube', { kind: 'blocked', message: 'No robots.' }, 1000);
    await store.keepForLater(db, 1001);
    await store.clearAutoStart(db, 1001);
    const flags = await db.selectFrom('download').select(['site', 'autoStart']).orderBy('site').execute();
    expect(flags).toEqual([
      { site: 'vimeo', autoStart: 0 },
      { site: 'youtube', autoStart: 1 },
    ]);
  });
});
