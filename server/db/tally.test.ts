import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { wrongTallies } from '../library/tallies-right.ts';
import { aChannel, aQueueItem, aVideo, engines } from '../testing.ts';
import { addAccount } from '../user/store.ts';
import type { Db } from './db.ts';
import { migrate } from './migrate.ts';

const kinds = ['videos', 'streams', 'shorts'] as const;

/** What triggers say of files that not every iPhone plays, and plain code does not. */
async function misjudged(db: Db) {
  const videos = await db.selectFrom('video').select(['id', 'mediaPath']).execute();
  const streams = await db.selectFrom('stream').select(['videoId', 'codec', 'type']).execute();
  const kept = await db.selectFrom('awkward').selectAll().execute();
  const playable = { video: ['h264'], audio: ['aac'] };
  return videos.flatMap(({ id, mediaPath }) => {
    const own = streams.filter(({ videoId }) => videoId === id);
    const fits = own.every(({ type, codec }) => playable[type].includes(codec));
    const right = own.length === 0 || (fits && mediaPath.endsWith('.mp4')) ? undefined : fits ? 'pack' : 'fetch';
    const said = kept.find(({ videoId }) => videoId === id)?.mend;
    return said === right ? [] : [`${id} is ${right}, not ${said}`];
  });
}

const wrong = async (db: Db) => [...(await Array.fromAsync(wrongTallies(db))), ...(await misjudged(db))];

async function openMigrated(open: (typeof engines)[number]['open'], upTo?: string) {
  const { db, close } = await open();
  await migrate(db, upTo);
  return { db, close };
}

async function aSmallLibrary(db: Db) {
  const accounts = [];
  for (const name of ['anna', 'ben']) accounts.push((await addAccount(db, { name, passwordHash: '', isStaff: false }, 0))!.id);
  for (const id of ['c0', 'c1']) await aChannel(db, { id });
  for (let n = 0; n < 6; n++)
    await aVideo(db, { id: `v${n}`, channelId: `c${n % 2}`, kind: kinds[n % 3]!, durationSeconds: 10 + n, sizeBytes: 100 + n });
  return accounts;
}

/** What may happen to the library, one small thing at a time. */
const deed = fc.oneof(
  // The same few again and again: what was watched must be able to become unwatched.
  {
    weight: 5,
    arbitrary: fc.record({
      what: fc.constant('watch' as const),
      who: fc.nat(1),
      video: fc.nat(2),
      at: fc.option(fc.nat(), { freq: 2 }),
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

async function changeEntry(db: Db, one: { change: string; playlist: number; position: number; video: number }) {
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

async function happen(db: Db, accounts: number[], one: typeof deed extends fc.Arbitrary<infer D> ? D : never) {
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
  } else if (one.what === 'file')
    await db
      .updateTable('video')
      .set({ mediaPath: `${id}.${one.ending}`, downloadedAt: one.video * 50_000 })
      .where('id', '=', id)
      .execute();
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

describe.each(engines)('what is kept counted on $engine', ({ open, engine }) => {
  test('is what counting would say, whatever happens', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(deed, { maxLength: 40, size: 'max' }), async (deeds) => {
        const { db, close } = await openMigrated(open);
        try {
          const accounts = await aSmallLibrary(db);
          for (const one of deeds) await happen(db, accounts, one);
          expect(await wrong(db)).toEqual([]);
        } finally {
          await close();
        }
      }),
      { numRuns: engine === 'sqlite' ? 40 : 6 },
    );
  });

  test('begins with what was there before it was counted', async () => {
    const { db, close } = await openMigrated(open, '0005-around');
    try {
      const [anna] = await aSmallLibrary(db);
      await db
        .insertInto('watch')
        .values({ accountId: anna!, videoId: 'v3', watchedAt: 5, positionSeconds: null, updatedAt: 5 })
        .execute();
      await migrate(db);
      expect(await wrong(db)).toEqual([]);
      const kept = await db.selectFrom('tally').select('videos').execute();
      expect(kept.reduce((sum, row) => sum + row.videos, 0)).toBe(6);
      expect(await db.selectFrom('watchTally').selectAll().execute()).toEqual([
        { accountId: anna, channelId: 'c1', kind: 'videos', videos: 1, durationSeconds: 13 },
      ]);
    } finally {
      await close();
    }
  });

  test('begins with what playlists showed before that was kept', async () => {
    const { db, close } = await openMigrated(open, '0013-people');
    try {
      await aSmallLibrary(db);
      for (const [position, video] of [3, 9, 1, 3].entries())
        await changeEntry(db, { change: 'add', playlist: 0, position, video });
      await migrate(db);
      expect(await wrong(db)).toEqual([]);
      const shown = await db.selectFrom('playlistShown').select(['position', 'videoId']).orderBy('position').execute();
      expect(shown).toEqual([
        { position: 0, videoId: 'v3' },
        { position: 2, videoId: 'v1' },
      ]);
    } finally {
      await close();
    }
  });

  test('goes with an account and with a channel', async () => {
    const { db, close } = await openMigrated(open);
    try {
      const [anna] = await aSmallLibrary(db);
      const row = { accountId: anna!, watchedAt: 5, positionSeconds: null, updatedAt: 5 };
      await db
        .insertInto('watch')
        .values([0, 1, 2].map((n) => ({ ...row, videoId: `v${n}` })))
        .execute();
      await db.deleteFrom('video').where('channelId', '=', 'c0').execute();
      await db.deleteFrom('channel').where('id', '=', 'c0').execute();
      expect(await wrong(db)).toEqual([]);
      await db.deleteFrom('account').where('id', '=', anna!).execute();
      expect(await db.selectFrom('watchTally').selectAll().execute()).toEqual([]);
    } finally {
      await close();
    }
  });

  test('is compared with the rows by who verifies the archive', async () => {
    const { db, close } = await openMigrated(open);
    try {
      await aSmallLibrary(db);
      await aQueueItem(db, { id: 'q' });
      await db.updateTable('tally').set({ sizeBytes: 1 }).where('channelId', '=', 'c0').where('kind', '=', 'videos').execute();
      await db.deleteFrom('queueTally').execute();
      expect(await wrong(db)).toEqual([
        expect.stringMatching(/^The tally of videos lacks: .*sizeBytes 100/),
        expect.stringMatching(/^The tally of videos says, and it is not so: .*sizeBytes 1,/),
        expect.stringMatching(/^The tally of the queue lacks: .*items 1/),
      ]);
    } finally {
      await close();
    }
  });
});
