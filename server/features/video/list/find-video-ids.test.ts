import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { VideoFilter } from '#contract/video.ts';
import { createChannel, createVideo, engines, testApp } from '../../../test-support/app.ts';
import { addAccount } from '../../user/account/store.ts';
import { summarizeVideos } from './count-videos.ts';
import { findVideoIds } from './find-video-ids.ts';

const day = 86_400;
const kinds = ['videos', 'streams', 'shorts'] as const;
const sorts = ['published', 'downloaded', 'views', 'likes', 'duration', 'mediasize', 'width', 'height', 'title'] as const;

// Downloads are at noon UTC, which is the same day in almost every time zone.
const dayOf = ({ downloadedAt }: { downloadedAt: number }) => new Date(downloadedAt * 1000).toISOString().slice(0, 10);
const incompatible = ({ codec, mediaPath }: { codec: string; mediaPath: string }) =>
  codec === 'vp9' ? 'redownload' : mediaPath.endsWith('.mkv') ? 'remux' : undefined;

const lowerCase = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
const matchesLanguage = (lang: string, expected: string) =>
  [lang.toLowerCase(), lang.slice(0, 2)].includes(expected.toLowerCase());

const parameters = {
  watch: fc.constantFrom('watched' as const, 'unwatched' as const, 'continue' as const),
  sort: fc.constantFrom(...sorts),
  order: fc.constantFrom('asc' as const, 'desc' as const),
  type: fc.constantFrom(...kinds),
  height: fc.constantFrom(720, 1080, 1),
  channel: fc.constantFrom('c0', 'c1', 'nobody'),
  playlist: fc.constant('PL1'),
  from: fc.constantFrom('1969-11-20', '1970-01-02', '1970-01-03'),
  to: fc.constantFrom('1970-01-02', '1970-01-03', '1970-01-04', '1970-03-10'),
  min_duration: fc.constantFrom(2, 6),
  max_duration: fc.constantFrom(1, 3, 5),
  incompatible: fc.constantFrom('remux' as const, 'redownload' as const),
  downloaded_from: fc.constantFrom('1970-01-01', '1970-01-03'),
  downloaded_to: fc.constantFrom('1970-01-02', '1970-01-04'),
  tag: fc.constantFrom('music', 'MUSIC', 'Ärger', 'ärger', 'rare'),
  subtitles: fc.constantFrom('en', 'en-GB', 'de', 'fr'),
  codec: fc.constantFrom('vp9', 'H264', 'none'),
  min_size: fc.constantFrom(2, 5),
  max_size: fc.constantFrom(1, 4),
  transcript: fc.boolean(),
  damaged: fc.boolean(),
  subscribed: fc.boolean(),
  active: fc.boolean(),
  cleanup: fc.constantFrom('watched' as const, 'unopened' as const, 'any' as const),
};

// At most five parameters, because all together match almost nothing.
const filters = fc
  .subarray(Object.keys(parameters) as (keyof typeof parameters)[], { maxLength: 5 })
  .chain((keys) => fc.record<Record<string, unknown>>(Object.fromEntries(keys.map((key) => [key, parameters[key]]))));

