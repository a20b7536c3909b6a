import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatPresets } from '#contract/settings.ts';
import { indexPendingPeriodically } from '#server/features/search/index/index-pending.ts';
import { engines } from '#server/test-support/app.ts';
import { aCatalogue, aChannel, aClip, aPlaylist, aVideo, cuesFrom } from '../../test-site/builders.ts';
import {
  add,
  createArchive,
  inconsistencies,
  eventually,
  hasTools,
  queueOf,
  videoOf,
  type TestSiteArchive,
} from '../support/acquisition.ts';

const channel = aChannel({ name: 'Night Trains', subscribers: 4200, look: { scene: 'blend', seed: 2 } });
const full = aVideo({
  id: 'fullVideo01',
  channelId: channel.id,
  title: 'The 23:40 to the coast',
  durationSeconds: 8,
  subtitles: [
    { language: 'en', name: 'English', automatic: false, cues: cuesFrom(['All aboard.', 'Mind the gap & the <doors>.'], 8) },
    { language: 'de', name: 'German', automatic: true, cues: cuesFrom(['Bitte einsteigen.'], 8) },
  ],
  chapters: [
    { startSeconds: 0, title: 'Platform' },
    { startSeconds: 4, title: 'Sea' },
  ],
  comments: [
    {
      id: 'c1',
      text: 'I was on it!',
      author: '@ann',
      authorId: 'UCann',
      likes: 3,
      ago: '2 days ago',
      replies: [{ id: 'c1.r1', text: 'Me too', author: '@ben', authorId: 'UCben', likes: 0, ago: '1 day ago' }],
    },
    { id: 'c2', text: '<b>Fake</b> & real', author: '@cy', authorId: 'UCcy', likes: 0, ago: '1 hour ago' },
  ],
  sponsors: [{ category: 'sponsor', startSeconds: 1, endSeconds: 2, locked: true }],
  dislikes: 12,
});
const short = aVideo({
  id: 'shortVideo1',
  channelId: channel.id,
  title: 'A short one',
  kind: 'short',
  width: 180,
  height: 320,
  durationSeconds: 5,
});
const stream = aVideo({
  id: 'streamVide1',
  channelId: channel.id,
  title: 'Live from the cab',
  kind: 'stream',
  startsAt: new Date('2025-05-01T18:00:00Z'),
});
const privateOne = aVideo({ id: 'privateVid1', channelId: channel.id, title: 'Not for you', fails: 'private', unlisted: true });
const odd = aVideo({
  id: '-dashVideo1',
  channelId: channel.id,
  title: `../../“Zug/Bahn” \\ 🚂 مرحبا ${'lang '.repeat(60)}`.slice(0, 300),
  unlisted: true,
});
const clip = aClip({ title: 'A clip elsewhere', durationSeconds: 6 });
const others = Array.from({ length: 4 }, (_, n) =>
  aVideo({ id: `listVideo0${n}`, channelId: channel.id, title: `Part ${n}`, unlisted: true }),
);
const playlist = aPlaylist({
  channelId: channel.id,
  title: 'The whole line',
  videoIds: [others[2]!.id, others[0]!.id, others[3]!.id, others[1]!.id],
});

const testCatalogue = () =>
  aCatalogue({
    channels: [channel],
    videos: [full, short, stream, privateOne, odd, ...others],
    playlists: [playlist],
    clips: [clip],
  });

