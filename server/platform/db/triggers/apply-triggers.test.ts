import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { listItems } from '../../../archive/queue/items.ts';
import { refreshPending } from '../../../archive/video-json/refresh-response-cache.ts';
import { findWrongCounts } from '../../../features/library/consistency/counts.ts';
import { createChannel, createQueueItem, createVideo, engines } from '../../../test-support/app.ts';
import { findWrongFacets } from '../../../test-support/facets.ts';
import { changeEntry, createSmallLibrary } from '../../../test-support/random-operations.ts';
import type { Db } from '../db.ts';
import { migrate } from '../migrations/migrate.ts';
import { triggerGroups } from './groups.ts';
import { triggerStatements, type TriggerGroup } from './triggers.ts';

/** A group that counts inserted channels by `step` in a setting. */
const countChannels = (step: number): TriggerGroup => ({
  name: 'count-channels',
  fill: () => [
    `delete from setting where name = 'channels'`,
    `insert into setting (name, value) select 'channels', cast(count(*) * ${step} as text) from channel`,
  ],
  triggers: (engine) =>
    triggerStatements(engine, [
      {
        name: 'count_channel_insert',
        event: 'after insert',
        table: 'channel',
        statements: [`update setting set value = cast(cast(value as integer) + ${step} as text) where name = 'channels'`],
      },
    ]),
});

const migrateWith = (db: Db, ...groups: TriggerGroup[]) => migrate(db, undefined, { groups: [...triggerGroups, ...groups] });
const readCount = async (db: Db) =>
  (await db.selectFrom('setting').select('value').where('name', '=', 'channels').executeTakeFirst())?.value;

/** Identities of all triggers, which change when a trigger is created again. */
async function identities(db: Db) {
  const { rows } = await (
    db.engine === 'sqlite'
      ? sql`select rowid as id, name from sqlite_master where type = 'trigger' order by name`
      : sql`select oid as id, tgname as name from pg_trigger where not tgisinternal order by name`
  ).execute(db);
  return rows;
}

