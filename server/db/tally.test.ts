import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { wrongTallies } from '../library/tallies-right.ts';
import { aQueueItem, engines, type TestEngine } from '../testing.ts';
import { aSmallLibrary, changeEntry, deed, happen } from '../testing-deeds.ts';
import { changeWords, misnoted } from '../testing-facets.ts';
import type { Db } from './db.ts';
import { migrate } from './migrate.ts';

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

const wrong = async (db: Db) => [...(await Array.fromAsync(wrongTallies(db))), ...(await misjudged(db)), ...(await misnoted(db))];

/** Somebody watched a video of the small library. */
const watches = (db: Db, accountId: number) =>
  db.insertInto('watch').values({ accountId, videoId: 'v3', watchedAt: 5, positionSeconds: null, updatedAt: 5 }).execute();

async function openFrom(on: TestEngine, upTo: string) {
  const { db, close } = await on.open();
  await migrate(db, upTo);
  return { db, close };
}

describe.each(engines)('what is kept counted on $engine', (on) => {
  test('is what counting would say, whatever happens', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(deed, { maxLength: 40, size: 'max' }), async (deeds) => {
        const { db, close } = await on.openWithTables();
        try {
          const accounts = await aSmallLibrary(db);
          for (const one of deeds) await happen(db, accounts, one);
          expect(await wrong(db)).toEqual([]);
        } finally {
          await close();
        }
      }),
      { numRuns: on.engine === 'sqlite' ? 40 : 6 },
    );
  });

  test('begins with what was there before it was counted', async () => {
    const { db, close } = await openFrom(on, '0005-around');
    try {
      const [anna] = await aSmallLibrary(db);
      await watches(db, anna!);
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

  test('begins with what playlists showed, and videos had, before that was kept', async () => {
    const { db, close } = await openFrom(on, '0013-people');
    try {
      await aSmallLibrary(db);
      for (const [position, video] of [3, 9, 1, 3].entries())
        await changeEntry(db, { change: 'add', playlist: 0, position, video });
      await db.updateTable('video').set({ tags: '["Old","b"]', damage: 'missing' }).where('id', '<', 'v2').execute();
      await db.insertInto('stream').values({ videoId: 'v1', position: 0, type: 'video', codec: 'h264', bitrate: 1 }).execute();
      for (const table of ['subtitle', 'line'] as const) await changeWords(db, 'v2', { table, change: 'add', lang: 'en-GB' });
      await migrate(db);
      expect((await db.selectFrom('facet').selectAll().execute()).length).toBe(10);
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

  test('begins with the months there were before those were counted', async () => {
    const { db, close } = await openFrom(on, '0019-figures');
    try {
      const [anna] = await aSmallLibrary(db);
      await db.updateTable('video').set({ publishedAt: 1_500_000_000 }).where('id', '=', 'v3').execute();
      await watches(db, anna!);
      await migrate(db);
      expect(await wrong(db)).toEqual([]);
      const month = { kind: 'videos', month: 578, videos: 1 };
      expect(await db.selectFrom('monthTally').selectAll().where('month', '=', 578).execute()).toEqual([month]);
      expect(await db.selectFrom('watchMonthTally').selectAll().execute()).toEqual([{ accountId: anna, ...month }]);
    } finally {
      await close();
    }
  });

  test('begins with when people watched before that was counted', async () => {
    const { db, close } = await openFrom(on, '0023-watched-when');
    try {
      const [anna] = await aSmallLibrary(db);
      await watches(db, anna!);
      await migrate(db);
      expect(await wrong(db)).toEqual([]);
      const then = { accountId: anna, watchedAt: 5, videos: 1, durationSeconds: 13 };
      expect(await db.selectFrom('watchTimeTally').selectAll().execute()).toEqual([then]);
    } finally {
      await close();
    }
  });

  test('goes with an account and with a channel', async () => {
    const { db, close } = await on.openWithTables();
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
    const { db, close } = await on.openWithTables();
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
