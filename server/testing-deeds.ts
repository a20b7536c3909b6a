import fc from 'fast-check';
import type { Db } from './db/db.ts';
import { aChannel, aQueueItem, aVideo } from './testing.ts';
import { changeWords } from './testing-facets.ts';

// What may happen to a small library, at random: for tests of what is kept counted.

const kinds = ['videos', 'streams', 'shorts'] as const;

/** Two people, two channels, six videos; answers the people. */
export async function aSmallLibrary(db: Db) {
  const accounts = [];
  // By the columns that every version had.
  for (const name of ['anna', 'ben']) {
    const row = { name, foldedName: name, passwordHash: '', isStaff: 0, isSuperuser: 0, createdAt: 0 } as const;
    accounts.push((await db.insertInto('account').values(row).returning('id').executeTakeFirstOrThrow()).id);
  }
  for (const id of ['c0', 'c1']) await aChannel(db, { id });
  for (let n = 0; n < 6; n++)
    await aVideo(db, { id: `v${n}`, channelId: `c${n % 2}`, kind: kinds[n % 3]!, durationSeconds: 10 + n, sizeBytes: 100 + n });
  return accounts;
}

/** What may happen to the library, one small thing at a time. */
export const deed = fc.oneof(
  // The same few again and again: what was watched must be able to become unwatched.
  {
    weight: 5,
    arbitrary: fc.record({
      what: fc.constant('watch' as const),
      who: fc.nat(1),
      video: fc.nat(2),
      // Few times: what is marked together is of one second.
      at: fc.option(fc.nat(3), { freq: 2 }),
    }),
  },
  fc.record({ what: fc.constant('position' as const), who: fc.nat(1), video: fc.nat(7) }),
  fc.record({ what: fc.constant('change' as const), video: fc.nat(7), kind: fc.constantFrom(...kinds), size: fc.nat(999) }),
  fc.record({ what: fc.constant('move' as const), video: fc.nat(7), channel: fc.nat(1), isActive: fc.constantFrom(0, 1) }),
  fc.record({ what: fc.constant('delete' as const), video: fc.nat(7) }),
  {
    weight: 3,
    arbitrary: fc.record({
      what: fc.constant('stream' as const),
      change: fc.constantFrom('add', 'add', 'drop'),
      type: fc.constantFrom('video', 'audio'),
      video: fc.nat(7),
      position: fc.nat(2),
      codec: fc.constantFrom('h264', 'vp9', 'opus', 'aac'),
      height: fc.constantFrom(null, 360, 1080),
    }),
  },
  fc.record({ what: fc.constant('date' as const), video: fc.nat(7), at: fc.integer({ min: -9, max: 9 }) }),
  {
    weight: 3,
    arbitrary: fc.record({
      what: fc.constant('say' as const),
      video: fc.nat(7),
      tags: fc.constantFrom('["Music","music"," b "]', '["x"]', '[]', 'no list', JSON.stringify(['', 'y'.repeat(300)])),
      damage: fc.constantFrom(null, 'missing', 'changed'),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      what: fc.constant('words' as const),
      table: fc.constantFrom('subtitle' as const, 'line' as const),
      change: fc.constantFrom('add', 'add', 'drop'),
      video: fc.nat(3),
      lang: fc.constantFrom('en', 'en-GB', 'fil-PH', 'a-b'),
    }),
  },
  fc.record({ what: fc.constant('file' as const), video: fc.nat(7), ending: fc.constantFrom('mp4', 'MKV', 'webm') }),
  fc.record({
    what: fc.constant('queue' as const),
    video: fc.nat(7),
    change: fc.constantFrom('add', 'pending', 'ignore', 'forget'),
    kind: fc.constantFrom(...kinds),
  }),
  { weight: 2, arbitrary: fc.record({ what: fc.constant('add' as const), video: fc.nat(7), channel: fc.nat(1) }) },
  // Few places and few videos, some of which are not in the archive yet: they must meet.
  {
    weight: 6,
    arbitrary: fc.record({
      what: fc.constant('entry' as const),
      change: fc.constantFrom('add', 'add', 'add', 'move', 'move', 'drop', 'playlist goes'),
      playlist: fc.nat(1),
      position: fc.nat(2),
      video: fc.integer({ min: 4, max: 7 }),
    }),
  },
);

