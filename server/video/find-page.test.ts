import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { VideoFilter } from '#contract/video.ts';
import { aChannel, aVideo, engines, testArchive } from '../testing.ts';
import { addAccount } from '../user/store.ts';
import { countVideos, findPage } from './find-page.ts';

const day = 86_400;
const kinds = ['videos', 'streams', 'shorts'] as const;
const sorts = ['published', 'downloaded', 'views', 'likes', 'duration', 'mediasize', 'width', 'height'] as const;

// At noon of a day in UTC, which is that day wherever tests run.
const dayOf = ({ downloadedAt }: { downloadedAt: number }) => new Date(downloadedAt * 1000).toISOString().slice(0, 10);
const awkward = ({ codec, mediaPath }: { codec: string; mediaPath: string }) =>
  codec === 'vp9' ? 'fetch' : mediaPath.endsWith('.mkv') ? 'pack' : undefined;

const small = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
const isIn = (lang: string, wanted: string) => [lang.toLowerCase(), lang.slice(0, 2)].includes(wanted.toLowerCase());

const words = {
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
  awkward: fc.constantFrom('pack' as const, 'fetch' as const),
  downloaded_from: fc.constantFrom('1970-01-01', '1970-01-03'),
  downloaded_to: fc.constantFrom('1970-01-02', '1970-01-04'),
  tag: fc.constantFrom('music', 'MUSIC', 'Ärger', 'ärger', 'rare'),
  subtitles: fc.constantFrom('en', 'en-GB', 'de', 'fr'),
  codec: fc.constantFrom('vp9', 'H264', 'none'),
  min_size: fc.constantFrom(2, 5),
  max_size: fc.constantFrom(1, 4),
  transcript: fc.boolean(),
  damaged: fc.boolean(),
};

// A few words at a time: of all together hardly anything is left.
const filters = fc
  .subarray(Object.keys(words) as (keyof typeof words)[], { maxLength: 5 })
  .chain((keys) => fc.record<Record<string, unknown>>(Object.fromEntries(keys.map((key) => [key, words[key]]))));

describe.each(engines)('the pages of a list on $engine', (on) => {
  test('are together everything that matches, in order, each once', async () => {
    const t = await testArchive({ on });
    const { db } = t.archive;
    try {
      const account = (await addAccount(db, { name: 'anna', passwordHash: '', isStaff: false }, 0))!.id;
      for (const id of ['c0', 'c1']) await aChannel(db, { id });
      const all = Array.from({ length: 37 }, (_, n) => ({
        id: `v${String(n).padStart(2, '0')}`,
        channelId: `c${n % 2}`,
        kind: kinds[n % 3]!,
        // Many are alike, so that the order among equals is tried too.
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
        begun: n % 5 === 1 ? n : null,
        place: n % 2 === 0 ? 100 - n : null,
        tags: [['Music', 'music'], ['Ärger'], ['rare', 'music']][n < 2 ? 2 : n % 4] ?? [],
        langs: [['en-GB'], ['en', 'de'], []][n % 3]!,
        hasLines: n % 3 === 0,
        damage: n % 11 === 0 ? 'missing' : null,
      }));
      for (const { watched, begun, place, codec, tags, langs, hasLines, ...video } of all) {
        await aVideo(db, { ...video, tags: JSON.stringify(tags) });
        for (const lang of langs)
          await db
            .insertInto('subtitle')
            .values({ videoId: video.id, lang, source: 'user', name: lang, path: `${video.id} ${lang}` })
            .execute();
        const line = { videoId: video.id, lang: 'en-GB', startSeconds: 0, endSeconds: 1, text: 'a' };
        if (hasLines)
          await db
            .insertInto('line')
            .values([3, 4].map((position) => ({ ...line, position })))
            .execute();
        const stream = { position: 0, type: 'video' as const, codec, bitrate: 1, width: 1280, height: video.height };
        await db
          .insertInto('stream')
          .values({ videoId: video.id, ...stream })
          .execute();
        if (watched || begun !== null)
          await db
            .insertInto('watch')
            .values({
              accountId: account,
              videoId: video.id,
              watchedAt: watched ? 9 : null,
              positionSeconds: begun,
              updatedAt: begun ?? 1,
            })
            .execute();
        if (place !== null) {
          await db
            .insertInto('playlist')
            .values({ id: 'PL1', kind: 'regular', name: 'P', sortName: 'p', refreshedAt: 0 })
            .onConflict((c) => c.column('id').doNothing())
            .execute();
          // Twice in the playlist is once in the list.
          for (const position of [place, place + 200])
            await db.insertInto('playlistEntry').values({ playlistId: 'PL1', position, videoId: video.id, title: '' }).execute();
        }
      }
      const columnOf = { published: 'publishedAt', downloaded: 'downloadedAt', views: 'viewCount', likes: 'likeCount' } as const;
      const more = { duration: 'durationSeconds', mediasize: 'sizeBytes', width: 'width', height: 'height' } as const;

      await fc.assert(
        fc.asyncProperty(filters, fc.integer({ min: 1, max: 9 }), async (some, size) => {
          const filter = VideoFilter.parse(some);
          const wanted = all
            .filter((video) => !filter.channel || video.channelId === filter.channel)
            .filter((video) => !filter.awkward || awkward(video) === filter.awkward)
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
            .filter(({ tags }) => !filter.tag || tags.some((tag) => small(tag) === small(filter.tag!)))
            .filter(({ langs }) => !filter.subtitles || langs.some((lang) => isIn(lang, filter.subtitles!)))
            .filter((video) => !filter.codec || video.codec === filter.codec.toLowerCase())
            .filter((video) => filter.transcript === undefined || video.hasLines === filter.transcript)
            .filter((video) => filter.damaged === undefined || (video.damage !== null) === filter.damaged)
            .filter((video) => !filter.playlist || video.place !== null)
            .filter(({ watched, begun }) => {
              if (filter.watch === 'continue') return !watched && begun !== null;
              return !filter.watch || watched === (filter.watch === 'watched');
            })
            .toSorted((a, b) => {
              if (filter.playlist) return a.place! - b.place!;
              const byId = a.id < b.id ? -1 : 1;
              if (filter.watch === 'continue') return b.begun! - a.begun! || -byId;
              const column = { ...columnOf, ...more }[filter.sort];
              return (a[column] - b[column] || byId) * (filter.order === 'asc' ? 1 : -1);
            })
            .map((video) => video.id);
          const hits = await countVideos(db, account, filter);
          expect(hits.total).toBe(wanted.length);
          // As in a library as small as this, and as in one where it is worth to begin with a month.
          for (const worthSkipping of [undefined, 1]) {
            const pages: string[] = [];
            for (let from = 0; from < wanted.length + size; from += size)
              pages.push(...(await findPage(db, account, filter, { size, from }, hits, worthSkipping)));
            expect(pages).toEqual(wanted);
          }
        }),
        { numRuns: on.engine === 'sqlite' ? 300 : 80 },
      );
    } finally {
      await t.close();
    }
  });
});
