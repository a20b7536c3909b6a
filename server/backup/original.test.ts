import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { contentOf, done, pairs, writeZip } from '../../e2e/backups.ts';
import { addExactly } from '../db/copy.ts';
import { aChannel, aUser, aVideo, engines, testArchive, type TestArchive } from '../testing.ts';
import { backupFolder } from './folder.ts';
import { restoreBackup } from './restore-backup.ts';
import { asClock, asPath, asTime } from './original-values.ts';

const [one, two] = ['UCaaaaaaaaaaaaaaaaaaaaaa', 'UCbbbbbbbbbbbbbbbbbbbbbb'];
const channel = (id: string, said: object = {}) => ({
  channel_id: id, channel_name: `Channel ${id[2]}`, channel_active: true, channel_subscribed: true, channel_subs: 1200, channel_last_refresh: 1_700_000_000, channel_description: 'About\u0000 it', channel_tags: ['x'], channel_tabs: ['videos', 'shorts'], channel_banner_url: 'https://yt/banner', channel_thumb_url: false, channel_tvart_url: null, ...said,
}); // prettier-ignore
const video = (id: string, channelId: string, said: object = {}) => ({
  youtube_id: id, title: `Video ${id}`, active: true, category: ['Music'], tags: ['a', 'b'], channel: channel(channelId), playlist: [], published: 1_690_000_000, date_downloaded: 1_695_000_000, vid_last_refresh: 1_700_000_000, media_size: 1234, media_url: `${channelId}/${id}.mp4`, vid_thumb_url: 'https://yt/t.jpg', vid_type: 'videos', comment_count: 2, description: 'Words',
  player: { duration: 61, duration_str: '1m 01s', watched: false },
  stats: { view_count: 10, like_count: 2, dislike_count: 1, average_rating: 4.5 },
  streams: [{ type: 'video', index: 0, codec: 'h264', width: 1920, height: 1080, bitrate: 5 }, { type: 'audio', index: 1, codec: 'aac', bitrate: 3 }],
  subtitles: [{ ext: 'json3', lang: 'en', name: 'English', source: 'auto', url: 'https://yt', media_url: `${channelId}/${id}.en.vtt` }],
  ...said,
}); // prettier-ignore
const line = (id: string, index: number, said: object = {}) => ({ youtube_id: id, title: 'T', subtitle_fragment_id: `${id}-en-${index}`, subtitle_lang: 'en', subtitle_source: 'auto', subtitle_channel: 'C', subtitle_channel_id: one, subtitle_line: `words\n${index}`, subtitle_start: '00:00:01.500', subtitle_end: '01:00:09.250', subtitle_index: index, subtitle_last_refresh: '1700000000', ...said }); // prettier-ignore
const comment = (id: string, said: object = {}) => ({ comment_id: id, comment_text: `Says ${id}`, comment_author: 'Who', comment_author_id: 'u', comment_author_thumbnail: 'https://yt/p', comment_author_is_uploader: true, comment_is_favorited: false, comment_likecount: null, comment_parent: 'root', comment_timestamp: 1_700_000_001, comment_time_text: 'x', ...said }); // prettier-ignore

