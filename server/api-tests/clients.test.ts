import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { indexPending } from '../features/search/index/index-pending.ts';
import { createChannel, createUser, createVideo, testApp, type TestApp } from '../test-support/app.ts';

// Requests of programs written for TubeArchivist, in their order and with the fields they read, against a real server. They
// verify the compatibility promised in docs/operations.md.

const channelId = 'UCaaaaaaaaaaaaaaaaaaaaaa';
const id = 'abcdefghijk';

let t: TestApp;
let origin: string;
let staff: Awaited<ReturnType<typeof createUser>>;
let token: string;
beforeEach(async () => {
  t = await testApp();
  origin = await t.server.listen({ port: 0, host: '127.0.0.1' });
  staff = await createUser(t, { isStaff: true });
  ({ token } = (await staff.call('GET', '/api/appsettings/token/')).json());
  const { db, config } = t.app;
  await createChannel(db, { id: channelId, name: 'Some Channel', description: null });
  await createVideo(db, { id, channelId, title: 'A video', publishedAt: 1_777_507_200 });
  await db
    .insertInto('subtitle')
    .values({ videoId: id, lang: 'en', source: 'user', name: 'English', path: `${channelId}/${id}.en.vtt` })
    .execute();
  for (const file of [`${channelId}/${id}.mp4`, `${channelId}/${id}.en.vtt`]) {
    await mkdir(dirname(join(config.mediaFolder, file)), { recursive: true });
    await writeFile(join(config.mediaFolder, file), '0123456789');
  }
});
afterEach(() => t.close());

/** Sends a request like a script with a token; redirects are errors. */
const sendRequest = (path: string, { headers, ...init }: RequestInit = {}) =>
  fetch(`${origin}${path}`, { redirect: 'error', ...init, headers: { Authorization: `Token ${token}`, ...(headers as object) } });
