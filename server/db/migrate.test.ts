import { describe, expect, test } from 'vitest';
import { putInBin } from '../bin/put-in.ts';
import { putRowsBack } from '../bin/rows.ts';
import { listItems } from '../download/queue-store.ts';
import { aChannel, aVideo, engines } from '../testing.ts';
import { writeWanted } from '../video/keep-written.ts';
import { inTransaction } from './db.ts';
import { migrate, steps } from './migrate.ts';

describe.each(engines)('on $engine', ({ open }) => {
  test('every step can be taken from the one before it, and keeps what was there', async () => {
    const { db, close } = await open();
    try {
      for (const [place, name] of Object.keys(steps).entries()) {
        expect(await migrate(db, name)).toEqual([name]);
        if (place === 0)
          await db
            .insertInto('channel')
            .values({ id: 'c', site: 'youtube', siteId: 'c', name: 'Kept', sortName: 'kept', addedAt: 1, refreshedAt: 1 })
            .execute();
      }
      expect(await migrate(db)).toEqual([]);
      expect(await db.selectFrom('channel').select('name').execute()).toEqual([{ name: 'Kept' }]);
    } finally {
      await close();
    }
  });

  test('who had an account before accounts could be switched off still has one', async () => {
    const { db, close } = await open();
    try {
      await migrate(db, '0010-sign-in');
      await db
        .insertInto('account')
        .values({ name: 'Ann', foldedName: 'ann', passwordHash: 'x', isStaff: 1, isSuperuser: 1, createdAt: 1 })
        .execute();
      await db
        .insertInto('session')
        .values({ keyHash: 'k', accountId: 1, csrfToken: 'c', remember: 0, createdAt: 1, seenAt: 1, expiresAt: 9 })
        .execute();
      await migrate(db);
      expect(await db.selectFrom('account').select(['name', 'isDisabled', 'linkSeries']).execute()).toEqual([
        { name: 'Ann', isDisabled: 0, linkSeries: 0 },
      ]);
      expect(await db.selectFrom('session').select(['keyHash', 'browser', 'address', 'provedAt']).execute()).toEqual([
        { keyHash: 'k', browser: '', address: '', provedAt: 0 },
      ]);
    } finally {
      await close();
    }
  });

  test('who had a password before ones that are made only let people choose keeps it', async () => {
    const { db, close } = await open();
    try {
      await migrate(db, '0030-heights');
      await db
        .insertInto('account')
        .values({ name: 'Ann', foldedName: 'ann', passwordHash: 'x', isStaff: 1, isSuperuser: 1, createdAt: 1 })
        .execute();
      await migrate(db);
      expect(await db.selectFrom('account').select(['passwordHash', 'mustChoosePassword']).execute()).toEqual([
        { passwordHash: 'x', mustChoosePassword: 0 },
      ]);
    } finally {
      await close();
    }
  });

  test('of what was there before anything was kept as it is sent, all is to be written', async () => {
    const { db, close } = await open();
    try {
      await migrate(db, '0032-proved');
      const id = await aVideo(db, { channelId: await aChannel(db, { id: 'UCbefore' }) });
      await migrate(db);
      const wanted = await db.selectFrom('writingWanted').select(['kind', 'id']).orderBy('kind').execute();
      expect(wanted).toEqual([
        { kind: 'channel', id: 'UCbefore' },
        { kind: 'video', id },
      ]);
      await writeWanted(db);
      expect(await db.selectFrom('writtenVideo').select(['videoId', 'channelId']).execute()).toEqual([
        { videoId: id, channelId: 'UCbefore' },
      ]);
    } finally {
      await close();
    }
  });

  test('what waited before words in the queue were indexed is found by them', async () => {
    const { db, close } = await open();
    try {
      await migrate(db, '0024-watched-together');
      const item = { site: 'youtube', siteId: 'q', url: 'https://q', channelId: 'c', channelName: 'C', kind: 'videos' } as const;
      await db
        .insertInto('download')
        .values({ ...item, id: 'q', title: 'Zugvögel', foldedTitle: 'zugvogel', status: 'pending', autoStart: 0, queuedAt: 1 })
        .execute();
      await migrate(db);
      const found = async (q: string) => (await listItems(db, { q }, { size: 9, from: 0 })).map(({ id }) => id);
      expect([await found('gvö'), await found('gve')]).toEqual([['q'], []]);
    } finally {
      await close();
    }
  });

  test('before it was written down which previews are wanted: those without, and those of another file, are', async () => {
    const { db, close } = await open();
    try {
      await migrate(db, '0026-leases');
      const source = { site: 'youtube', refreshedAt: 1, sortName: 'c', name: 'C', addedAt: 1 };
      await db
        .insertInto('channel')
        .values({ ...source, id: 'c', siteId: 'c' })
        .execute();
      const file = { sizeBytes: 5, durationSeconds: 6, publishedAt: 2, downloadedAt: 3 };
      const video = {
        ...file,
        site: 'youtube',
        channelId: 'c',
        title: 'V',
        sortTitle: 'v',
        refreshedAt: 1,
        kind: 'videos' as const,
      };
      for (const id of ['none', 'made', 'other'])
        await db
          .insertInto('video')
          .values({ ...video, id, siteId: id, sha256: id, mediaPath: id })
          .execute();
      for (const [videoId, madeOf] of [
        ['made', 'made'],
        ['other', 'older'],
      ] as const)
        // prettier-ignore
        await db.insertInto('storyboard').values({ videoId, madeOf, sheets: 1 }).execute();
      await migrate(db);
      const wanted = async () =>
        (await db.selectFrom('storyboardWanted').select('videoId').orderBy('videoId').execute()).map((row) => row.videoId);
      expect(await wanted()).toEqual(['none', 'other']);
      await db.updateTable('storyboard').set({ madeOf: 'other' }).where('videoId', '=', 'other').execute();
      await db.updateTable('video').set({ viewCount: 9 }).where('id', '=', 'made').execute();
      expect(await wanted()).toEqual(['none']);
      await db.deleteFrom('storyboard').where('videoId', '=', 'made').execute();
      expect(await wanted()).toEqual(['made', 'none']);
      await db.deleteFrom('video').execute();
      expect(await wanted()).toEqual([]);
    } finally {
      await close();
    }
  });

  test('what was in the library before there was a bin can go into it, and comes back', async () => {
    const { db, close } = await open();
    try {
      await migrate(db, '0015-playlist-pages');
      const source = { site: 'youtube', siteId: 'x', refreshedAt: 1 };
      await db
        .insertInto('channel')
        .values({ ...source, id: 'c', name: 'C', sortName: 'c', addedAt: 1 })
        .execute();
      const file = { sizeBytes: 5, sha256: 'x', mediaPath: 'c/v.mp4', durationSeconds: 6 };
      const video = { ...source, ...file, id: 'v', channelId: 'c', title: 'V', sortTitle: 'v', kind: 'videos' as const };
      await db
        .insertInto('video')
        .values({ ...video, publishedAt: 2, downloadedAt: 3 })
        .execute();
      await migrate(db);
      const before = await db.selectFrom('video').selectAll().execute();
      const about = { by: 'Ann', why: null, now: 9, files: ['c/v.mp4'], madeIgnored: false };
      await inTransaction(db, (tx) => putInBin(tx, 'v', about));
      await db.deleteFrom('video').execute();
      expect(await db.selectFrom('bin').select(['videoId', 'deletedBy', 'sizeBytes']).execute()).toEqual([
        { videoId: 'v', deletedBy: 'Ann', sizeBytes: 5 },
      ]);
      const { number } = await db.selectFrom('bin').select('number').executeTakeFirstOrThrow();
      await inTransaction(db, (tx) => putRowsBack(tx, number));
      expect(await db.selectFrom('video').selectAll().execute()).toEqual(before);
    } finally {
      await close();
    }
  });

  test('pieces that came from a backup of the original program are found where they are; other lines stay where they were', async () => {
    const { db, close } = await open();
    try {
      await migrate(db, '0027-previews-wanted');
      const of = { site: 'youtube', refreshedAt: 1 };
      await db
        .insertInto('channel')
        .values({ ...of, id: 'c', siteId: 'c', name: 'C', sortName: 'c', addedAt: 1 })
        .execute();
      const file = { sizeBytes: 5, sha256: 'x', durationSeconds: 6, publishedAt: 2, downloadedAt: 3 };
      const video = { ...of, ...file, channelId: 'c', title: 'V', sortTitle: 'v', kind: 'videos' as const };
      const line = (videoId: string, lang: string, position: number) =>
        ({ videoId, lang, position, startSeconds: position, endSeconds: position, text: `${lang}word${position}` }) as const;
      for (const id of ['v', 'binned']) {
        // prettier-ignore
        await db.insertInto('video').values({ ...video, id, siteId: id, mediaPath: id }).execute();
        // As an import wrote them, and as every other way does.
        const pieces = [...Array.from({ length: 30 }, (_, place) => place + 1), 16_383, 16_384, 9_000_000_000_000_000];
        const lines = [...pieces.map((n) => line(id, 'en', n)), ...[0, 1, 2, 7].map((n) => line(id, 'de', n))];
        await db.insertInto('line').values(lines).execute();
      }
      const about = { by: 'Ann', why: null, now: 9, files: ['c/v.mp4'], madeIgnored: false };
      await inTransaction(db, (tx) => putInBin(tx, 'binned', about));
      await db.deleteFrom('video').where('id', '=', 'binned').execute();
      await db.deleteFrom('searchPending').execute();
      await migrate(db);
      expect(await db.selectFrom('searchPending').select(['kind', 'id']).distinct().execute()).toEqual([
        { kind: 'lines', id: 'v' },
      ]);
      const { number } = await db.selectFrom('bin').select('number').executeTakeFirstOrThrow();
      await inTransaction(db, (tx) => putRowsBack(tx, number));
      const places = async (videoId: string, lang: string) => {
        const rows = db.selectFrom('line').select(['position', 'text']).where('videoId', '=', videoId).where('lang', '=', lang);
        return (await rows.orderBy('position').execute()).map(({ position, text }) => `${position} ${text}`);
      };
      const moved = [...Array.from({ length: 30 }, (_, place) => `${place * 5} enword${place + 1}`), '81910 enword16383'];
      for (const id of ['v', 'binned']) {
        expect(await places(id, 'en')).toEqual(moved);
        expect(await places(id, 'de')).toEqual([0, 1, 2, 7].map((n) => `${n} deword${n}`));
      }
    } finally {
      await close();
    }
  });

  test('a list of one’s own from before is at no site either', async () => {
    const { db, close } = await open();
    try {
      await migrate(db, '0028-fragments');
      for (const kind of ['custom', 'regular'] as const)
        await db.insertInto('playlist').values({ id: kind, kind, name: kind, sortName: kind, refreshedAt: 1 }).execute();
      await migrate(db);
      expect(await db.selectFrom('playlist').select(['id', 'isActive']).orderBy('id').execute()).toEqual([
        { id: 'custom', isActive: 0 },
        { id: 'regular', isActive: 1 },
      ]);
    } finally {
      await close();
    }
  });

  test('a database of a newer version is refused with a sentence, and left alone', async () => {
    const { db, close } = await open();
    try {
      await migrate(db);
      await db
        .insertInto('kyselyMigration' as never)
        .values({ name: '9999-later', timestamp: '2027' } as never)
        .execute();
      await expect(migrate(db)).rejects.toThrow(/made by a newer version/);
      expect(await db.selectFrom('channel').selectAll().execute()).toEqual([]);
    } finally {
      await close();
    }
  });

  test('what fails half-way in a transaction leaves nothing', async () => {
    const { db, close } = await open();
    try {
      await migrate(db);
      const row = { id: 'c', site: 'youtube', siteId: 'c', name: 'C', sortName: 'c', addedAt: 1, refreshedAt: 1 };
      const half = inTransaction(db, async (tx) => {
        await tx.insertInto('channel').values(row).execute();
        throw new Error('half-way');
      });
      await expect(half).rejects.toThrow('half-way');
      expect(await db.selectFrom('channel').selectAll().execute()).toEqual([]);
    } finally {
      await close();
    }
  });

  test('transactions side by side do not see or undo each other', async () => {
    const { db, close } = await open();
    try {
      await migrate(db);
      const add = (place: number) =>
        inTransaction(db, async (tx) => {
          const id = `c${place}`;
          await tx
            .insertInto('channel')
            .values({ id, site: 's', siteId: id, name: id, sortName: id, addedAt: 1, refreshedAt: 1 })
            .execute();
          if (place % 2 === 1) throw new Error('odd');
        });
      await Promise.allSettled(Array.from({ length: 20 }, (_, place) => add(place)));
      const rows = await db.selectFrom('channel').select('id').execute();
      expect(rows.map((row) => row.id).sort()).toEqual(['c0', 'c10', 'c12', 'c14', 'c16', 'c18', 'c2', 'c4', 'c6', 'c8']);
    } finally {
      await close();
    }
  });
});