describe.runIf(hasTools).each(engines)('downloading a link, on $engine', (on) => {
  let t: TestSiteArchive;
  beforeAll(async () => {
    t = await createArchive(testCatalogue(), { on });
    const settings = {
      subtitle: 'en,de',
      subtitle_source: 'auto',
      comment_max: '100,all,all,all',
      integrate_sponsorblock: true,
      integrate_ryd: true,
    };
    expect((await t.staff.call('POST', '/api/appsettings/config/', { downloads: settings })).statusCode).toBe(200);
    await add(t, `https://www.youtube.com/watch?v=${full.id}`);
  });
  afterAll(() => t.close());
  const media = (path: string) => join(t.app.config.mediaFolder, path);

  test('archives a video with all its metadata', async () => {
    expect(await queueOf(t)).toEqual([]);
    const video = await videoOf(t, full.id);
    expect(video).toMatchObject({
      title: 'The 23:40 to the coast',
      vid_type: 'videos',
      active: true,
      is_protected: false,
      player: { watched: false, duration: 8 },
      stats: { view_count: 4321, dislike_count: 12 },
      channel: { channel_id: channel.id, channel_name: 'Night Trains', channel_tabs: ['videos'] },
      chapters: [
        { title: 'Platform', start: 0, end: 4 },
        { title: 'Sea', start: 4, end: 8 },
      ],
      sponsorblock: { segments: [{ category: 'sponsor', segment: [1, 2], locked: 1 }] },
      comment_count: 3,
    });
    expect(video.streams.map((one: { type: string }) => one.type).sort()).toEqual(['audio', 'video']);
    expect(video.tags).toEqual(['one', 'two words']);
  });

  test('serves the media file with the recorded size', async () => {
    const video = await videoOf(t, full.id);
    const response = await t.server.inject({ url: video.media_url, headers: { ...t.staff.headers, range: 'bytes=4-7' } });
    expect([response.statusCode, response.body]).toEqual([206, 'ftyp']);
    expect((await stat(media(`${channel.id}/${full.id}.mp4`))).size).toBe(video.media_size);
    expect((await t.server.inject({ url: video.vid_thumb_url, headers: t.staff.headers })).headers['content-type']).toBe(
      'image/jpeg',
    );
  });

  test('saves subtitles as WebVTT and distinguishes automatic ones', async () => {
    const { subtitles } = await videoOf(t, full.id);
    expect(subtitles.map(({ lang, source }: { lang: string; source: string }) => [lang, source])).toEqual([
      ['de', 'auto'],
      ['en', 'user'],
    ]);
    const english = await t.server.inject({ url: subtitles[1].media_url, headers: t.staff.headers });
    expect(english.body).toMatch(/^WEBVTT\nKind: captions\nLanguage: en\n/);
    expect(english.body).toContain('Mind the gap &amp; the &lt;doors&gt;.');
  });

  test('saves comments with replies as plain text', async () => {
    const comments = (await t.staff.call('GET', `/api/video/${full.id}/comment/`)).json();
    expect(comments.map((one: { comment_text: string }) => one.comment_text).sort()).toEqual([
      '<b>Fake</b> & real',
      'I was on it!',
    ]);
    const first = comments.find((one: { comment_text: string }) => one.comment_text.startsWith('I was'));
    expect(first.comment_replies).toMatchObject([{ comment_text: 'Me too', comment_author: '@ben' }]);
  });

  test('saves the info.json next to the media file', async () => {
    const info = JSON.parse(await readFile(media(`${channel.id}/${full.id}.info.json`), 'utf8'));
    expect(info).toMatchObject({ id: full.id, title: full.title });
  });

  test('downloads videos, shorts and streams of a channel with their kind', async () => {
    await add(t, channel.handle);
    expect((await videoOf(t, short.id))?.vid_type).toBe('shorts');
    expect((await videoOf(t, stream.id))?.vid_type).toBe('streams');
    expect((await t.staff.call('GET', `/api/channel/${channel.id}/`)).json()).toMatchObject({
      channel_tabs: ['videos', 'streams', 'shorts'],
      channel_subs: 4200,
    });
  });

  test('saves images and description of a channel', async () => {
    const found = (await t.staff.call('GET', `/api/channel/${channel.id}/`)).json();
    expect(found).toMatchObject({ channel_description: 'Night Trains shows things.', channel_tags: ['first tag', 'second'] });
    for (const url of [found.channel_thumb_url, found.channel_banner_url, found.channel_tvart_url])
      expect((await t.server.inject({ url, headers: t.staff.headers })).headers['content-type']).toBe('image/jpeg');
  });

  test('keeps order and title of a playlist', async () => {
    await add(t, `https://www.youtube.com/playlist?list=${playlist.id}`);
    const found = (await t.staff.call('GET', `/api/playlist/${playlist.id}/`)).json();
    expect(found.playlist_name).toBe('The whole line');
    expect(
      found.playlist_entries.map((entry: { youtube_id: string; downloaded: boolean }) => [entry.youtube_id, entry.downloaded]),
    ).toEqual(playlist.videoIds.map((id) => [id, true]));
    const listed = (await t.staff.call('GET', `/api/video/?playlist=${playlist.id}`)).json().data;
    expect(listed.map((video: { youtube_id: string }) => video.youtube_id)).toEqual(playlist.videoIds);
  });

  test('downloads a video of another site', async () => {
    await add(t, `https://clips.example/watch/${clip.slug}`);
    const { data } = (await t.staff.call('GET', '/api/video/?sort=downloaded')).json();
    expect(data[0]).toMatchObject({
      title: clip.title,
      youtube_id: expect.stringMatching(/^generic\.[-\w.]+$/),
      source_url: `https://clips.example/watch/${clip.slug}`,
    });
    const { youtube_id: id, media_url: url, media_size: size } = data[0];
    const head = await t.server.inject({ url, headers: t.staff.headers, method: 'HEAD' });
    expect([head.statusCode, head.headers['content-length']]).toEqual([200, String(size)]);
    // The id is enough from now on, as for YouTube videos.
    t.testSite.requests.length = 0;
    await add(t, id, '?autostart=true&force=true');
    expect(t.testSite.requests.some(({ path }) => path.includes(clip.slug))).toBe(true);
    for (const unknownId of ['generic.never-seen', 'nonsense'])
      expect((await t.staff.call('POST', `/api/download/${unknownId}/`, { status: 'ignore-force' })).statusCode).toBe(404);
  });

  test('keeps a title with slashes, quotes, emoji and 300 characters, and uses it in no file name', async () => {
    await add(t, odd.id);
    const video = await videoOf(t, odd.id);
    expect(video.title).toBe(odd.title.trim());
    expect(video.media_url).toBe(`/youtube/${channel.id}/${odd.id}.mp4`);
  });

  test('keeps a failed item in the queue with its reason, and downloads the others', async () => {
    await t.staff.call('DELETE', `/api/video/${full.id}/`);
    await add(t, `${privateOne.id} ${full.id}`);
    expect(await queueOf(t)).toMatchObject([
      { youtube_id: privateOne.id, failure: 'private', message: expect.stringMatching(/^Private\./) },
    ]);
    expect(await videoOf(t, full.id)).not.toBeNull();
  });

  test('does not download an archived video again unless forced', async () => {
    const before = (await videoOf(t, short.id))!;
    await t.staff.call('POST', '/api/watched/', { id: short.id, is_watched: true });
    t.testSite.requests.length = 0;
    await add(t, short.id);
    expect(t.testSite.requests.filter(({ path }) => path.startsWith('/videoplayback'))).toEqual([]);
    await add(t, short.id, '?autostart=true&force=true');
    expect(t.testSite.requests.some(({ path }) => path.startsWith('/videoplayback'))).toBe(true);
    expect(await videoOf(t, short.id)).toMatchObject({ date_downloaded: before.date_downloaded, player: { watched: true } });
  });

  test('does not restore a video that is deleted and ignored during a redownload', async () => {
    const ignored = async () => (await t.staff.call('GET', '/api/download/?filter=ignore')).json().data as { running: boolean }[];
    await add(t, short.id);
    expect(await videoOf(t, short.id)).not.toBeNull();
    short.fault = { kind: 'slow', bytesPerSecond: 5000 };
    t.testSite.requests.length = 0;
    await t.staff.call('POST', '/api/download/?autostart=true&force=true', { data: [{ youtube_id: short.id }] });
    await eventually(async () => t.testSite.requests.some(({ path }) => path.startsWith('/videoplayback')) || null);
    expect((await t.staff.call('DELETE', `/api/video/${short.id}/?ignore=true`)).statusCode).toBe(204);
    delete short.fault;
    await t.runner.idle();
    expect(await videoOf(t, short.id)).toBeNull();
    expect(await ignored()).toMatchObject([{ youtube_id: short.id, running: false }]);
    expect(await inconsistencies(t)).toEqual([]);
  });

  test('does not restore a video that is deleted during or before its redownload', async () => {
    const redownload = (id: string) =>
      t.staff.call('POST', '/api/download/?autostart=true&force=true', { data: [{ youtube_id: id }] });
    const queuedIds = async () => (await queueOf(t)).map(({ youtube_id }) => youtube_id);
    await add(t, stream.id);
    expect([await videoOf(t, stream.id), await videoOf(t, full.id)]).not.toContain(null);
    stream.fault = { kind: 'slow', bytesPerSecond: 5000 };
    t.testSite.requests.length = 0;
    await redownload(stream.id);
    await eventually(async () => t.testSite.requests.some(({ path }) => path.startsWith('/videoplayback')) || null);
    await redownload(full.id); // waits, because each site is requested by one task at a time
    await eventually(async () => ((await queuedIds()).includes(full.id) ? true : null));
    for (const { id } of [full, stream]) expect((await t.staff.call('DELETE', `/api/video/${id}/`)).statusCode).toBe(204);
    delete stream.fault;
    await t.runner.idle();
    expect([await videoOf(t, stream.id), await videoOf(t, full.id)]).toEqual([null, null]);
    expect(await queuedIds()).not.toEqual(expect.arrayContaining([stream.id]));
    expect(await queuedIds()).not.toEqual(expect.arrayContaining([full.id]));
    expect(await inconsistencies(t)).toEqual([]);
    // A new explicit request downloads it again.
    await add(t, stream.id);
    expect(await videoOf(t, stream.id)).not.toBeNull();
  });

  test.each([
    ['a link', 'POST', '/api/download/', { data: [{ youtube_id: privateOne.id, status: 'pending' }] }],
    ['a subscription', 'POST', '/api/channel/', { data: [{ channel_id: channel.id, channel_subscribed: true }] }],
    ['a scan', 'POST', '/api/task/by-name/update_subscribed/', undefined],
  ] as const)('%s waits while yt-dlp is being installed, then succeeds', async (_, method, path, body) => {
    const { tools } = t.app;
    const originalTools = { ytdlp: tools.ytdlp, ytdlpSought: tools.ytdlpSought };
    const installation = Promise.withResolvers<void>();
    Object.assign(tools, { ytdlp: null, ytdlpSought: installation });
    try {
      const { task_id } = (await t.staff.call(method, path, body)).json();
      await eventually(async () =>
        JSON.stringify((await t.staff.call('GET', '/api/notification/')).json()).includes('yt-dlp is being installed'),
      );
      Object.assign(tools, originalTools);
      installation.resolve();
      await t.runner.idle();
      const { status, result } = (await t.staff.call('GET', `/api/task/by-id/${task_id}/`)).json();
      expect({ status, result }).toMatchObject({ status: 'SUCCESS' });
      expect(String(result)).not.toContain('not there');
      const { notes } = (await t.staff.call('GET', `/api/task/runs/${task_id}/`)).json();
      expect(JSON.stringify(notes)).not.toContain('not there');
    } finally {
      Object.assign(tools, originalTools);
      installation.resolve();
    }
  });

  test('downloads English and original-language subtitles by default and indexes them', async () => {
    const spoken = aVideo({
      id: 'germanSpok1',
      channelId: channel.id,
      title: 'Gleis neun',
      durationSeconds: 6,
      subtitles: [
        {
          language: 'de',
          name: 'Deutsch',
          automatic: true,
          cues: [{ startSeconds: 1, endSeconds: 3, text: 'Bitte zurückbleiben' }],
        },
      ],
    });
    t.testSite.catalogue.videos.push(spoken);
    const before = (await t.staff.call('GET', '/api/appsettings/config/')).json().downloads;
    await t.app.db.deleteFrom('setting').where('name', 'like', 'downloads.subtitle%').execute();
    expect((await t.staff.call('GET', '/api/appsettings/config/')).json().downloads).toMatchObject({
      subtitle: 'en,original',
      subtitle_source: 'auto',
      subtitle_index: true,
    });
    await add(t, spoken.id);
    const { subtitles } = await videoOf(t, spoken.id);
    expect(subtitles.map(({ lang }: { lang: string }) => lang)).toContain('de');
    expect(new Set(subtitles.map(({ lang }: { lang: string }) => lang)).size).toBe(subtitles.length);
    await indexPendingPeriodically(t.app);
    const found = (await t.staff.call('GET', '/api/search/?query=full:zurückbleiben')).json().results.fulltext_results;
    expect(found).toMatchObject([{ youtube_id: spoken.id }]);
    const { subtitle, subtitle_source, subtitle_index } = before;
    await t.staff.call('POST', '/api/appsettings/config/', { downloads: { subtitle, subtitle_source, subtitle_index } });
  });

  test('rejects a download format that yt-dlp cannot parse, and keeps the previous one', async () => {
    const save = (downloads: object) => t.staff.call('POST', '/api/appsettings/config/', { downloads });
    const response = await save({ format: 'bv[height<=720' });
    expect([response.statusCode, response.json().error]).toEqual([400, expect.stringMatching(/^Not a valid yt-dlp format: /)]);
    expect((await t.staff.call('GET', '/api/appsettings/config/')).json().downloads.format).toBeNull();
    const own = { channel_overwrites: { download_format: '[[' } };
    expect((await t.staff.call('POST', `/api/channel/${channel.id}/`, own)).statusCode).toBe(400);
    for (const { format } of formatPresets) if (format) expect((await save({ format })).statusCode, format).toBe(200);
    await save({ format: null });
  });

  test('leaves rows and files consistent', async () => {
    expect(await inconsistencies(t)).toEqual([]);
  });
});