describe.each(engines)('triggers on $engine', ({ engine, open }) => {
  test('replaces a trigger whose text changed and fills its table again', async () => {
    const { db, close } = await open();
    try {
      await migrateWith(db, countChannels(1));
      await createChannel(db, { id: 'a' });
      expect(await readCount(db)).toBe('1');
      await migrateWith(db, countChannels(10));
      expect(await readCount(db)).toBe('10');
      await createChannel(db, { id: 'b' });
      expect(await readCount(db)).toBe('20');
    } finally {
      await close();
    }
  });

  test('does not recreate unchanged triggers', async () => {
    const { db, close } = await open();
    try {
      await migrate(db);
      const before = await identities(db);
      expect(before.length).toBeGreaterThan(60);
      await migrate(db);
      expect(await identities(db)).toEqual(before);
      // Only the changed group is created again.
      await migrateWith(db, countChannels(1));
      const added = await identities(db);
      await migrateWith(db, countChannels(2));
      const changed = (await identities(db)).filter((one, index) => JSON.stringify(one) !== JSON.stringify(added[index]));
      if (engine === 'postgres') expect(changed).toMatchObject([{ name: 'count_channel_insert' }]);
    } finally {
      await close();
    }
  });

  test('drops the triggers of a group that no longer exists', async () => {
    const { db, close } = await open();
    try {
      await migrateWith(db, countChannels(1));
      await migrateWith(db);
      await createChannel(db, { id: 'a' });
      expect(await readCount(db)).toBe('0');
    } finally {
      await close();
    }
  });

  test('restores a trigger that a migration dropped', async () => {
    const { db, close } = await open();
    try {
      await migrateWith(db, countChannels(1));
      await sql.raw(`drop trigger count_channel_insert ${engine === 'sqlite' ? '' : 'on channel'}`).execute(db);
      await createChannel(db, { id: 'a' });
      expect(await readCount(db)).toBe('0');
      await migrateWith(db, countChannels(1));
      expect(await readCount(db)).toBe('1');
    } finally {
      await close();
    }
  });

  test('fills all derived tables of a library that was written without triggers', async () => {
    const { db, close } = await open();
    try {
      await migrate(db, undefined, { groups: [] });
      const [anna] = await createSmallLibrary(db);
      await db
        .insertInto('watch')
        .values({ accountId: anna!, videoId: 'v3', watchedAt: 5, positionSeconds: null, updatedAt: 5 })
        .execute();
      for (const [position, video] of [3, 9, 1, 3].entries())
        await changeEntry(db, { change: 'add', playlist: 0, position, video });
      await db.updateTable('video').set({ tags: '["Old","b"]', damage: 'missing', isActive: 0 }).where('id', '<', 'v2').execute();
      await db.insertInto('stream').values({ videoId: 'v1', position: 0, type: 'video', codec: 'vp9', bitrate: 1 }).execute();
      await db.insertInto('storyboard').values({ videoId: 'v1', sourceSha256: 'another file', sheets: 1 }).execute();
      await createQueueItem(db, { id: 'q', title: 'Zugvögel' });
      await migrate(db);

      expect(await Array.fromAsync(findWrongCounts(db))).toEqual([]);
      expect(await findWrongFacets(db)).toEqual([]);
      expect(await db.selectFrom('watchCount').selectAll().execute()).toEqual([
        { accountId: anna, channelId: 'c1', kind: 'videos', videos: 1, durationSeconds: 13 },
      ]);
      expect(await db.selectFrom('incompatibleVideo').selectAll().execute()).toEqual([{ videoId: 'v1', fix: 'redownload' }]);
      const visible = await db.selectFrom('playlistVideo').select(['position', 'videoId']).orderBy('position').execute();
      expect(visible).toEqual([
        { position: 0, videoId: 'v3' },
        { position: 2, videoId: 'v1' },
      ]);
      expect(await db.selectFrom('storyboardPending').select('videoId').execute()).toHaveLength(6);
      const found = async (q: string) => (await listItems(db, { q }, { size: 9, from: 0 })).map(({ id }) => id);
      expect([await found('gvö'), await found('gve')]).toEqual([['q'], []]);
      await refreshPending(db);
      expect(await db.selectFrom('serializedVideo').select('videoId').execute()).toHaveLength(6);
      expect(await db.selectFrom('serializedChannel').select('channelId').execute()).toHaveLength(2);
      expect(await db.selectFrom('serializedPlaylist').select('playlistId').execute()).toHaveLength(1);
    } finally {
      await close();
    }
  });

  test('queues videos without a storyboard or with one of another file', async () => {
    const { db, close } = await open();
    try {
      await migrate(db);
      const queued = async () =>
        (await db.selectFrom('storyboardPending').select('videoId').orderBy('videoId').execute()).map((row) => row.videoId);
      await createChannel(db, { id: 'c' });
      for (const id of ['none', 'made', 'other']) await createVideo(db, { id, channelId: 'c', sha256: id });
      await db.insertInto('storyboard').values({ videoId: 'made', sourceSha256: 'made', sheets: 1 }).execute();
      await db.insertInto('storyboard').values({ videoId: 'other', sourceSha256: 'older', sheets: 1 }).execute();
      expect(await queued()).toEqual(['none', 'other']);
      await db.updateTable('storyboard').set({ sourceSha256: 'other' }).where('videoId', '=', 'other').execute();
      await db.updateTable('video').set({ viewCount: 9 }).where('id', '=', 'made').execute();
      expect(await queued()).toEqual(['none']);
      await db.deleteFrom('storyboard').where('videoId', '=', 'made').execute();
      expect(await queued()).toEqual(['made', 'none']);
      await db.deleteFrom('video').execute();
      expect(await queued()).toEqual([]);
    } finally {
      await close();
    }
  });
});