/** What somebody's backup may look like after some years: both generations, and every tolerance. */
const documents = {
  config: {
    appsettings: { subscriptions: { channel_size: 30, auto_start: true, extract_flat: false }, downloads: { limit_speed: false, format: 'bv*+ba', sleep_interval: 7, add_thumbnail: true, potoken: true, cookie_import: true, pot_provider_url: 'http://pot:4416', comment_max: 'all,100', subtitle: 'en', strange_key: 1, throttledratelimit: null }, application: { enable_cast: true }, scheduler: { old: true } },
    user_1: { config: { page_size: 25, stylesheet: 'light.css', hide_watched: true, sponsorblock_id: 'secret', grid_items: 99 } },
    user_7: { config: { page_size: 3 } },
    notify: { update_subscribed: ['ntfy://topic', 'not a url'] },
  },
  channel: {
    [one]: channel(one, { channel_overwrites: { download_format: false, autodelete_days: 3, index_playlists: true, strange: 1 }, channel_views: 0 }),
    [two]: channel(two, { channel_tabs: undefined, channel_description: false, channel_subscribed: false, channel_tags: undefined, channel_active: false }),
    'bad id!': channel('bad id!'),
  },
  video: {
    aaaaaaaaaaa: video('aaaaaaaaaaa', one, { player: { duration: 61, watched: true, watched_date: '1696000000', position: 3, progress: 5 }, vid_thumb_base64: 'x', sponsorblock: { is_enabled: true, last_refresh: 5, has_unlocked: true, segments: [{ UUID: 'u', category: 'sponsor', actionType: 'skip', segment: [1, 2.5], videoDuration: 61, votes: 1, locked: 0 }] } }),
    bbbbbbbbbbb: video('bbbbbbbbbbb', two, { published: '2023-07-22', date_downloaded: '1695000001', description: false, vid_type: 'shorts', stats: { average_rating: null }, streams: [], active: false }),
    ccccccccccc: video('ccccccccccc', two, { published: '1690000000', vid_last_refresh: '1700000000', description: '', stats: undefined, subtitles: undefined, category: 'Music', media_url: '../../etc/passwd', comment_count: undefined }),
    ddddddddddd: video('ddddddddddd', two, { published: 1_690_000_000.5, player: { duration: 5, watched: true } }),
    eeeeeeeeeee: { youtube_id: 'eeeeeeeeeee', title: 'Of nobody' },
  },
  download: {
    fffffffffff: { youtube_id: 'fffffffffff', title: 'Wanted', channel_id: one, channel_name: 'A', status: 'pending', vid_type: 'videos', duration: '1h 02m 03s', published: null, timestamp: 1_700_000_000, vid_thumb_url: null, auto_start: true, channel_indexed: true },
    ggggggggggg: { youtube_id: 'ggggggggggg', title: 'Never', channel_id: one, channel_name: 'A', status: 'ignore', vid_type: 'unknown', duration: 'NA', published: '2023-01-01', timestamp: '1700000000' },
    hhhhhhhhhhh: { youtube_id: 'hhhhhhhhhhh', title: 'Failed', channel_id: one, channel_name: 'A', status: 'pending', vid_type: 'streams', message: 'ERROR: no' },
    aaaaaaaaaaa: { youtube_id: 'aaaaaaaaaaa', title: 'Here already', status: 'pending' },
  },
  playlist: {
    PLregular: { playlist_id: 'PLregular', playlist_name: 'Regular', playlist_type: 'regular', playlist_active: true, playlist_subscribed: true, playlist_channel: 'A', playlist_channel_id: one, playlist_description: 'False', playlist_thumbnail: 'https://yt/p.jpg', playlist_last_refresh: '1700000000', playlist_sort_order: 'bottom', playlist_entries: [{ youtube_id: 'bbbbbbbbbbb', title: 'B', uploader: 'B', idx: 1, downloaded: true }, { youtube_id: 'aaaaaaaaaaa', title: 'A', uploader: 'A', idx: 0, downloaded: true }] },
    'TA_playlist_5f0c': { playlist_id: 'TA_playlist_5f0c', playlist_name: 'Mine', playlist_type: 'custom', playlist_active: true, playlist_subscribed: false, playlist_description: false, playlist_thumbnail: 'videos/a/aaaaaaaaaaa.jpg', playlist_last_refresh: 1_700_000_000, playlist_entries: [{ youtube_id: 'ccccccccccc', title: 'C', uploader: null, idx: 0, downloaded: true }] },
  },
  subtitle: Object.fromEntries([0, 1, 2].map((index) => [`bbbbbbbbbbb-en-${index}`, line('bbbbbbbbbbb', index)])),
  comment: {
    aaaaaaaaaaa: { youtube_id: 'aaaaaaaaaaa', comment_channel_id: one, comment_last_refresh: 1, comment_comments: [comment('c1'), comment('c1.r', { comment_parent: 'c1', comment_likecount: 4 })] },
    bbbbbbbbbbb: { youtube_id: 'bbbbbbbbbbb', comment_comments: [comment('d1', { comment_replies: [comment('d1.r', { comment_parent: undefined })] })] },
    nobody00000: { youtube_id: 'nobody00000', comment_comments: [comment('x')] },
  },
}; // prettier-ignore

