import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SharedContent, ShareLink } from '#contract/share.ts';
import { createChannel, createUser, createVideo, engines, testApp, type TestApp } from '../../test-support/app.ts';

const day = 86_400;
const awkward = 'Tea & "coffee"\r\n#EXTINF:1,<b>\u2028x';
const flat = 'Tea & "coffee" #EXTINF:1,<b> x';

describe.each(engines)('share links on $engine', (on) => {
  let t: TestApp;
  let staff: Awaited<ReturnType<typeof createUser>>;
  let anna: Awaited<ReturnType<typeof createUser>>;
  let ben: Awaited<ReturnType<typeof createUser>>;
  let now = 1_795_000_000;
  beforeAll(async () => {
    t = await testApp({ on, env: { REELKEEP_TRUSTED_PROXIES: '127.0.0.0/8' } });
    t.app.now = () => now;
    staff = await createUser(t, { isStaff: true });
    [anna, ben] = [await createUser(t), await createUser(t)];
    await staff.call('POST', `/api/users/${anna.id}/`, { may_share: true });
    await createChannel(t.app.db, { id: 'c1', name: 'Channel' });
    for (const id of ['v1', 'v2', 'v3']) {
      const path = join(t.app.config.mediaFolder, `c1/${id}.mp4`);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, `film ${id}`);
      await createVideo(t.app.db, { id, channelId: 'c1', title: id === 'v1' ? awkward : id, durationSeconds: 61 });
    }
    await t.app.db
      .insertInto('subtitle')
      .values({ videoId: 'v1', lang: 'de', source: 'user', name: 'Deutsch', path: 'c1/v1.de.vtt' })
      .execute();
    await writeFile(join(t.app.config.mediaFolder, 'c1/v1.de.vtt'), 'WEBVTT\n');
  });
  afterAll(() => t.close());

  const pathOf = (url: string) => url.replace(/^http:\/\/localhost(:80)?/, '');
  const get = (url: string, headers: Record<string, string> = {}) => t.server.inject({ url: pathOf(url), headers });
  const share = async (user: typeof anna, body: object = {}) => {
    const response = await user.call('POST', '/api/share/', { type: 'video', id: 'v1', expires: now + day, ...body });
    expect(response.statusCode, response.body).toBe(200);
    return response.json<{ id: number; url: string }>();
  };
  const open = (url: string, payload: object = {}, address = '192.0.2.1') =>
    t.server.inject({
      method: 'POST',
      url: `/api/share/${url.split('/').at(-1)}/open/`,
      payload,
      remoteAddress: address,
    });
  const contentOf = async (url: string, payload: object = {}) => {
    const response = await open(url, payload);
    expect(response.statusCode, response.body).toBe(200);
    return response.json<SharedContent>();
  };
  const linksOf = async (user: typeof anna) => (await user.call('GET', '/api/share/')).json<{ data: ShareLink[] }>().data;

  test('hands out the address of the settings, which the first request of staff through a proxy sets', async () => {
    const proxied = { 'x-forwarded-host': 'videos.example.org', 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.9' };
    const address = async (user: typeof staff, headers = {}) =>
      (await t.server.inject({ url: '/api/user/account/', headers: { ...user.headers, ...headers } })).json<{ address: string }>()
        .address;
    expect(await address(staff)).toBe('http://localhost:80');
    // Users do not decide.
    expect(await address(anna, proxied)).toBe('https://videos.example.org');
    expect(await address(staff)).toBe('http://localhost:80');
    expect(await address(staff, proxied)).toBe('https://videos.example.org');
    expect(await address(staff)).toBe('https://videos.example.org');
    const set = (value: string | null) => staff.call('POST', '/api/appsettings/config/', { application: { address: value } });
    expect((await set('ftp://videos.example.org')).statusCode).toBe(400);
    await set('https://films.example.net/reelkeep/');
    const { id, url } = await share(staff);
    expect(url).toMatch(/^https:\/\/films\.example\.net\/reelkeep\/shared\//);
    const feed = await staff.call('POST', '/api/podcast/', { type: 'channel', id: 'c1', media: 'audio' });
    expect(feed.json<{ url: string }>().url).toMatch(/^https:\/\/films\.example\.net\/reelkeep\/podcast\//);
    const list = await staff.call('GET', '/api/channel/c1/m3u/');
    expect(list.headers['content-location']).toMatch(/^https:\/\/films\.example\.net\/reelkeep\/m3u\//);
    await set(null);
    await staff.call('DELETE', `/api/share/${id}/`);
  });

  test('are off for users until staff allows them', async () => {
    expect((await ben.call('POST', '/api/share/', { type: 'video', id: 'v1', expires: null })).statusCode).toBe(403);
    expect((await ben.call('GET', '/api/user/account/')).json()).toMatchObject({ may_share: false });
    expect((await ben.call('POST', `/api/users/${ben.id}/`, { may_share: true })).statusCode).toBe(403);
    for (const user of [anna, staff])
      expect((await user.call('GET', '/api/user/account/')).json()).toMatchObject({ may_share: true });
    const { url } = await share(anna);
    await staff.call('POST', `/api/users/${anna.id}/`, { may_share: false });
    const stopped = await open(url);
    expect([stopped.statusCode, stopped.json().detail]).toEqual([403, expect.stringContaining('switched off')]);
    expect((await linksOf(anna))[0]).toMatchObject({ state: 'off' });
    await staff.call('POST', `/api/users/${anna.id}/`, { may_share: true });
    expect((await open(url)).statusCode).toBe(200);
  });

  test('show a video with captions to anyone, and count views', async () => {
    const { id, url } = await share(anna);
    const content = await contentOf(url);
    expect(content).toMatchObject({ type: 'video', name: awkward, total: 1, download: false, expires: now + day });
    const [video] = content.videos;
    expect(video).toMatchObject({ id: 'v1', channel: 'Channel', duration: 61, is_audio: false });
    const part = await get(video!.media_url, { range: 'bytes=0-3' });
    expect([part.statusCode, part.body, part.headers['content-type']]).toEqual([206, 'film', 'video/mp4']);
    expect((await get(video!.subtitles[0]!.url)).body).toBe('WEBVTT\n');
    expect((await get(video!.thumb_url)).headers['content-type']).toBe('image/jpeg');
    const download = await get(`${video!.media_url}?download`);
    expect([download.statusCode, download.json().detail]).toEqual([403, 'Downloads are not allowed with this link.']);
    // The secret before it may contain the id, too.
    expect((await get(video!.media_url.replace(/v1\/v1(?=\.[^/]*$)/, 'v2/v2'))).statusCode).toBe(404);
    const known = (await linksOf(anna)).find((link) => link.id === id);
    expect(known).toMatchObject({ url, views: 1, last_viewed: now, is_own: true, state: 'active' });
    expect((await get('/youtube/c1/v1.mp4')).statusCode).toBe(403);

    const other = await share(anna, { download: true });
    const file = await get(`${(await contentOf(other.url)).videos[0]!.media_url}?download`);
    expect([file.statusCode, file.headers['content-disposition']]).toEqual([200, expect.stringContaining('.mp4')]);
  });

  test('lead players to the media, and browsers to the page', async () => {
    const { url } = await share(anna);
    const player = await get(url, { accept: '*/*' });
    expect(player.statusCode).toBe(302);
    expect((await get(player.headers.location!)).body).toBe('film v1');
    // Without a built web app there is no page.
    expect((await get(url, { accept: 'text/html' })).json().error).toMatch(/app/i);
  });

  test('have different errors: mistyped, revoked, expired, deleted', async () => {
    const links = [await share(anna), await share(anna, { expires: now + 10 }), await share(anna, { id: 'v3' })];
    const [revoked, expired, deleted] = links.map(({ url }) => url) as [string, string, string];
    const media = (await contentOf(revoked)).videos[0]!.media_url;
    expect((await anna.call('DELETE', `/api/share/${links[0]!.id}/`)).statusCode).toBe(204);
    now += 10;
    await t.app.db.deleteFrom('video').where('id', '=', 'v3').execute();
    const mistyped = `${expired.slice(0, -1)}${expired.endsWith('A') ? 'B' : 'A'}`;
    for (const [url, status, text] of [
      [mistyped, 403, 'not valid'],
      [`${expired}x`, 403, 'not valid'],
      [revoked, 410, 'was revoked'],
      [expired, 410, 'has expired'],
      [deleted, 410, 'was deleted'],
    ] as const) {
      const answer = await open(url);
      expect([answer.statusCode, answer.body], url).toEqual([status, expect.stringContaining(text)]);
      expect((await get(url, { accept: '*/*' })).statusCode).toBe(status);
    }
    expect((await get(media)).statusCode).toBe(410);
    expect((await linksOf(anna)).map(({ name, state }) => [name, state])).toEqual(
      expect.arrayContaining([
        [null, 'active'],
        [awkward, 'expired'],
      ]),
    );
    expect((await anna.call('POST', '/api/share/', { type: 'video', id: 'v1', expires: now })).json().error).toMatch(
      /in the past/,
    );
    for (const id of ['nothing', 'v3'])
      expect((await anna.call('POST', '/api/share/', { type: 'video', id, expires: null })).statusCode).toBe(404);
  });

  test('ask for a password, whose attempts are limited', async () => {
    const { url } = await share(anna, { password: 'tea time' });
    const asked = await open(url);
    expect([asked.statusCode, asked.json()]).toMatchObject([
      403,
      { needs_password: true, detail: 'This link needs a password.' },
    ]);
    expect((await get(url, { accept: '*/*' })).statusCode).toBe(403);
    const content = await contentOf(url, { password: 'tea time' });
    const media = content.videos[0]!.media_url;
    expect((await get(media)).body).toBe('film v1');
    expect((await get(content.m3u_url)).body).toContain(media);
    expect((await get(media.replace(/\/[^/]+\/v1\//, '/-/v1/'))).statusCode).toBe(403);
    now += day;
    expect((await get(media)).statusCode).toBe(410);
    now -= day;
    for (let n = 0; n < 10; n++)
      expect((await open(url, { password: 'wrong' })).json().detail).toBe('The password is incorrect.');
    const limited = await open(url, { password: 'tea time' });
    expect([limited.statusCode, limited.headers['retry-after']]).toEqual([429, expect.stringMatching(/^\d+$/)]);
    expect((await open(url, { password: 'tea time' }, '198.51.100.7')).statusCode).toBe(200);
    expect((await linksOf(anna))[0]).toMatchObject({ has_password: true });
    expect(JSON.stringify(await linksOf(anna))).not.toContain('argon2');
  });

  test('are seen and revoked by their owner and staff', async () => {
    const { id } = await share(anna);
    expect(await linksOf(ben)).toEqual([]);
    expect((await ben.call('DELETE', `/api/share/${id}/`)).statusCode).toBe(404);
    expect((await linksOf(staff))[0]).toMatchObject({ id, owner: anna.name, is_own: false, url: null });
    expect((await staff.call('DELETE', `/api/share/${id}/`)).statusCode).toBe(204);
    expect((await linksOf(anna)).some((link) => link.id === id)).toBe(false);
  });

  test('API tokens get no secret address of links and feeds', async () => {
    const { url } = await share(anna);
    await anna.call('POST', '/api/podcast/', { type: 'new', media: 'video' });
    const named = (await anna.call('POST', '/api/user/tokens/', { name: 'TV', scopes: ['staff'] })).json().token as string;
    const permanent = (await anna.call('GET', '/api/appsettings/token/')).json().token as string;
    for (const token of [named, permanent]) {
      const headers = { authorization: `Token ${token}` };
      const [links, feeds] = [await get('/api/share/', headers), await get('/api/podcast/', headers)];
      expect([links.json().data[0].url, feeds.json()[0].url]).toEqual([null, null]);
      expect(links.body + feeds.body).not.toContain(url.split('/').at(-1));
      expect((await get('/api/podcast/opml/', headers)).statusCode).toBe(403);
      for (const path of ['/api/share/', '/api/podcast/'])
        expect(
          (await t.server.inject({ method: 'POST', url: path, headers, payload: { type: 'new', media: 'audio' } })).statusCode,
        ).toBe(403);
    }
    expect((await anna.call('GET', '/api/podcast/')).json()[0].url).toContain('/podcast/');
  });

  test('of a playlist contain what it contains now, in its order', async () => {
    const { playlist_id: id } = (await anna.call('POST', '/api/playlist/custom/', { playlist_name: awkward })).json();
    for (const video_id of ['v2', 'v1']) await anna.call('POST', `/api/playlist/custom/${id}/`, { action: 'create', video_id });
    await staff.call('POST', `/api/users/${ben.id}/`, { may_share: true });
    expect((await ben.call('POST', '/api/share/', { type: 'playlist', id, expires: null })).statusCode).toBe(404);
    const { url } = await share(anna, { type: 'playlist', id, expires: null });
    const content = await contentOf(url);
    expect(content.videos.map((video) => video.id)).toEqual(['v2', 'v1']);
    expect((await contentOf(url, { page: 2 })).videos).toEqual([]);
    const player = await get(url, { accept: '*/*' });
    const list = await get(player.headers.location!);
    expect(list.headers['content-type']).toBe('audio/x-mpegurl; charset=utf-8');
    const lines = list.body.split('\n');
    expect([lines[0], lines[1], lines[2], lines[4], lines.length]).toEqual([
      '#EXTM3U',
      `#PLAYLIST:${flat}`,
      '#EXTINF:61,Channel - v2',
      `#EXTINF:61,Channel - ${flat}`,
      7,
    ]);
    expect((await get(lines[3]!)).body).toBe('film v2');
    await anna.call('POST', `/api/playlist/custom/${id}/`, { action: 'remove', video_id: 'v2' });
    expect((await get(lines[3]!)).statusCode).toBe(404);
    await anna.call('DELETE', `/api/playlist/${id}/`);
    expect((await open(url)).statusCode).toBe(410);
  });

  test('an M3U address of a token ends with the token, and so do the lists and media behind it', async () => {
    const { token, id } = (await anna.call('POST', '/api/user/tokens/', { name: 'TV', scopes: ['read'], days: 1 })).json();
    const byToken = await get('/api/channel/c1/m3u/', { authorization: `Token ${token}` });
    const address = String(byToken.headers['content-location']);
    expect(address).toMatch(/\/m3u\/~t\./);
    const opened = await get(address);
    expect([opened.statusCode, opened.headers['content-location']]).toEqual([200, undefined]);
    const media = opened.body.split('\n').find((line) => line.includes('/v1.mp4'))!;
    expect(media).toMatch(/\/~t\./);
    expect((await get(media)).statusCode).toBe(200);
    await anna.call('DELETE', `/api/user/tokens/${id}/`);
    expect([(await get(address)).statusCode, (await get(media)).statusCode]).toEqual([403, 403]);
    const bySession = String((await anna.call('GET', '/api/channel/c1/m3u/')).headers['content-location']);
    expect((await get(bySession)).headers['content-location']).toBeUndefined();
  });

  test('M3U of channels, playlists and smart lists play without a login', async () => {
    const { playlist_id: playlist } = (await anna.call('POST', '/api/playlist/custom/', { playlist_name: 'P' })).json();
    await anna.call('POST', `/api/playlist/custom/${playlist}/`, { action: 'create', video_id: 'v1' });
    const { id: list } = (await anna.call('POST', '/api/list/', { name: 'L', filter: { watch: 'unwatched' } })).json();
    for (const path of ['channel/c1', `playlist/${playlist}`, `list/${list}`]) {
      const response = await anna.call('GET', `/api/${path}/m3u/`);
      expect(response.statusCode, path).toBe(200);
      const address = String(response.headers['content-location']);
      expect(address).toMatch(/^http:\/\/localhost(:80)?\/m3u\/~a\.[^/]+\/\w+\/[^/]+\.m3u8$/);
      const opened = await get(address);
      expect(opened.statusCode).toBe(200);
      for (const body of [response.body, opened.body]) {
        const media = body.split('\n').find((line) => line.includes('/v1.mp4'))!;
        expect((await get(media)).body).toBe('film v1');
      }
      expect((await get(address.replace('/m3u/~a.', '/m3u/~t.'))).statusCode).toBe(403);
      expect((await get(address.replace(/~[^/]+\//, ''))).statusCode).toBe(403);
      now += 32 * day;
      const late = await get(address);
      expect([late.statusCode, late.json().detail]).toEqual([403, expect.stringContaining('has expired')]);
      now -= 32 * day;
    }
    expect((await ben.call('GET', `/api/playlist/${playlist}/m3u/`)).statusCode).toBe(404);
    expect((await ben.call('GET', `/api/list/${list}/m3u/`)).statusCode).toBe(404);
    expect((await ben.call('GET', '/api/channel/nothing/m3u/')).statusCode).toBe(404);
    const address = String((await anna.call('GET', `/api/list/${list}/m3u/`)).headers['content-location']);
    await anna.call('DELETE', `/api/list/${list}/`);
    expect((await get(address)).statusCode).toBe(404);
    await staff.call('POST', `/api/users/${anna.id}/`, { is_disabled: true });
    expect((await get(address)).statusCode).toBe(403);
  });
});