const get = async <T extends z.ZodType>(path: string, shape: T): Promise<z.output<T>> => {
  const reply = await sendRequest(path);
  expect(reply.status, path).toBe(200);
  return shape.parse(await reply.json());
};
const send = (method: string, path: string, body: object) =>
  sendRequest(path, { method, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
const json = async <T>(reply: Response) => (await reply.json()) as T;
const readImageType = async (path: string, headers: Record<string, string> = {}) => {
  const reply = await sendRequest(path, { headers });
  return [reply.status, reply.headers.get('content-type')];
};

/** Python's `int()`, which rejects letters. */
const int = (text: string) => {
  if (!/^\s*[-+]?\d+\s*$/.test(text)) throw new Error(`invalid literal for int(): ${text}`);
  return Number(text);
};
/** Python's `strptime(…, '%Y-%m-%dT%H:%M:%S+00:00')`. */
const strptime = (text: string) => {
  expect(text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
  return Date.parse(text);
};
const text = z.string();
const video = z.object({
  youtube_id: z.literal(id),
  title: text,
  published: text,
  vid_last_refresh: text,
  description: text.nullable(),
  vid_thumb_url: text,
  vid_type: z.enum(['videos', 'streams', 'shorts']),
  media_url: text,
  tags: z.array(text),
  player: z.object({ duration: z.int(), duration_str: text, watched: z.boolean() }),
  channel: z.object({ channel_id: z.literal(channelId), channel_name: text }),
  subtitles: z.array(z.object({ media_url: text, lang: text, name: text, source: text })).min(1),
});
const channel = z.object({
  channel_id: z.literal(channelId),
  channel_name: text,
  channel_last_refresh: text,
  channel_description: text.nullable(),
  channel_banner_url: text,
  channel_thumb_url: text,
  channel_tvart_url: text,
});

describe('clients of TubeArchivist', () => {
  test.for(['/api/ping/', '/api/ping'])(
    'Plex scanner and agent: ping by %s, videos, channels, artwork, subtitles',
    async (path) => {
      const ping = await get(path, z.object({ response: z.literal('pong'), version: text }));
      const version = ping.version.replace(/^v/, '').split('.').map(int);
      const atLeast = (...minimum: number[]) => {
        const index = minimum.findIndex((number, at) => version[at] !== number);
        return index === -1 || version[index]! > minimum[index]!;
      };
      // Below these versions the agent reads `data`, ids in longer file names, and dates without a time.
      expect([atLeast(0, 3, 7), atLeast(0, 5, 0), atLeast(0, 5, 3)]).toEqual([true, true, true]);

      const episode = await get(`/api/video/${id}/`, video);
      expect(strptime(episode.published)).toBe(1_777_507_200_000);
      strptime(episode.vid_last_refresh);
      const show = await get(`/api/channel/${channelId}/`, channel);
      strptime(show.channel_last_refresh);
      for (const url of [episode.vid_thumb_url, show.channel_banner_url, show.channel_thumb_url, show.channel_tvart_url])
        expect(await readImageType(url), url).toEqual([200, 'image/jpeg']);
      for (const { media_url } of episode.subtitles) {
        expect(extname(media_url)).toBe('.vtt');
        expect(await (await sendRequest(media_url)).text()).toBe('0123456789');
      }
      // Plex identifies a poster by its URL.
      expect((await get(`/api/video/${id}/`, video)).vid_thumb_url).toBe(episode.vid_thumb_url);
    },
  );

  test('Jellyfin plugin: ping, channel, video, artwork, progress, watched, all pages of playlists, a custom playlist', async () => {
    await get(
      '/api/ping/',
      z.object({ response: z.literal('pong'), user: z.int(), version: z.string().regex(/^v\d+\.\d+\.\d+$/) }),
    );
    const series = await get(`/api/channel/${channelId}/`, channel);
    const episode = await get(`/api/video/${id}/`, video);
    for (const url of [episode.vid_thumb_url, series.channel_banner_url, series.channel_thumb_url, series.channel_tvart_url])
      expect(await readImageType(url), url).toEqual([200, 'image/jpeg']);
    const position = { youtube_id: null, user_id: null, position: 100 };
    expect((await send('POST', `/api/video/${id}/progress/`, position)).status).toBe(200);
    expect((await send('POST', '/api/watched/', { id, is_watched: true })).status).toBe(200);
    const list = await json<{ playlist_id: string }>(
      await send('POST', '/api/playlist/custom/', { playlist_name: 'From Jellyfin' }),
    );
    const changed = await send('POST', `/api/playlist/custom/${list.playlist_id}/`, { action: 'create', video_id: id });
    expect(changed.status).toBe(200);
    const page = z.object({
      data: z.array(
        z.object({
          playlist_id: text,
          playlist_name: text,
          playlist_thumbnail: text,
          playlist_type: text,
          playlist_active: z.boolean(),
          playlist_description: text.nullable(),
          playlist_entries: z.array(z.object({ youtube_id: text, title: text, idx: z.int(), downloaded: z.boolean() })),
        }),
      ),
      paginate: z.object({ current_page: z.int(), last_page: z.int() }),
    });
    const first = await get('/api/playlist/', page);
    expect(first.data.map((one) => one.playlist_entries.map((entry) => entry.youtube_id))).toEqual([[id]]);
    expect(await readImageType(first.data[0]!.playlist_thumbnail)).toEqual([200, 'image/jpeg']);
    for (let at = 1; at <= first.paginate.last_page; at++) await get(`/api/playlist/?page=${at}`, page);
    expect((await sendRequest(`/api/playlist/${list.playlist_id}/`, { method: 'DELETE' })).status).toBe(204);
  });

  test('browser extension: ping, cookie, whether a video is archived, whether a channel is subscribed', async () => {
    const from = { headers: { mode: 'no-cors', Origin: 'moz-extension://0000' } };
    const getJson = async (path: string) => json<Record<string, unknown>>(await sendRequest(path, from));
    expect(await getJson('/api/ping/')).toMatchObject({ response: 'pong' });
    expect(await getJson('/api/appsettings/cookie/')).toMatchObject({ cookie_enabled: false });
    expect((await getJson(`/api/video/${id}/`)).error).toBeUndefined();
    expect((await getJson('/api/video/nothing0000/')).error).toBe('video not found');
    expect((await getJson(`/api/channel/search/?q=${channelId}`)).channel_subscribed).toBe(false);
    const added = await send('POST', '/api/download/?autostart=true', {
      data: [{ youtube_id: 'bbbbbbbbbbb', status: 'pending' }],
    });
    expect((await json<{ task_id: string }>(added)).task_id).toBeTypeOf('string');
  });

  test('Kodi add-on: lists, search, and files without credentials', async () => {
    const page = z.object({
      data: z.array(video),
      paginate: z.object({ current_page: z.int(), last_page: z.int(), next_pages: z.array(z.int()), total_hits: z.int() }),
    });
    for (const query of ['page=1&sort_by=x&ordering=y', `channel=${channelId}&page=1`]) {
      const { data } = await get(`/api/video/?${query}`, page);
      const { media_url, vid_thumb_url, subtitles } = data[0]!;
      for (const url of [media_url, vid_thumb_url, subtitles[0]!.media_url])
        expect((await fetch(`${origin}${url}`)).status, url).toBe(200);
      const part = await fetch(`${origin}${media_url}`, { headers: { Range: 'bytes=2-4' } });
      expect([part.status, await part.text()]).toEqual([206, '234']);
    }
    await get('/api/video/?watch=continue&page=1', z.object({ data: z.array(z.unknown()) }));
    await get('/api/channel/?page=1', z.object({ data: z.array(channel) }));
    const lists = {
      video_results: z.array(z.unknown()),
      channel_results: z.array(channel),
      playlist_results: z.array(z.unknown()),
    };
    await get('/api/search/?query=Some&page=1', z.object({ results: z.object(lists) }));
  });

  test('Grayjay: the extension of a URL determines the file type', async () => {
    const { media_url, vid_thumb_url } = await get(`/api/video/${id}/`, video);
    expect([media_url, vid_thumb_url].map((url) => url.split('.').pop())).toEqual(['mp4', 'jpg']);
    expect((await send('POST', `/api/video/${id}/progress/`, { position: 15 })).status).toBe(200);
  });

  test('SearXNG: images with the token in the URL', async () => {
    await indexPending(t.app.db);
    const found = z.object({ results: z.object({ video_results: z.array(video).min(1) }) });
    const { results } = await get('/api/search/?query=video', found);
    for (const url of [results.video_results[0]!.vid_thumb_url, `/cache/videos/a/${id}.jpg`]) {
      const reply = await fetch(`${origin}${url}?auth=${token}`);
      expect([reply.status, reply.headers.get('cross-origin-resource-policy')]).toEqual([200, 'cross-origin']);
    }
  });

  test('scripts: URLs of TubeArchivist before 0.5', async () => {
    const page = z.object({ data: z.array(video), paginate: z.object({ last_page: z.int() }) });
    expect((await get(`/api/channel/${channelId}/video/?page=1`, page)).data.map((one) => one.youtube_id)).toEqual([id]);
    expect((await get('/api/channel/UCnothing/video/', page)).data).toEqual([]);
    const list = await json<{ playlist_id: string }>(await send('POST', '/api/playlist/custom/', { playlist_name: 'Mine' }));
    await send('POST', `/api/playlist/custom/${list.playlist_id}/`, { action: 'create', video_id: id });
    expect((await get(`/api/playlist/${list.playlist_id}/video/`, page)).data.map((one) => one.youtube_id)).toEqual([id]);
    expect(await (await sendRequest('/api/task-name/thumbnail_check/', { method: 'POST' })).json()).toMatchObject({
      status: 'PENDING',
    });
    const unknown = await sendRequest('/api/task-name/nothing/', { method: 'POST' });
    expect([unknown.status, await unknown.json()]).toMatchObject([404, { error: 'task name not found' }]);
  });
});