const parts = (): Record<string, string> => ({
  ...Object.fromEntries(Object.entries(documents).map(([index, docs]) => [`es_${index}-20260105-0.json`, pairs(index, docs)])),
  // A run that died left its beginning: the later pair counts. And an index has its name after a migration.
  'es_video-20260105-1.json': pairs('video_v2', { bbbbbbbbbbb: video('bbbbbbbbbbb', two, { title: 'The later one', vid_type: 'shorts', published: '2023-07-22', active: false }) }),
  'es_subtitle-20260105-1.json': `${pairs('subtitle', { 'bbbbbbbbbbb-en-3': line('bbbbbbbbbbb', 3) })}{"index": broken\n{"no": "action"}\n${pairs('subtitle', { 'aaaaaaaaaaa-en-0': line('aaaaaaaaaaa', 0) })}${pairs('subtitle', { 'zzz-en-0': line('zzz', 0) })}`,
  'es_comment-20260105-1.json': '',
  'something else.txt': 'not read',
}); // prettier-ignore

describe.each(engines)('a backup of the original program, on $engine', (engine) => {
  let t: TestArchive;
  let ann: Awaited<ReturnType<typeof aUser>>;
  let annId: number;
  beforeEach(async () => {
    t = await testArchive({ on: engine, onDisk: true });
    await t.runner.begin();
    ann = await aUser(t, { name: 'Ann', isStaff: true });
    annId = ann.id!.id;
    await aUser(t, { name: 'Bob' });
    const { mediaFolder } = t.archive.config;
    await mkdir(join(mediaFolder, one), { recursive: true });
    await writeFile(join(mediaFolder, one, 'aaaaaaaaaaa.mp4'), 'media of a');
    await writeFile(
      join(mediaFolder, one, 'aaaaaaaaaaa.en.vtt'),
      'WEBVTT\n\n00:01.000 --> 00:02.000\nfrom the\n\n00:03.000 --> 00:04.000\nfile itself\n',
    );
    await mkdir(backupFolder(t.archive), { recursive: true });
  });
  afterEach(() => t.close());

  const write = (files: Record<string, string>, name = 'ta_backup-20260105-auto.zip') =>
    writeZip(join(backupFolder(t.archive), name), files);
  const restore = (said: { dry_run?: boolean; watched_for?: 'me' | 'all' } = {}, filename = 'ta_backup-20260105-auto.zip') =>
    done(t, t.archive.tasks.start(restoreBackup, { filename, dry_run: false, watched_for: 'me', account_id: annId, ...said }));

  test('comes with everything, in both generations and with every oddity', async () => {
    await write(parts());
    const said = await restore();
    expect(said.status, said.result ?? '').toBe('success');
    expect(said.result).toMatch(
      /2 channels, 5 videos \(1 were here\), 1 with their file in its place, 4 queue items \(1 were here\), 2 playlists/,
    );
    const content = await contentOf(t.archive.db);
    const of = (table: string, id: string) => content[table]!.find((row) => row['id'] === id)!;
    expect(of('channel', one)).toMatchObject({ isSubscribed: 1, description: 'About it', tabs: '["videos","shorts"]', overwrites: '{"autodelete_days":3,"index_playlists":true}', subscriberCount: 1200 }); // prettier-ignore
    expect(of('channel', two)).toMatchObject({
      isSubscribed: 0,
      isActive: 0,
      description: null,
      tabs: '["videos","streams","shorts"]',
      tags: '[]',
    });
    expect(of('video', 'aaaaaaaaaaa')).toMatchObject({ sizeBytes: 10, sha256: '', damage: null, isKept: 1, width: 1920, publishedAt: 1_690_000_000, downloadedAt: 1_695_000_000, commentCount: 2, averageRating: 4.5 }); // prettier-ignore
    expect(JSON.parse(String(of('video', 'aaaaaaaaaaa')['sponsorblock']))).toMatchObject({ segments: [{ segment: [1, 2.5] }] });
    expect(of('video', 'bbbbbbbbbbb')).toMatchObject({ title: 'The later one', kind: 'shorts', sizeBytes: 1234, damage: 'The file is missing.', isActive: 0, publishedAt: 1_689_984_000, mediaPath: `${two}/bbbbbbbbbbb.mp4` }); // prettier-ignore
    expect(of('video', 'ccccccccccc')).toMatchObject({
      mediaPath: `${two}/ccccccccccc.mp4`,
      description: null,
      viewCount: 0,
      categories: '["Music"]',
    });
    expect(content['video']).toHaveLength(4);
    expect(content['watch']!.map(({ accountId, videoId, watchedAt }) => [accountId, videoId, watchedAt])).toEqual([
      [annId, 'aaaaaaaaaaa', 1_696_000_000],
      [annId, 'ddddddddddd', expect.any(Number)],
    ]);
    expect(content['download']!.map(({ id, status, autoStart, durationSeconds, failure }) => [id, status, autoStart, durationSeconds, failure]).sort()).toEqual([
      ['fffffffffff', 'pending', 1, 3723, null],
      ['ggggggggggg', 'ignore', 0, null, null],
      ['hhhhhhhhhhh', 'pending', 0, null, 'unknown'],
    ]); // prettier-ignore
    expect(of('playlist', 'PLregular')).toMatchObject({ kind: 'regular', isSubscribed: 1, sortOrder: 'bottom' });
    expect(of('playlist', 'TA_playlist_5f0c')).toMatchObject({ kind: 'custom', description: null });
    expect(content['playlistEntry']!.map(({ playlistId, videoId }) => `${playlistId} ${videoId}`)).toEqual(['PLregular aaaaaaaaaaa', 'PLregular bbbbbbbbbbb', 'TA_playlist_5f0c ccccccccccc']); // prettier-ignore
    // From the file where there is one, else from the pieces.
    expect(content['line']!.map(({ videoId, position, startSeconds, endSeconds, text }) => [videoId, position, startSeconds, endSeconds, text])).toEqual([
      ['aaaaaaaaaaa', 0, 1, 2, 'from the'],
      ['aaaaaaaaaaa', 1, 3, 4, 'file itself'],
      ...[0, 1, 2, 3].map((index) => ['bbbbbbbbbbb', index, 1.5, 3609.25, `words ${index}`]),
    ]); // prettier-ignore
    expect(content['comment']!.map(({ id, parent, likeCount }) => [id, parent, likeCount])).toEqual([['c1', 'root', null], ['c1.r', 'c1', 4], ['d1', 'root', null], ['d1.r', 'd1', null]]); // prettier-ignore
    const setting = Object.fromEntries(content['setting']!.map(({ name, value }) => [name, value]));
    expect(setting).toEqual({ 'subscriptions.channel_size': '30', 'subscriptions.auto_start': 'true', 'downloads.format': '"bv*+ba"', 'downloads.sleep_interval': '7', 'downloads.add_thumbnail': 'true', 'downloads.pot_provider_url': '"http://pot:4416"', 'downloads.comment_max': '"all,100"', 'downloads.subtitle': '"en"', 'application.enable_cast': 'true' }); // prettier-ignore
    expect((await ann.call('GET', '/api/user/me/')).json()).toMatchObject({
      page_size: 25,
      stylesheet: 'light.css',
      grid_items: 3,
    });
    expect((await ann.call('GET', '/api/task/notification/')).json()).toMatchObject({
      update_subscribed: { urls: ['ntfy://topic'] },
    });
    // Each bad piece is one line: user_7, the address, the channel's id, the video of nobody, two broken lines, two of nobody.
    for (const what of ['user_7', 'update_subscribed', 'bad id!', 'eeeeeeeeeee', 'zzz-en-0', 'nobody00000'])
      expect(said.messages).toContain(what);
    expect(said.result).toMatch(/8 problems/);
    expect((await ann.call('GET', `/api/video/aaaaaaaaaaa/`)).statusCode).toBe(200);
    expect((await ann.call('GET', `/api/video/aaaaaaaaaaa/comment/`)).json()).toHaveLength(1);
  });

  test('a second time changes nothing, and a dry run counts without writing', async () => {
    await write(parts());
    const before = await contentOf(t.archive.db);
    const dry = await restore({ dry_run: true });
    expect(dry.result).toMatch(/It would bring 4 settings, 2 channels, 5 videos.*8 problems. Nothing was changed/);
    expect(await contentOf(t.archive.db)).toEqual(before);
    await restore();
    const first = await contentOf(t.archive.db);
    const again = await restore();
    expect(again.status, again.result ?? '').toBe('success');
    expect(await contentOf(t.archive.db)).toEqual(first);
  });

  test('what is here and newer, or has its file, stays; nothing of ours is lost', async () => {
    const { db } = t.archive;
    await aChannel(db, { id: one, name: 'Renamed here', refreshedAt: 1_800_000_000, overwrites: '{"autodelete_days":90}' });
    await aVideo(db, {
      id: 'aaaaaaaaaaa',
      channelId: one,
      title: 'Ours',
      sha256: 'f'.repeat(64),
      mediaPath: `${one}/aaaaaaaaaaa.mp4`,
    });
    await aVideo(db, { id: 'yyyyyyyyyyy', channelId: one, mediaPath: `${two}/bbbbbbbbbbb.mp4` });
    await addExactly(db, 'watch', [{ accountId: annId, videoId: 'aaaaaaaaaaa', watchedAt: null, positionSeconds: 30, updatedAt: 1_800_000_000 }]); // prettier-ignore
    await addExactly(db, 'setting', [{ name: 'downloads.format', value: '"mine"' }]);
    await addExactly(db, 'download', [{ number: 1, id: 'fffffffffff', site: 'youtube', siteId: 'fffffffffff', url: 'u', title: 'Ours', foldedTitle: 'ours', channelId: one, channelName: 'A', kind: 'videos', status: 'ignore', autoStart: 0, queuedAt: 1 }]); // prettier-ignore
    await db.insertInto('playlist').values({ id: 'TA_playlist_5f0c', kind: 'custom', name: 'Mine now', sortName: 'mine now', refreshedAt: 5 }).execute(); // prettier-ignore
    await addExactly(db, 'playlistEntry', [
      { playlistId: 'TA_playlist_5f0c', position: 0, videoId: 'yyyyyyyyyyy', title: 'Y', uploader: null },
    ]);
    await write(parts());
    const said = await restore({ watched_for: 'all' });
    expect(said.status, said.result ?? '').toBe('success');
    const content = await contentOf(db);
    expect(content['channel']!.find(({ id }) => id === one)).toMatchObject({ name: 'Renamed here', isSubscribed: 1, overwrites: '{"autodelete_days":90,"index_playlists":true}' }); // prettier-ignore
    expect(content['video']!.find(({ id }) => id === 'aaaaaaaaaaa')).toMatchObject({ title: 'Ours', sha256: 'f'.repeat(64) });
    expect(content['video']!.map(({ id }) => id)).not.toContain('bbbbbbbbbbb');
    expect(said.messages).toContain(`belongs to yyyyyyyyyyy here`);
    const watched = (accountId: number) => content['watch']!.filter((row) => row['accountId'] === accountId).map((row) => [row['videoId'], row['watchedAt'] !== null]); // prettier-ignore
    expect(watched(annId)).toEqual([['aaaaaaaaaaa', false], ['ddddddddddd', true]]); // prettier-ignore
    expect(new Set(content['watch']!.map((row) => row['accountId'])).size).toBe(2);
    expect(content['setting']!.find(({ name }) => name === 'downloads.format')).toMatchObject({ value: '"mine"' });
    expect(content['download']!.find(({ id }) => id === 'fffffffffff')).toMatchObject({ status: 'ignore', title: 'Ours' });
    expect(content['playlistEntry']!.filter(({ playlistId }) => playlistId === 'TA_playlist_5f0c').map(({ videoId }) => videoId)).toEqual(['yyyyyyyyyyy', 'ccccccccccc']); // prettier-ignore
  });

  test('cut off after any batch and begun again, it ends the same', async () => {
    const many = Object.fromEntries(Array.from({ length: 900 }, (_, n) => [`v${String(n).padStart(10, '0')}`, video(`v${String(n).padStart(10, '0')}`, n % 2 ? one : two)])); // prettier-ignore
    const lines = Object.fromEntries(Array.from({ length: 900 }, (_, n) => [`v0000000001-en-${n}`, line('v0000000001', n)]));
    await write({ 'es_video-20260105-0.json': pairs('video', many), 'es_subtitle-20260105-0.json': pairs('subtitle', lines) });
    const { archive, runner } = t;
    await archive.tasks.start(restoreBackup, { filename: 'ta_backup-20260105-auto.zip', dry_run: false, watched_for: 'me', account_id: annId }); // prettier-ignore
    const counts: number[] = [];
    for (let times = 0; times < 10; times++) {
      await new Promise((resolve) => setTimeout(resolve, 60 + times * 120));
      await runner.end();
      const { count } = await archive.db.selectFrom('line').select((e) => e.fn.countAll<number>().as('count')).executeTakeFirstOrThrow(); // prettier-ignore
      const videos = await archive.db.selectFrom('video').select((e) => e.fn.countAll<number>().as('count')).executeTakeFirstOrThrow(); // prettier-ignore
      counts.push(videos.count + count);
      await runner.begin();
      if (counts.at(-1) === 1800) break;
    }
    await runner.idle();
    expect(Math.min(...counts), 'it was cut off before its end').toBeLessThan(1800);
    const content = await contentOf(archive.db);
    expect([content['video']!.length, content['line']!.length]).toEqual([900, 900]);
  });
});

