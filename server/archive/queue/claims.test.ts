import { plainText } from '#contract/messages.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { normalizeText } from '../../platform/lib/normalize-text.ts';
import { createQueueItem, createUser, engines, testApp, type TestApp } from '../../test-support/app.ts';
import { endCooldown, listCooldowns, startCooldown } from '../sites/site-cooldowns.ts';
import { singleNode } from '../../platform/context/nodes.ts';
import * as queue from './items.ts';
import * as store from './claims.ts';

describe.each(engines)('download queue on $engine', (on) => {
  let t: TestApp;
  beforeEach(async () => {
    t = await testApp({ on });
  });
  afterEach(() => t.close());

  const claim = (runId: string, now: number, autoOnly = false) => store.claimNext(t.app.db, { runId, now, autoOnly });

  /** A site refuses an address. */
  const cool = (site: string, now: number, egress = '') =>
    startCooldown({ db: t.app.db, nodes: { ...singleNode, egress }, now: () => now }, site, {
      kind: 'blocked',
      message: plainText('No robots.'),
    });

  test('concurrent claims never return the same item twice', async () => {
    for (let n = 0; n < 12; n++) await createQueueItem(t.app.db);
    const claimed = await Promise.all(Array.from({ length: 20 }, (_, n) => claim(`run ${n}`, 1000)));
    const ids = claimed.flatMap((item) => item?.id ?? []);
    // Concurrent claims may return nothing, but never the same item.
    expect(new Set(ids).size).toBe(ids.length);
    const remaining = [];
    for (let item = await claim('last', 1000); item; item = await claim('last', 1000)) remaining.push(item.id);
    expect(new Set([...ids, ...remaining]).size).toBe(12);
  });

  test('an expired lease can be claimed by another run, a valid one cannot', async () => {
    const id = await createQueueItem(t.app.db);
    expect((await claim('first', 1000))?.id).toBe(id);
    expect(await claim('second', 1000 + store.leaseSeconds)).toBeUndefined();
    const reclaimed = await claim('second', 1000 + store.leaseSeconds + 1);
    expect(reclaimed).toMatchObject({ id, leasedBy: 'second', attempts: 2 });
  });

  test('rejects changes with a lost lease', async () => {
    const { db } = t.app;
    await createQueueItem(db);
    const first = (await claim('first', 1000))!;
    const second = (await claim('second', 2000))!;
    expect(second).toMatchObject({ number: first.number, leasedBy: 'second', epoch: first.epoch + 1 });
    const item = () => queue.listItems(db, {}, { size: 1, from: 0 });
    const before = await item();
    expect(await store.renewLease(db, first, 2001)).toBe(false);
    expect(await store.recordFailure(db, first, { kind: 'network', message: plainText('Cut.') })).toBe(false);
    await store.releaseLease(db, first);
    await store.removeItem(db, first);
    expect(await item()).toEqual(before);
    expect(await store.renewLease(db, second, 2001)).toBe(true);
  });

  test('claims items with priority first, then the oldest', async () => {
    const first = await createQueueItem(t.app.db, { queuedAt: 1 });
    const second = await createQueueItem(t.app.db, { queuedAt: 2 });
    const prioritized = await createQueueItem(t.app.db, { queuedAt: 3, autoStart: 1 });
    const order = [];
    for (let item = await claim('run', 1000); item; item = await claim('run', 1000)) order.push(item.id);
    expect(order).toEqual([prioritized, first, second]);
  });

  test('does not claim failed and ignored items until a user changes them', async () => {
    const failed = await createQueueItem(t.app.db);
    await createQueueItem(t.app.db, { status: 'ignore' });
    await store.recordFailure(t.app.db, (await claim('run', 1000))!, {
      kind: 'private',
      message: plainText('It is private.'),
    });
    expect(await claim('run', 9_999_999)).toBeUndefined();
    await queue.changeItem(t.app.db, failed, 'priority');
    expect((await claim('run', 1000))?.id).toBe(failed);
  });

  test('queues an item once and keeps ignored items ignored', async () => {
    const id = await createQueueItem(t.app.db, { status: 'ignore' });
    await createQueueItem(t.app.db, { id });
    expect(await store.queuedIds(t.app.db, [id])).toEqual(new Map([[id, 'ignore']]));
    expect(await queue.countItems(t.app.db, {})).toBe(1);
  });

  test('searches words of titles case-insensitively and treats percent signs literally', async () => {
    const id = await createQueueItem(t.app.db, { title: 'ÉTÉ sur la Côte – 100% soleil' });
    await createQueueItem(t.app.db, { title: 'Winter' });
    const found = async (q: string) => (await queue.listItems(t.app.db, { q }, { size: 10, from: 0 })).map((item) => item.id);
    expect(await found('été')).toEqual([id]);
    expect(await found('soleil CÔTE')).toEqual([id]);
    expect(await found('%')).toHaveLength(2); // without search words, everything matches
    expect(await found('win')).toHaveLength(1);
  });

  test('searches substrings of titles in any script after inserts, updates and deletes', async () => {
    const { db } = t.app;
    const titles = ['Kühe am "See"', 'kuh', 'Küche', '渡り鳥の群れ', 'の群れ', 'Ångström 🐄🐄🐄 one', "l'été", 'AAAAA', '(a) b'];
    const ids = new Map<string, string>();
    for (const title of titles) ids.set(await createQueueItem(db, { title }), title);
    const found = async (q: string) =>
      (await queue.listItems(db, { q }, { size: 50, from: 0 })).map(({ id }) => ids.get(id)!).toSorted();
    const queries = ['uhe', 'uh', 'k', 'kuh', 'uche', 'uch', 'り鳥の', 'の群れ', '群', '🐄🐄🐄', 'gstr one', '"see"', "l'ete", 'aaaa', 'É', 'or', 'near', '(a) b', ' ']; // prettier-ignore
    for (const q of queries) {
      const words = normalizeText(q).split(' ').filter(Boolean);
      const expected = titles.filter((title) => words.every((word) => normalizeText(title).includes(word)));
      expect(await found(q), q).toEqual(expected.toSorted());
    }

    const [first = ''] = ids.keys();
    await db.updateTable('download').set({ title: 'Schafe', normalizedTitle: 'schafe' }).where('id', '=', first).execute();
    ids.set(first, 'Schafe');
    expect([await found('chaf'), await found('kuhe')]).toEqual([['Schafe'], []]);
    await queue.deleteItems(db, { q: 'chaf' });
    expect(await found('chaf')).toEqual([]);
    expect(await queue.countItems(db, {})).toBe(titles.length - 1);
    ids.set(await createQueueItem(db, { title: 'Schafe und Ziegen' }), 'Schafe und Ziegen');
    expect(await found('chafe')).toEqual(['Schafe und Ziegen']);
  });

  test('reads deep pages from the nearer end, in the same order', async () => {
    const { db } = t.app;
    for (let n = 0; n < 7; n++)
      await createQueueItem(db, { queuedAt: n % 3, autoStart: n % 2 === 0 ? 1 : 0, failure: n === 3 ? 'private' : null });
    for (const filter of [{}, { error: false }, { filter: 'ignore' as const }]) {
      const all = (await queue.listItems(db, filter, { size: 99, from: 0 })).map(({ id }) => id);
      const pages: string[] = [];
      for (let from = 0; from < 9; from += 2)
        pages.push(...(await queue.listItems(db, filter, { size: 2, from }, 1)).map(({ id }) => id));
      expect(pages).toEqual(all);
    }
  });

  test('returns the total of a search with its page, equal to the count', async () => {
    const { db } = t.app;
    for (const title of ['Kuhstall', 'Kuhhandel', 'Kühe', 'Schafe', 'Kuckuck']) await createQueueItem(db, { title });
    const totalsOf = async (q: string, from = 0) =>
      (await queue.listItems(db, { q }, { size: 2, from })).map(({ totalHits }) => totalHits);
    expect([await totalsOf('kuh'), await totalsOf('kuh', 2), await totalsOf('kuh', 4)]).toEqual([[3, 3], [3], []]);
    expect([await totalsOf('ku'), await totalsOf('%%%'), await totalsOf('ku__')]).toEqual(Array(3).fill([null, null]));
    const staff = await createUser(t, { isStaff: true });
    const totalOf = async (query: string) => (await staff.call('GET', `/api/download/?${query}`)).json().paginate.total_hits;
    await db.updateTable('account').set({ config: '{"page_size":2}' }).execute();
    expect([await totalOf('q=kuh'), await totalOf('q=kuh&page=2'), await totalOf('q=kuh&page=3')]).toEqual([3, 3, 3]);
    expect([await totalOf('q=ku'), await totalOf('q=schaf'), await totalOf('q=ziege')]).toEqual([4, 1, 0]);
  });

  test('a site in a cooldown is skipped, longer after each refusal, and others are not', async () => {
    const { db } = t.app;
    const first = await createQueueItem(db, { site: 'youtube', queuedAt: 1 });
    const other = await createQueueItem(db, { site: 'vimeo', queuedAt: 2 });
    await cool('youtube', 1000);
    await cool('youtube', 1001); // a failure of a concurrent download counts as the same block
    expect(await listCooldowns(db, 1001)).toMatchObject([{ site: 'youtube', refusals: 1, untilAt: 1000 + 3600 }]);
    expect((await claim('run', 1002))?.id).toBe(other);
    expect(await claim('run', 1002)).toBeUndefined();
    expect((await claim('run', 1001 + 3600))?.id).toBe(first);
    await cool('youtube', 6000);
    expect(await listCooldowns(db, 6001)).toMatchObject([{ refusals: 2, untilAt: 6000 + 7200 }]);
    await endCooldown(db, 'youtube', 6001);
    expect(await listCooldowns(db, 6001)).toEqual([]);
  });

  test('limits the concurrent downloads per site', async () => {
    const { db } = t.app;
    for (let n = 0; n < 3; n++) await createQueueItem(db, { site: 'youtube', queuedAt: n });
    const otherSite = await createQueueItem(db, { site: 'vimeo', queuedAt: 9 });
    const next = () => store.claimNext(db, { runId: 'r', now: 1000, autoOnly: false, perSite: 2 });
    const [first, , third] = [await next(), await next(), await next()];
    expect(third?.id).toBe(otherSite);
    expect(await next()).toBeUndefined();
    await store.releaseLease(db, first!);
    expect((await next())?.id).toBe(first!.id);
  });

  test('a recording does not count for the limit of its site, and a later download of the item does', async () => {
    const { db } = t.app;
    const stream = await createQueueItem(db, { site: 'youtube', queuedAt: 0 });
    const video = await createQueueItem(db, { site: 'youtube', queuedAt: 1 });
    const claimer = { runId: 'r', now: 1000 };
    const recording = await store.claimRecording(db, stream, claimer);
    expect(recording).toMatchObject({ id: stream, isRecording: 1 });
    expect(await store.claimRecording(db, stream, claimer)).toBeUndefined();
    const next = () => store.claimNext(db, { ...claimer, autoOnly: false, perSite: 1 });
    expect(await next()).toMatchObject({ id: video, isRecording: 0 });
    await store.releaseLease(db, recording!);
    expect(await next()).toBeUndefined();
    await db.deleteFrom('download').where('id', '=', video).execute();
    expect(await next()).toMatchObject({ id: stream, isRecording: 0 });
  });

  test('limits and cooldowns count for each network address', async () => {
    const { db } = t.app;
    for (let n = 0; n < 4; n++) await createQueueItem(db, { site: 'youtube', queuedAt: n });
    const next = (egress: string) => store.claimNext(db, { runId: egress, now: 1000, autoOnly: false, perSite: 1, egress });
    expect(await next('home')).toMatchObject({ egress: 'home', lastVisitAt: null });
    expect(await next('home')).toBeUndefined();
    const second = await next('office');
    expect(second).toMatchObject({ egress: 'office', lastVisitAt: null });
    await store.releaseLease(db, second!);
    expect(await next('office')).toMatchObject({ number: second!.number, lastVisitAt: 1000 });
    await cool('youtube', 1000, 'office');
    expect(await next('attic')).toBeUndefined(); // no workers are known, so that one refusal is that of most
    for (const [name, egress] of [
      ['a', 'home'],
      ['b', 'office'],
      ['c', 'attic'],
    ] as const)
      await db
        .insertInto('node')
        .values({
          name,
          role: 'worker',
          runId: name,
          egress,
          version: '1',
          isLeader: 0,
          isDraining: 0,
          problems: '[]',
          startedAt: 990,
          seenAt: 990,
        })
        .execute();
    const canClaim = (egress: string) => store.isAnyClaimable(db, { autoOnly: false }, [{ now: 1001, egress }]);
    expect([await canClaim('office'), await canClaim('attic')]).toEqual([false, true]);
    await cool('youtube', 1001, 'home');
    expect(await canClaim('attic')).toBe(false); // most addresses are refused: the block is not evaded
    expect(await listCooldowns(db, 1001)).toMatchObject([{ egress: 'home' }, { egress: 'office' }]);
  });

  test('leaves an item that needs a login to the servers that use the cookies', async () => {
    const { db } = t.app;
    const id = await createQueueItem(db);
    const next = (usesLogin: boolean) => store.claimNext(db, { runId: 'run', now: 1000, autoOnly: false, usesLogin });
    await store.leaveToLogin(db, (await next(false))!);
    expect(await next(false)).toBeUndefined();
    expect(await next(true)).toMatchObject({ id, failure: null, attempts: 2 });
  });

  test('claims a failed item at its retry time and not before', async () => {
    const { db } = t.app;
    const id = await createQueueItem(db);
    await store.recordFailure(db, (await claim('run', 1000))!, { kind: 'network', message: plainText('Cut.'), retryAt: 2000 });
    expect(await store.isAnyClaimable(db, { autoOnly: true }, [{ now: 1999 }])).toBe(false);
    expect(await claim('run', 1999)).toBeUndefined();
    expect(await store.isAnyClaimable(db, { autoOnly: true }, [{ now: 2000 }])).toBe(true);
    expect(await claim('run', 2000, true)).toMatchObject({ id, failures: 1 });
  });

  test('starts nothing automatically for an hour after a stop', async () => {
    const { db } = t.app;
    await createQueueItem(db, { autoStart: 1 });
    await createQueueItem(db);
    await store.recordFailure(db, (await claim('run', 1000))!, { kind: 'network', message: plainText('Cut.'), retryAt: 1000 });
    await store.delayAutomaticStarts(db, 1000);
    expect(await store.isAnyClaimable(db, { autoOnly: true }, [{ now: 1000 }])).toBe(false);
    expect(await store.isAnyClaimable(db, { autoOnly: true }, [{ now: 4600 }])).toBe(true);
  });

  test('after a run keeps the priority of items in a cooldown and of new ones, not of failed ones', async () => {
    const { db } = t.app;
    await createQueueItem(db, { site: 'youtube' });
    await createQueueItem(db, { site: 'vimeo', autoStart: 1 });
    await store.recordFailure(db, (await claim('run', 1000, true))!, { kind: 'network', message: plainText('Cut.') });
    await createQueueItem(db, { site: 'peertube', autoStart: 1 });
    await cool('youtube', 1000);
    await store.prioritizeItemsInCooldown(db, 1001);
    await store.clearAutoStartOfFailed(db, 1001);
    const flags = await db.selectFrom('download').select(['site', 'autoStart']).orderBy('site').execute();
    expect(flags).toEqual([
      { site: 'peertube', autoStart: 1 },
      { site: 'vimeo', autoStart: 0 },
      { site: 'youtube', autoStart: 1 },
    ]);
  });
});
