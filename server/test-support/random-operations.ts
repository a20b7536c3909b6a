import fc from 'fast-check';
import type { Db } from '../platform/db/db.ts';
import { createChannel, createQueueItem, createVideo } from './app.ts';
import { changeTexts } from './facets.ts';

// Random operations on a small library, for tests of maintained counts.

const kinds = ['videos', 'streams', 'shorts'] as const;

/** Creates two accounts, two channels and six videos; returns the account ids. */
export async function createSmallLibrary(db: Db) {
  const accounts = [];
  // Uses only columns that exist in every version.
  for (const name of ['anna', 'ben']) {
    const row = { name, normalizedName: name, passwordHash: '', isStaff: 0, isSuperuser: 0, createdAt: 0 } as const;
    accounts.push((await db.insertInto('account').values(row).returning('id').executeTakeFirstOrThrow()).id);
  }
  for (const id of ['c0', 'c1']) await createChannel(db, { id });
  for (let n = 0; n < 6; n++)
    await createVideo(db, {
      id: `v${n}`,
      channelId: `c${n % 2}`,
      kind: kinds[n % 3]!,
      durationSeconds: 10 + n,
      sizeBytes: 100 + n,
    });
  return accounts;
}

/** One random operation on the library. */
export const randomOperation = fc.oneof(
  // Few videos, so that watched ones become unwatched again.
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant('watch' as const),
      account: fc.nat(1),
      video: fc.nat(2),
      // Few times, because bulk marks share one second.
      at: fc.option(fc.nat(3), { freq: 2 }),
    }),
  },
  fc.record({ type: fc.constant('position' as const), account: fc.nat(1), video: fc.nat(7) }),
  fc.record({ type: fc.constant('change' as const), video: fc.nat(7), kind: fc.constantFrom(...kinds), size: fc.nat(999) }),
  fc.record({ type: fc.constant('move' as const), video: fc.nat(7), channel: fc.nat(1), isActive: fc.constantFrom(0, 1) }),
  fc.record({ type: fc.constant('delete' as const), video: fc.nat(7) }),
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('stream' as const),
      change: fc.constantFrom('add', 'add', 'drop'),
      streamType: fc.constantFrom('video', 'audio'),
      video: fc.nat(7),
      position: fc.nat(2),
      codec: fc.constantFrom('h264', 'vp9', 'opus', 'aac'),
      height: fc.constantFrom(null, 360, 1080),
    }),
  },
  fc.record({ type: fc.constant('date' as const), video: fc.nat(7), at: fc.integer({ min: -9, max: 9 }) }),
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('metadata' as const),
      video: fc.nat(7),
      tags: fc.constantFrom('["Music","music"," b "]', '["x"]', '[]', 'no list', JSON.stringify(['', 'y'.repeat(300)])),
      damage: fc.constantFrom(null, 'missing', 'changed'),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('texts' as const),
      table: fc.constantFrom('subtitle' as const, 'transcriptLine' as const),
      change: fc.constantFrom('add', 'add', 'drop'),
      video: fc.nat(3),
      lang: fc.constantFrom('en', 'en-GB', 'fil-PH', 'a-b'),
    }),
  },
  fc.record({ type: fc.constant('file' as const), video: fc.nat(7), extension: fc.constantFrom('mp4', 'MKV', 'webm') }),
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('subscribe' as const),
      video: fc.constant(0),
      table: fc.constantFrom('channel' as const, 'playlist' as const),
      which: fc.nat(1),
      isSubscribed: fc.constantFrom(0 as const, 1 as const),
      isActive: fc.constantFrom(0 as const, 1 as const),
    }),
  },
  fc.record({
    type: fc.constant('queue' as const),
    video: fc.nat(7),
    change: fc.constantFrom('add', 'pending', 'ignore', 'forget'),
    kind: fc.constantFrom(...kinds),
  }),
  { weight: 2, arbitrary: fc.record({ type: fc.constant('add' as const), video: fc.nat(7), channel: fc.nat(1) }) },
  // Few positions and videos, so that operations collide. Some videos are not in the archive yet.
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('entry' as const),
      change: fc.constantFrom('add', 'add', 'add', 'move', 'move', 'drop', 'delete playlist'),
      playlist: fc.nat(1),
      position: fc.nat(2),
      video: fc.integer({ min: 4, max: 7 }),
    }),
  },
);