/** Changes one entry of one playlist. */
export async function changeEntry(db: Db, one: { change: string; playlist: number; position: number; video: number }) {
  const [playlistId, videoId, { position }] = [`PL${one.playlist}`, `v${one.video}`, one];
  const here = { kind: 'regular' as const, name: 'P', sortName: 'p', refreshedAt: 0 };
  const entry = db.deleteFrom('playlistEntry').where('playlistId', '=', playlistId).where('position', '=', position);
  await db
    .insertInto('playlist')
    .values({ id: playlistId, ...here })
    .onConflict((c) => c.doNothing())
    .execute();
  if (one.change === 'playlist goes') await db.deleteFrom('playlist').where('id', '=', playlistId).execute();
  else if (one.change === 'move')
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
    if (one.change === 'add') await db.insertInto('playlistEntry').values({ playlistId, position, videoId, title: '' }).execute();
  }
}

/** Lets it happen; what cannot happen does not. */
export async function happen(db: Db, accounts: number[], one: typeof deed extends fc.Arbitrary<infer D> ? D : never) {
  const id = `v${one.video}`;
  if (one.what === 'entry') return changeEntry(db, one);
  if (one.what === 'queue') {
    if (one.change === 'add') await aQueueItem(db, { id, kind: one.kind, channelId: `c${one.video % 3}` });
    else if (one.change === 'forget') await db.deleteFrom('download').where('id', '=', id).execute();
    else
      await db
        .updateTable('download')
        .set({ status: one.change as 'pending', kind: one.kind, channelName: one.kind })
        .where('id', '=', id)
        .execute();
    return;
  }
  const isThere = (await db.selectFrom('video').select('id').where('id', '=', id).execute()).length > 0;
  if (one.what === 'add') return isThere ? undefined : void (await aVideo(db, { id, channelId: `c${one.channel}` }));
  if (!isThere) return;
  if (one.what === 'stream') {
    const { position, codec, height, type } = one;
    await db.deleteFrom('stream').where('videoId', '=', id).where('position', '=', position).execute();
    if (one.change === 'add')
      await db.insertInto('stream').values({ videoId: id, position, type, codec, bitrate: 1, width: 1920, height }).execute();
  } else if (one.what === 'date')
    await db
      .updateTable('video')
      .set({ publishedAt: one.at * 864_000 })
      .where('id', '=', id)
      .execute();
  else if (one.what === 'file')
    await db
      .updateTable('video')
      .set({ mediaPath: `${id}.${one.ending}`, downloadedAt: one.video * 50_000 })
      .where('id', '=', id)
      .execute();
  else if (one.what === 'say')
    await db.updateTable('video').set({ tags: one.tags, damage: one.damage }).where('id', '=', id).execute();
  else if (one.what === 'words') await changeWords(db, id, one);
  else if (one.what === 'delete') await db.deleteFrom('video').where('id', '=', id).execute();
  else if (one.what === 'change')
    await db
      .updateTable('video')
      .set({ kind: one.kind, sizeBytes: one.size, durationSeconds: one.size })
      .where('id', '=', id)
      .execute();
  else if (one.what === 'move')
    await db
      .updateTable('video')
      .set({ channelId: `c${one.channel}`, isActive: one.isActive as 0 | 1 })
      .where('id', '=', id)
      .execute();
  else {
    const state = one.what === 'watch' ? { watchedAt: one.at } : { positionSeconds: 7 };
    await db
      .insertInto('watch')
      .values({ accountId: accounts[one.who]!, videoId: id, watchedAt: null, positionSeconds: null, updatedAt: 1, ...state })
      .onConflict((c) => c.columns(['accountId', 'videoId']).doUpdateSet(state))
      .execute();
  }
}
