import { execFileSync } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Podcast } from '#contract/podcast.ts';
import { fingerprint } from '../../platform/files/files.ts';
import { createChannel, createUser, createVideo, engines, testApp, type TestApp } from '../../test-support/app.ts';

const hasFfmpeg = Boolean(process.env.REELKEEP_FFMPEG);
const awkward = 'Tea & "coffee" <b>\r\nfor \'two\' ]]> 東京 🎉\u0007';

describe.each(engines)('podcast feeds on $engine', (on) => {
  let t: TestApp;
  let anna: Awaited<ReturnType<typeof createUser>>;
  let ben: Awaited<ReturnType<typeof createUser>>;
  let now = 1_795_000_000;
  /** A channel of the test. */
  let channel: string;
  beforeAll(async () => {
    t = await testApp({ on, withTools: hasFfmpeg });
    t.app.now = () => now;
  });
  afterAll(() => t.close());
  beforeEach(async () => {
    [anna, ben] = [await createUser(t), await createUser(t)];
    channel = await createChannel(t.app.db, { name: awkward, description: 'About & more' });
  });

  const createFeed = async (user: typeof anna, body: object) => {
    const response = await user.call('POST', '/api/podcast/', body);
    expect(response.statusCode, response.body).toBe(200);
    return response.json<{ id: number; url: string }>();
  };
  const pathOf = (url: string) => url.replace('http://localhost:80', '').replace('http://localhost', '');
  const get = (url: string, headers: Record<string, string> = {}) => t.server.inject({ url: pathOf(url), headers });
  /** Values of an attribute, or the texts of an element, unescaped. */
  const unescape = (text: string) =>
    text
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&apos;', "'")
      .replaceAll('&#13;', '\r')
      .replaceAll('&amp;', '&');
  const textsOf = (xml: string, name: string) =>
    [...xml.matchAll(new RegExp(`<${name}(?: [^>]*)?>([^<]*)</${name}>`, 'g'))].map(([, text]) => unescape(text!));
  const attributesOf = (xml: string, name: string, attribute: string) =>
    [...xml.matchAll(new RegExp(`<${name} [^>]*?${attribute}="([^"]*)"`, 'g'))].map(([, text]) => unescape(text!));
  const itemsOf = (xml: string) => textsOf(xml.slice(xml.indexOf('<item>')), 'title');

  const createFilm = async (id: string, { extension = '.mp4', args = [] as string[], ...values } = {}) => {
    const mediaPath = `${channel}/${id}${extension}`;
    const path = join(t.app.config.mediaFolder, mediaPath);
    await mkdir(dirname(path), { recursive: true });
    if (args.length > 0) execFileSync(t.app.tools.ffmpeg!.ffmpeg, ['-v', 'error', '-y', ...args, path]);
    else await writeFile(path, 'film '.repeat(100));
    await createVideo(t.app.db, { id, channelId: channel, mediaPath, ...(await fingerprint(path)), ...values });
    return path;
  };

  test('list the videos of a channel with their files, escaped', async () => {
    const path = await createFilm('v1', {
      title: awkward,
      description: 'Line 1\nLine <2> & "3"',
      publishedAt: Date.UTC(2026, 2, 9, 8) / 1000,
      durationSeconds: 61,
      chapters: '[{"title":"Start & <go>","start":0,"end":30.5}]',
      music: '{"artists":["Ada & Co","Bo"],"track":"Ebb"}',
    } as never);
    await t.app.db
      .insertInto('subtitle')
      .values({ videoId: 'v1', lang: 'de', source: 'user', name: 'Deutsch', path: `${channel}/v1.de.vtt` })
      .execute();
    await writeFile(join(dirname(path), 'v1.de.vtt'), 'WEBVTT\n\n00:00:01.000 --> 00:00:02.500\nHallo & Tschüs\n');
    const { url } = await createFeed(anna, { type: 'channel', id: channel, media: 'video' });
    const feed = await get(url);
    expect(feed.headers).toMatchObject({ 'content-type': 'application/rss+xml; charset=utf-8', 'x-robots-tag': 'noindex' });
    const xml = feed.body;
    expect(textsOf(xml, 'title')[0]).toBe(`${awkward.replace('\u0007', '')} (video)`);
    expect(itemsOf(xml)).toEqual([awkward.replace('\u0007', '')]);
    expect(textsOf(xml, 'description')).toEqual(['About & more', 'Line 1\nLine <2> & "3"']);
    expect(textsOf(xml, 'pubDate')).toEqual(['Mon, 09 Mar 2026 08:00:00 GMT']);
    expect(textsOf(xml, 'itunes:author').at(-1)).toBe('Ada & Co, Bo');
    expect(textsOf(xml, 'itunes:duration')).toEqual(['61']);
    // Several videos of one day have no number of their own.
    expect([textsOf(xml, 'itunes:episode'), textsOf(xml, 'language')]).toEqual([[], ['de']]);
    expect(textsOf(xml, 'podcast:guid')[0]).toMatch(/^[\da-f]{8}-[\da-f]{4}-5[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    expect(attributesOf(xml, 'enclosure', 'length')).toEqual(['500']);
    expect(attributesOf(xml, 'enclosure', 'type')).toEqual(['video/mp4']);

    const [media] = attributesOf(xml, 'enclosure', 'url');
    expect(media).toMatch(/\/v1\.mp4$/);
    const part = await get(media!, { range: 'bytes=5-8' });
    expect([part.statusCode, part.body, part.headers['content-range'], part.headers['content-type']]).toEqual([
      206,
      'film',
      'bytes 5-8/500',
      'video/mp4',
    ]);
    const head = await t.server.inject({ method: 'HEAD', url: pathOf(media!) });
    expect([head.statusCode, head.headers['content-length']]).toEqual([200, '500']);
    const [vtt, json] = attributesOf(xml, 'podcast:transcript', 'url');
    expect((await get(vtt!)).body).toContain('Hallo & Tschüs');
    expect((await get(json!)).json()).toEqual({
      version: '1.0.0',
      segments: [{ startTime: 1, endTime: 2.5, body: 'Hallo & Tschüs' }],
    });
    const [chapters] = attributesOf(xml, 'podcast:chapters', 'url');
    expect((await get(chapters!)).json()).toEqual({
      version: '1.2.0',
      chapters: [{ startTime: 0, endTime: 30.5, title: 'Start & <go>' }],
    });
    const [cover, picture] = attributesOf(xml, 'itunes:image', 'href');
    for (const one of [cover, picture]) {
      const image = await get(one!);
      expect([image.statusCode, image.headers['content-type']]).toEqual([200, 'image/jpeg']);
    }
    // A signature opens the files of its episode only.
    await createFilm('v2');
    expect((await get(media!.replaceAll('v1', 'v2'))).statusCode).toBe(403);
    expect((await get(media!.replace('v1.mp4', 'v1.exe'))).statusCode).toBe(404);
    expect((await get(media!.replace('v1.mp4', 'v2.mp4'))).statusCode).toBe(404);
  });

  test('contain playlists in their order, smart lists as filtered, and everything by the time it was added', async () => {
    const { db } = t.app;
    for (const [id, publishedAt, downloadedAt] of [
      ['a', 3, 10],
      ['b', 2, 30],
      ['c', 1, 20],
    ] as const)
      await createVideo(db, { id, title: id, channelId: channel, publishedAt, downloadedAt });
    const { playlist_id: id } = (await anna.call('POST', '/api/playlist/custom/', { playlist_name: 'Mine' })).json();
    for (const video_id of ['b', 'a']) await anna.call('POST', `/api/playlist/custom/${id}/`, { action: 'create', video_id });
    const filter = { watch: 'unwatched', channel };
    const list = (await anna.call('POST', '/api/list/', { name: 'Open', filter })).json();
    await anna.call('POST', '/api/watched/', { id: 'a', is_watched: true });
    const titles = async (body: object) => itemsOf((await get((await createFeed(anna, { media: 'video', ...body })).url)).body);
    expect(await titles({ type: 'playlist', id })).toEqual(['b', 'a']);
    expect(await titles({ type: 'smart-list', id: list.id })).toEqual(['b', 'c']);
    expect((await titles({ type: 'new' })).filter((title) => /^[abc]$/.test(title))).toEqual(['b', 'c', 'a']);
    expect(await titles({ type: 'channel', id: channel })).toEqual(['a', 'b', 'c']);

    const feeds = (await anna.call('GET', '/api/podcast/')).json<Podcast[]>();
    expect(feeds.map(({ type, target, name }) => [type, target, name])).toEqual([
      ['playlist', id, 'Mine'],
      ['smart-list', String(list.id), 'Open'],
      ['new', null, 'Reelkeep'],
      ['channel', channel, awkward],
    ]);
    const same = await createFeed(anna, { type: 'new', media: 'video' });
    expect(same.url).toBe(feeds[2]!.url);
    expect((await createFeed(anna, { type: 'new', media: 'audio' })).url).not.toBe(same.url);
    expect((await ben.call('GET', '/api/podcast/')).json()).toEqual([]);
  });

  test('are only for what the person may see', async () => {
    const { playlist_id: id } = (await anna.call('POST', '/api/playlist/custom/', { playlist_name: 'Mine' })).json();
    const list = (await anna.call('POST', '/api/list/', { name: 'Own', filter: {} })).json();
    for (const [body, status] of [
      [{ type: 'playlist', id }, 404],
      [{ type: 'smart-list', id: list.id }, 404],
      [{ type: 'channel', id: 'nothing' }, 404],
      [{ type: 'channel' }, 400],
      [{ type: 'new', id: channel }, 400],
      [{ type: 'smart-list', id: 'x' }, 404],
    ] as const)
      expect((await ben.call('POST', '/api/podcast/', { media: 'audio', ...body })).statusCode, JSON.stringify(body)).toBe(
        status,
      );
    await anna.call('POST', `/api/playlist/custom/${id}/sharing/`, { is_shared: true });
    await anna.call('POST', `/api/list/${list.id}/`, { is_shared: true });
    const feeds = [
      await createFeed(ben, { type: 'playlist', id, media: 'audio' }),
      await createFeed(ben, { type: 'smart-list', id: list.id, media: 'audio' }),
    ];
    for (const { url } of feeds) expect((await get(url)).statusCode).toBe(200);
    await anna.call('POST', `/api/playlist/custom/${id}/sharing/`, { is_shared: false });
    await anna.call('DELETE', `/api/list/${list.id}/`);
    for (const { url } of feeds) {
      const gone = await get(url);
      expect([gone.statusCode, gone.json().error]).toEqual([410, expect.stringContaining('no longer leads anywhere')]);
    }
    expect((await ben.call('GET', '/api/podcast/')).json<Podcast[]>().map(({ name }) => name)).toEqual([null, null]);
  });

  test('end when they are revoked, and with the account', async () => {
    const staff = await createUser(t, { isStaff: true });
    const revoked = await createFeed(anna, { type: 'channel', id: channel, media: 'audio' });
    expect((await ben.call('DELETE', `/api/podcast/${revoked.id}/`)).statusCode).toBe(404);
    expect((await anna.call('DELETE', `/api/podcast/${revoked.id}/`)).statusCode).toBe(204);
    const answer = await get(revoked.url);
    expect([answer.statusCode, answer.json().error]).toEqual([410, 'This link was revoked. Ask for a new one.']);
    const renewed = await createFeed(anna, { type: 'channel', id: channel, media: 'audio' });
    expect(renewed.url).not.toBe(revoked.url);
    const tampered = await get(renewed.url.replace(/\w(?=\/feed\.xml)/, (end) => (end === 'A' ? 'B' : 'A')));
    expect([tampered.statusCode, tampered.json().detail]).toEqual([403, expect.stringContaining('not valid')]);

    const ofBen = await createFeed(ben, { type: 'new', media: 'audio' });
    await t.app.db.updateTable('account').set({ isDisabled: 1 }).where('id', '=', anna.id).execute();
    expect((await get(renewed.url)).statusCode).toBe(410);
    await t.app.db.updateTable('account').set({ isDisabled: 0 }).where('id', '=', anna.id).execute();
    expect((await get(renewed.url)).statusCode).toBe(200);
    await staff.call('POST', `/api/users/${anna.id}/`, { is_disabled: true });
    expect((await get(renewed.url)).statusCode).toBe(410);
    await staff.call('DELETE', `/api/users/${ben.id}/`);
    expect((await get(ofBen.url)).statusCode).toBe(410);
  });

  test('have pages, and answer conditional requests', async () => {
    const { db } = t.app;
    const rows = Array.from({ length: 1001 }, (_, n) => ({
      id: `n${n}`,
      site: 's',
      siteId: `n${n}`,
      channelId: channel,
      title: `T${n}`,
      sortTitle: `t${n}`,
      kind: 'videos' as const,
      publishedAt: n,
      downloadedAt: n,
      refreshedAt: n,
      durationSeconds: 1,
      sizeBytes: 1,
      sha256: '',
      mediaPath: `${channel}/n${n}.mp4`,
    }));
    for (let from = 0; from < rows.length; from += 200)
      await db
        .insertInto('video')
        .values(rows.slice(from, from + 200))
        .execute();
    const { url } = await createFeed(anna, { type: 'channel', id: channel, media: 'video' });
    const first = await get(url);
    expect(itemsOf(first.body)).toHaveLength(1000);
    const links = (xml: string) =>
      [...xml.matchAll(/<atom:link rel="(\w+)" href="([^"]*)"/g)].map(([, rel, href]) => `${rel} ${href!.split('?')[1] ?? ''}`);
    expect(links(first.body)).toEqual(['self ', 'first ', 'last page=2', 'next page=2']);
    const second = await get(`${url}?page=2`);
    expect([itemsOf(second.body), links(second.body)]).toEqual([['T0'], ['self page=2', 'first ', 'last page=2', 'previous ']]);
    expect((await get(`${url}?page=3`)).statusCode).toBe(404);

    const { etag, 'last-modified': modified } = first.headers as Record<string, string>;
    now += 60;
    expect((await get(url, { 'if-none-match': etag! })).statusCode).toBe(304);
    expect((await get(url, { 'if-modified-since': modified! })).statusCode).toBe(304);
    await db.updateTable('video').set({ title: 'Renamed' }).where('id', '=', 'n1000').execute();
    const changed = await get(url, { 'if-none-match': etag!, 'if-modified-since': modified! });
    expect([changed.statusCode, itemsOf(changed.body)[0]]).toEqual([200, 'Renamed']);
    expect((await get(url, { 'if-modified-since': modified! })).statusCode).toBe(200);
  });

  test('are limited to 60 requests a minute', async () => {
    const { url } = await createFeed(anna, { type: 'channel', id: channel, media: 'audio' });
    const other = await createFeed(anna, { type: 'new', media: 'audio' });
    for (let n = 0; n < 60; n++) expect((await get(url)).statusCode).toBe(200);
    const refused = await get(url);
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, expect.stringMatching(/^\d+$/)]);
    expect((await get(other.url)).statusCode).toBe(200);
  });

  test('are exported as OPML with escaped names', async () => {
    const { url } = await createFeed(anna, { type: 'channel', id: channel, media: 'audio' });
    const gone = await createChannel(t.app.db, { id: 'gone' });
    await createFeed(anna, { type: 'channel', id: gone, media: 'audio' });
    await t.app.db.deleteFrom('channel').where('id', '=', gone).execute();
    const opml = await anna.call('GET', '/api/podcast/opml/');
    expect(opml.headers).toMatchObject({
      'content-type': 'text/x-opml; charset=utf-8',
      'content-disposition': expect.stringContaining('reelkeep.opml') as string,
    });
    expect(attributesOf(opml.body, 'outline', 'xmlUrl')).toEqual([url]);
    expect(attributesOf(opml.body, 'outline', 'text')).toEqual([awkward.replace('\u0007', '').replace('\r\n', '\r ')]);
  });

  describe.runIf(hasFfmpeg)('audio', () => {
    const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=64x64:rate=10:duration=3'];
    const sine = ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=3'];
    const streams = (id: string, codec: string) =>
      t.app.db
        .insertInto('stream')
        .values([
          { videoId: id, position: 0, type: 'video', codec: 'h264', bitrate: 1, width: 64, height: 64 },
          { videoId: id, position: 1, type: 'audio', codec, bitrate: 128_000, width: null, height: null },
        ])
        .execute();

    test('is in the wanted language where a video has it', async () => {
      await t.runner.begin();
      const other = ['-f', 'lavfi', '-i', 'sine=frequency=880:duration=3'];
      const maps = ['-map', '0', '-map', '1', '-map', '2', '-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac'];
      const film = { extension: '.mp4', durationSeconds: 3 };
      await createFilm('twoTongues1', { ...film, args: [...picture, ...sine, ...other, ...maps] } as never);
      await createFilm('oneTongue01', { ...film, args: [...picture, ...sine, '-c:v', 'libx264', '-c:a', 'aac'] } as never);
      await streams('twoTongues1', 'aac');
      await streams('oneTongue01', 'aac');
      const german = { position: 2, type: 'audio', codec: 'aac', bitrate: 128_000, language: 'de-AT' } as const;
      await t.app.db
        .insertInto('stream')
        .values({ videoId: 'twoTongues1', width: null, height: null, ...german })
        .execute();
      const { url } = await createFeed(anna, { type: 'channel', id: channel, media: 'audio' });
      const urls = (xml: string) =>
        attributesOf(xml, 'enclosure', 'url')
          .map((one) => one.split('/').at(-1))
          .sort();
      expect(urls((await get(url)).body)).toEqual(['oneTongue01.m4a', 'twoTongues1.m4a']);
      const feed = (await get(`${url}?sound=de`)).body;
      expect(urls(feed)).toEqual(['oneTongue01.m4a', 'twoTongues1.de-AT.m4a']);
      expect(attributesOf(feed, 'atom:link', 'href')[0]).toBe(`${url}?sound=de`);
      const sent = await get(attributesOf(feed, 'enclosure', 'url').find((one) => one.endsWith('.de-AT.m4a'))!);
      expect([sent.statusCode, sent.headers['content-type']]).toEqual([200, 'audio/mp4']);
      const file = join(t.folder, 'german.m4a');
      await writeFile(file, sent.rawPayload);
      const soundOf = (path: string, track: string) =>
        execFileSync(t.app.tools.ffmpeg!.ffmpeg, [
          '-v',
          'error',
          '-i',
          path,
          '-map',
          track,
          '-c',
          'copy',
          '-f',
          'streamhash',
          '-',
        ])
          .toString()
          .split('=')[1];
      expect(soundOf(file, '0:a:0')).toBe(soundOf(join(t.app.config.mediaFolder, channel, 'twoTongues1.mp4'), '0:a:1'));
      expect((await get(`${url}?sound=x;y`)).statusCode).toBe(400);
    });

    test('is rendered as M4A on request, with its exact size in the feed from then on', async () => {
      await t.runner.begin();
      await createFilm('opusvideo01', {
        extension: '.mkv',
        args: [...picture, ...sine, '-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'libopus'],
        durationSeconds: 3,
        chapters: '[{"title":"Tea; milk","start":0,"end":1.5},{"title":"Cake","start":1.5,"end":3}]',
      } as never);
      await streams('opusvideo01', 'opus');
      const { url } = await createFeed(anna, { type: 'channel', id: channel, media: 'audio' });
      const before = (await get(url)).body;
      expect(attributesOf(before, 'enclosure', 'type')).toEqual(['audio/mp4']);
      expect(attributesOf(before, 'enclosure', 'length')).toEqual(['60600']);
      const [media] = attributesOf(before, 'enclosure', 'url');
      expect(media).toMatch(/opusvideo01\.m4a$/);
      const audio = await get(media!);
      expect([audio.statusCode, audio.headers['content-type']]).toEqual([200, 'audio/mp4']);
      expect(audio.rawPayload.subarray(4, 8).toString()).toBe('ftyp');
      const part = await get(media!, { range: 'bytes=0-9' });
      expect([part.statusCode, part.rawPayload.length]).toEqual([206, 10]);
      const after = (await get(url)).body;
      expect(attributesOf(after, 'enclosure', 'length')).toEqual([String(audio.rawPayload.length)]);
      expect(attributesOf(after, 'enclosure', 'url')).toEqual([media]);
      const path = join(t.folder, 'episode.m4a');
      await writeFile(path, audio.rawPayload);
      const tags = ['-v', 'error', '-of', 'json', '-show_chapters', '-show_entries', 'format_tags=title,artist', path];
      const about = JSON.parse(execFileSync(t.app.tools.ffmpeg!.ffprobe, tags, { encoding: 'utf8' })) as {
        chapters: { start_time: string; tags: { title: string } }[];
        format: { tags: object };
      };
      expect(about.chapters.map((chapter) => [Number(chapter.start_time), chapter.tags.title])).toEqual([
        [0, 'Tea; milk'],
        [1.5, 'Cake'],
      ]);
      expect(about.format.tags).toMatchObject({ title: expect.stringMatching(/./), artist: expect.stringMatching(/./) });

      await rm(join(t.app.config.mediaFolder, channel, 'opusvideo01.mkv'));
      await rm(join(t.app.config.cacheFolder, 'renditions'), { recursive: true });
      const missing = await get(media!);
      expect([missing.statusCode, missing.headers['retry-after'], missing.json().error]).toEqual([
        503,
        '3600',
        expect.stringContaining('file is missing'),
      ]);
    });

    test('covers are square and at least 1400 pixels wide, and deleted after the feed', async () => {
      const { id, url } = await createFeed(anna, { type: 'channel', id: channel, media: 'audio' });
      const coverUrl = attributesOf((await get(url)).body, 'itunes:image', 'href')[0]!;
      const sizeOf = async () => {
        const image = await get(coverUrl);
        expect(image.statusCode).toBe(200);
        const path = join(t.folder, 'cover.jpg');
        await writeFile(path, image.rawPayload);
        return execFileSync(
          t.app.tools.ffmpeg!.ffprobe,
          ['-v', 'error', '-show_entries', 'stream=width,height', '-of', 'csv=p=0', path],
          { encoding: 'utf8' },
        ).trim();
      };
      expect(await sizeOf()).toBe('1400,1400');
      const thumb = join(t.app.config.cacheFolder, `channels/${channel}_thumb.jpg`);
      await mkdir(dirname(thumb), { recursive: true });
      const filter = ['-f', 'lavfi', '-i', 'color=red:size=100x100', '-frames:v', '1'];
      execFileSync(t.app.tools.ffmpeg!.ffmpeg, ['-v', 'error', '-y', ...filter, thumb]);
      const cover = join(t.app.config.cacheFolder, `podcasts/${id}.jpg`);
      const before = await readFile(cover);
      expect(await sizeOf()).toBe('1400,1400');
      expect(await readFile(cover)).not.toEqual(before);
      await anna.call('DELETE', `/api/podcast/${id}/`);
      await get((await createFeed(anna, { type: 'new', media: 'audio' })).url.replace('feed.xml', 'cover.jpg'));
      await expect(readFile(cover)).rejects.toThrow();
    });
  });
});