/** Changes one entry of one playlist. */
export async function changeEntry(db: Db, operation: { change: string; playlist: number; position: number; video: number }) {
  const [playlistId, videoId, { position }] = [`PL${operation.playlist}`, `v${operation.video}`, operation];
  const playlist = { kind: 'regular' as const, name: 'P', sortName: 'p', refreshedAt: 0 };
  const entry = db.deleteFrom('playlistEntry').where('playlistId', '=', playlistId).where('position', '=', position);
  await db
    .insertInto('playlist')
    .values({ id: playlistId, ...playlist })
    .onConflict((c) => c.doNothing())
    .execute();
  if (operation.change === 'delete playlist') await db.deleteFrom('playlist').where('id', '=', playlistId).execute();
  else if (operation.change === 'move')
    await db
      .updateTable('playlistEntry')
      .set({ position: position + 10, videoId })
      .where('playlistId', '=', playlistId)
      .where('position', '=', position)
      .where((w) =>
        w.not(
          w.exists(
            w
              .selectFrom('playlistEntry as other')
              .select('other.position')
              .where('other.playlistId', '=', playlistId)
              .where('other.position', '=', position + 10),
          ),
        ),
      )
      .execute();
  else {
    await entry.execute();
    if (operation.change === 'add')
      await db.insertInto('playlistEntry').values({ playlistId, position, videoId, title: '' }).execute();
  }
}

/** Runs an operation; impossible ones do nothing. */
export async function runOperation(
  db: Db,
  accounts: number[],
  operation: typeof randomOperation extends fc.Arbitrary<infer D> ? D : never,
) {
  const id = `v${operation.video}`;
  if (operation.type === 'entry') return changeEntry(db, operation);
  if (operation.type === 'subscribe') {
    const { table, which, isSubscribed, isActive } = operation;
    const subscribedId = `${table === 'channel' ? 'c' : 'PL'}${which}`;
    await db.updateTable(table).set({ isSubscribed, isActive }).where('id', '=', subscribedId).execute();
    return;
  }
  if (operation.type === 'queue') {
    if (operation.change === 'add') await createQueueItem(db, { id, kind: operation.kind, channelId: `c${operation.video % 3}` });
    else if (operation.change === 'forget') await db.deleteFrom('download').where('id', '=', id).execute();
    else
      await db
        .updateTable('download')
        .set({
          status: operation.change as 'pending',
          kind: operation.kind,
          channelName: operation.kind,
          failure: operation.kind === 'shorts' ? 'private' : null,
          isOnRequest: operation.kind === 'streams' ? 1 : 0,
        })
        .where('id', '=', id)
        .execute();
    return;
  }
  const exists = (await db.selectFrom('video').select('id').where('id', '=', id).execute()).length > 0;
  if (operation.type === 'add')
    return exists ? undefined : void (await createVideo(db, { id, channelId: `c${operation.channel}` }));
  if (!exists) return;
  if (operation.type === 'stream') {
    const { position, codec, height, streamType: type } = operation;
    await db.deleteFrom('stream').where('videoId', '=', id).where('position', '=', position).execute();
    if (operation.change === 'add')
      await db.insertInto('stream').values({ videoId: id, position, type, codec, bitrate: 1, width: 1920, height }).execute();
  } else if (operation.type === 'date')
    await db
      .updateTable('video')
      .set({ publishedAt: operation.at * 864_000 })
      .where('id', '=', id)
      .execute();
  else if (operation.type === 'file')
    await db
      .updateTable('video')
      .set({ mediaPath: `${id}.${operation.extension}`, downloadedAt: operation.video * 50_000 })
      .where('id', '=', id)
      .execute();
  else if (operation.type === 'metadata')
    await db.updateTable('video').set({ tags: operation.tags, damage: operation.damage }).where('id', '=', id).execute();
  else if (operation.type === 'texts') await changeTexts(db, id, operation);
  else if (operation.type === 'delete') await db.deleteFrom('video').where('id', '=', id).execute();
  else if (operation.type === 'change')
    await db
      .updateTable('video')
      .set({ kind: operation.kind, sizeBytes: operation.size, durationSeconds: operation.size, height: operation.size })
      .where('id', '=', id)
      .execute();
  else if (operation.type === 'move')
    await db
      .updateTable('video')
      .set({ channelId: `c${operation.channel}`, isActive: operation.isActive as 0 | 1 })
      .where('id', '=', id)
      .execute();
  else {
    const state = operation.type === 'watch' ? { watchedAt: operation.at } : { positionSeconds: 7 };
    await db
      .insertInto('watch')
      .values({
        accountId: accounts[operation.account]!,
        videoId: id,
        watchedAt: null,
        positionSeconds: null,
        updatedAt: 1,
        ...state,
      })
      .onConflict((c) => c.columns(['accountId', 'videoId']).doUpdateSet(state))
      .execute();
  }
}
