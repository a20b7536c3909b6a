import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { aChannel, aVideo, engines, testArchive, type TestArchive } from '../testing.ts';
import { inTransaction, type Db, type Tx } from './db.ts';
import { writtenOnce } from './written-once.ts';

describe.each(engines)('statements that are written once on $engine', (on) => {
  let t: TestArchive;
  beforeEach(async () => {
    t = await testArchive({ on });
    const channelId = await aChannel(t.archive.db);
    for (const id of ['v1', 'v2', 'v3']) await aVideo(t.archive.db, { id, channelId, title: `about ${id}` });
  });
  afterEach(() => t.close());

  test('one text for each number of values, which come in wherever they belong', async () => {
    const { db } = t.archive;
    // The values in another order than they are given, one of them twice, and one that is always the same.
    const write = vi.fn((any: Db | Tx, [title, ...ids]: never[]) =>
      any
        .selectFrom('video')
        .select(['id'])
        .where((w) => w.or([w('id', 'in', ids), w('title', '=', title!), w('title', 'like', title!)]))
        .where('isActive', '=', 1)
        .orderBy('id'),
    );
    const find = writtenOnce(write);
    const ids = async (within: Db | Tx, ...values: string[]) => (await find(within, values)).map(({ id }) => id);
    expect(await ids(db, 'about v1', 'v3')).toEqual(['v1', 'v3']);
    expect(await ids(db, '%v2', 'v1')).toEqual(['v1', 'v2']);
    expect(await ids(db, 'nothing', "' or 1=1 --")).toEqual([]);
    expect(write).toHaveBeenCalledTimes(1);
    expect(await ids(db, 'nothing', 'v3', 'v1')).toEqual(['v1', 'v3']);
    expect(write).toHaveBeenCalledTimes(2);
    const many = Array.from({ length: 100 }, (_, n) => `v${n}`);
    expect(await ids(db, 'nothing', ...many)).toEqual(['v1', 'v2', 'v3']);

    await inTransaction(db, async (tx) => {
      await tx.updateTable('video').set({ isActive: 0 }).where('id', '=', 'v1').execute();
      expect(await ids(tx, 'about v1', 'v3')).toEqual(['v3']);
    });
  });
});