describe.each(engines)('the pages of a list on $engine', (on) => {
  test('contain all matching videos once, in order', async () => {
    const t = await testApp({ on });
    const { db } = t.app;
    try {
      const account = (await addAccount(db, { name: 'anna', passwordHash: '', isStaff: false }, 0))!.id;
      const ben = (await addAccount(db, { name: 'ben', passwordHash: '', isStaff: false }, 0))!.id;
      for (const id of ['c0', 'c1']) await createChannel(db, { id, isSubscribed: id === 'c1' ? 1 : 0 });
      const all = Array.from({ length: 37 }, (_, n) => ({
        id: `v${String(n).padStart(2, '0')}`,
        channelId: `c${n % 2}`,
        kind: kinds[n % 3]!,
        // Many videos have equal values, to test the order of ties.
        sortTitle: ['beta', 'alpha', 'ärger'][n % 3]!,
        publishedAt: (n % 4) * day + ((n % 3) - 1) * 45 * day,
        downloadedAt: (n % 5) * 86_400 + 43_200,
        mediaPath: `v${n}.${n % 4 === 1 ? 'mkv' : 'mp4'}`,
        codec: n % 6 === 0 ? 'vp9' : 'h264',
        viewCount: n % 3,
        likeCount: n % 2,
        durationSeconds: n % 7,
        sizeBytes: n % 6,
        width: 1280,
        height: n % 3 === 0 ? 720 : 1080,
        watched: n % 5 === 0 || n > 30,
        resumePosition: n % 5 === 1 ? n : null,
        place: n % 2 === 0 ? 100 - n : null,
        tags: [['Music', 'music'], ['Ärger'], ['rare', 'music']][n < 2 ? 2 : n % 4] ?? [],
        langs: [['en-GB'], ['en', 'de'], []][n % 3]!,
        hasLines: n % 3 === 0,
        damage: n % 11 === 0 ? 'missing' : null,
        isActive: n % 4 === 3 ? (0 as const) : (1 as const),
        isProtected: n % 9 === 4 ? (1 as const) : (0 as const),
        isCollected: n % 8 === 2,
        // The watch state of another user.
        other: ([undefined, 'finished', undefined, 'begun'] as const)[n % 7],
      }));
      for (const { watched, resumePosition, place, codec, tags, langs, hasLines, isCollected, other, ...video } of all) {
        await createVideo(db, { ...video, tags: JSON.stringify(tags) });
        for (const lang of langs)
          await db
            .insertInto('subtitle')
            .values({ videoId: video.id, lang, source: 'user', name: lang, path: `${video.id} ${lang}` })
            .execute();
        const line = { videoId: video.id, lang: 'en-GB', startSeconds: 0, endSeconds: 1, text: 'a' };
        if (hasLines)
          await db
            .insertInto('transcriptLine')
            .values([3, 4].map((position) => ({ ...line, position })))
            .execute();
        const stream = { position: 0, type: 'video' as const, codec, bitrate: 1, width: 1280, height: video.height };
        await db
          .insertInto('stream')
          .values({ videoId: video.id, ...stream })
          .execute();
        if (watched || resumePosition !== null)
          await db
            .insertInto('watch')
            .values({
              accountId: account,
              videoId: video.id,
              watchedAt: watched ? 9 : null,
              positionSeconds: resumePosition,
              updatedAt: resumePosition ?? 1,
            })
            .execute();
        if (other)
          await db
            .insertInto('watch')
            .values({
              accountId: ben,
              videoId: video.id,
              watchedAt: other === 'begun' ? null : 9,
              // Players report positions after the end, too.
              positionSeconds: other === 'finished' ? video.durationSeconds : 0.1,
              updatedAt: 10,
            })
            .execute();
        if (isCollected) {
          await db
            .insertInto('playlist')
            .values({ id: 'RK1', kind: 'custom', name: 'C', sortName: 'c', refreshedAt: 0 })
            .onConflict((c) => c.column('id').doNothing())
            .execute();
          await db
            .insertInto('playlistEntry')
            .values({
              playlistId: 'RK1',
              position: video.sizeBytes * 100 + Number(video.id.slice(1)),
              videoId: video.id,
              title: '',
            })
            .execute();
        }
        if (place !== null) {
          await db
            .insertInto('playlist')
            .values({ id: 'PL1', kind: 'regular', name: 'P', sortName: 'p', refreshedAt: 0 })
            .onConflict((c) => c.column('id').doNothing())
            .execute();
          // A video that is in the playlist twice is listed once.
          for (const position of [place, place + 200])
            await db.insertInto('playlistEntry').values({ playlistId: 'PL1', position, videoId: video.id, title: '' }).execute();
        }
      }
      const columnOf = { published: 'publishedAt', downloaded: 'downloadedAt', views: 'viewCount', likes: 'likeCount' } as const;
      const otherColumns = { duration: 'durationSeconds', mediasize: 'sizeBytes', width: 'width', height: 'height' } as const;

      await fc.assert(
        fc.asyncProperty(filters, fc.integer({ min: 1, max: 9 }), async (values, size) => {
          const filter = VideoFilter.parse(values);
          const expected = all
            .filter((video) => !filter.channel || video.channelId === filter.channel)
            .filter((video) => !filter.incompatible || incompatible(video) === filter.incompatible)
            .filter((video) => !filter.downloaded_from || dayOf(video) >= filter.downloaded_from)
            .filter((video) => !filter.downloaded_to || dayOf(video) <= filter.downloaded_to)
            .filter((video) => !filter.type || video.kind === filter.type)
            .filter((video) => filter.height === undefined || video.height === filter.height)
            .filter((video) => filter.from === undefined || video.publishedAt >= filter.from)
            .filter((video) => filter.to === undefined || video.publishedAt <= filter.to)
            .filter((video) => filter.min_duration === undefined || video.durationSeconds >= filter.min_duration)
            .filter((video) => filter.max_duration === undefined || video.durationSeconds <= filter.max_duration)
            .filter((video) => filter.min_size === undefined || video.sizeBytes >= filter.min_size)
            .filter((video) => filter.max_size === undefined || video.sizeBytes <= filter.max_size)
            .filter(({ tags }) => !filter.tag || tags.some((tag) => lowerCase(tag) === lowerCase(filter.tag!)))
            .filter(({ langs }) => !filter.subtitles || langs.some((lang) => matchesLanguage(lang, filter.subtitles!)))
            .filter((video) => !filter.codec || video.codec === filter.codec.toLowerCase())
            .filter((video) => filter.transcript === undefined || video.hasLines === filter.transcript)
            .filter((video) => filter.damaged === undefined || (video.damage !== null) === filter.damaged)
            .filter(({ channelId }) => filter.subscribed === undefined || (channelId === 'c1') === filter.subscribed)
            .filter((video) => filter.active === undefined || (video.isActive === 1) === filter.active)
            .filter(({ isProtected, isCollected, watched, resumePosition, other }) => {
              if (!filter.cleanup) return true;
              const isBegun = (!watched && resumePosition !== null) || other === 'begun';
              const isFinished = watched || other === 'finished';
              if (isProtected || isCollected || isBegun) return false;
              return filter.cleanup === 'any' || isFinished === (filter.cleanup === 'watched');
            })
            .filter((video) => !filter.playlist || video.place !== null)
            .filter(({ watched, resumePosition }) => {
              if (filter.watch === 'continue') return !watched && resumePosition !== null;
              return !filter.watch || watched === (filter.watch === 'watched');
            })
            .toSorted((a, b) => {
              if (filter.playlist) return a.place! - b.place!;
              const byId = a.id < b.id ? -1 : 1;
              if (filter.sort === 'title')
                return (
                  ((a.sortTitle < b.sortTitle && -1) || Number(a.sortTitle > b.sortTitle) || byId) *
                  (filter.order === 'asc' ? 1 : -1)
                );
              const column =
                filter.watch === 'continue' && !filter.sort
                  ? 'resumePosition'
                  : { ...columnOf, ...otherColumns }[filter.sort ?? 'published'];
              return (a[column]! - b[column]! || byId) * (filter.order === 'asc' ? 1 : -1);
            })
            .map((video) => video.id);
          const sizeOf = new Map(all.map((video) => [video.id, video.sizeBytes]));
          const sizeBytes = expected.reduce((sum, id) => sum + sizeOf.get(id)!, 0);
          expect(await summarizeVideos(db, account, filter)).toMatchObject({ videos: expected.length, sizeBytes });
          // Tests both query plans: for small libraries, and for large ones, where the query starts with a month.
          for (const worthSkipping of [undefined, 1]) {
            const pages: string[] = [];
            for (let from = 0; from < expected.length + size; from += size) {
              const found = await findVideoIds(db, account, filter, { size, from }, { ...(worthSkipping && { worthSkipping }) });
              expect(found.total).toBe(expected.length);
              pages.push(...found.ids);
            }
            expect(pages).toEqual(expected);
          }
        }),
        { numRuns: on.engine === 'sqlite' ? 300 : 80 },
      );
    } finally {
      await t.close();
    }
  });
});