describe('values of many years', () => {
  test.each([
    ['2023-07-22', 1_689_984_000],
    [1_690_000_000.5, 1_690_000_000],
    ['1690000000', 1_690_000_000],
    ['', null],
    [false, null],
    [Number.NaN, null],
    ['soon', null],
    [{}, null],
    [-5, null],
  ])('the time %s is %s', (value, seconds) => expect(asTime(value)).toBe(seconds));

  test('a path that leads anywhere else is none', () =>
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.constantFrom('..', '.', '/', '\\', 'a', '', '\0', 'C:', '.hidden'), fc.string()), { maxLength: 6 }), (pieces) => {
        const path = asPath(pieces.join('/'));
        if (path !== null) expect(join('/media', path).startsWith('/media/') && dirname(path) !== '..' && !path.includes('\\')).toBe(true);
      }),
    )); // prettier-ignore

  test('every clock that can be written is read back', () =>
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 359_999_999 }), (ms) => {
        const part = (value: number, digits: number) => String(value).padStart(digits, '0');
        const text = `${part(Math.floor(ms / 3_600_000), 2)}:${part(Math.floor(ms / 60_000) % 60, 2)}:${part(Math.floor(ms / 1000) % 60, 2)}.${part(ms % 1000, 3)}`;
        expect(asClock(text)).toBe(ms / 1000);
      }),
    ));
});
