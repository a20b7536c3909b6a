import { randomBytes } from 'node:crypto';
import { mkdir, rm, utimes, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { Socket, type AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SharedContent } from '#contract/share.ts';
import type { Trash } from '#contract/trash.ts';
import { createChannel, createUser, createVideo, testApp, type TestApp } from '../../../test-support/app.ts';
import { startRelay } from '../../../test-support/relay.ts';
import { startS3, versitygwPath } from '../../../test-support/s3.ts';

const large = randomBytes(20 * 2 ** 20);

describe.skipIf(!versitygwPath)('serving files of a bucket', () => {
  let s3: Awaited<ReturnType<typeof startS3>>;
  let relay: Awaited<ReturnType<typeof startRelay>>;
  let t: TestApp;
  /** A server that redirects to the bucket. */
  let redirecting: TestApp;
  let anna: Awaited<ReturnType<typeof createUser>>;

  const writeObject = async (key: string, content: string | Buffer) => {
    const path = join(s3.folder, key);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
    await utimes(path, 1_700_000_000, 1_700_000_000);
  };
  /** Archives videos with these ids in both archives, and their files in the bucket. */
  const createMedia = async (id: string, content: string | Buffer = '0123456789') => {
    for (const { app } of [t, redirecting])
      await createVideo(app.db, { id, channelId: 'UC1', title: `Film ${id}`, mediaPath: `UC1/${id}.mp4` });
    await writeObject(`media/UC1/${id}.mp4`, content);
    return `/youtube/UC1/${id}.mp4`;
  };
  const get = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
    t.server.inject({ method, url, headers: { ...anna.headers, ...headers } });

  beforeAll(async () => {
    s3 = await startS3();
    relay = await startRelay({ host: '127.0.0.1', port: Number(new URL(s3.endpoint).port) });
    t = await testApp({ env: { ...s3.env, REELKEEP_S3_ENDPOINT: `http://127.0.0.1:${relay.port}` } });
    // Two archives share the bucket here, which only a test may do.
    await rm(join(s3.folder, 'reelkeep.txt'));
    redirecting = await testApp({ env: { ...s3.env, REELKEEP_S3_REDIRECT: 'on' } });
    for (const { app } of [t, redirecting]) await createChannel(app.db, { id: 'UC1' });
    anna = await createUser(t);
    await t.server.listen({ port: 0, host: '127.0.0.1' });
  });
  afterAll(async () => {
    await redirecting?.close();
    await t?.close();
    relay?.close();
    await s3?.stop();
  });

  const pathOf = (url: string) => new URL(url, 'http://localhost').pathname;

  /** Requests a file over a real connection. */
  const open = (url: string) =>
    new Promise<http.IncomingMessage>((resolve, reject) => {
      const { port } = t.server.server.address() as AddressInfo;
      http.get({ host: '127.0.0.1', port, path: url, headers: anna.headers, agent: false }, resolve).on('error', reject);
    });

  test('answers ranges and conditions like for a file on disk', async () => {
    const url = await createMedia('ranges');
    const whole = await get(url);
    expect([whole.statusCode, whole.body]).toEqual([200, '0123456789']);
    expect(whole.headers).toMatchObject({
      'content-type': 'video/mp4',
      'content-length': '10',
      'accept-ranges': 'bytes',
      'last-modified': 'Tue, 14 Nov 2023 22:13:20 GMT',
      'cache-control': 'private, max-age=3600',
    });
    const { etag, 'last-modified': modified } = whole.headers as Record<string, string>;
    const part = await get(url, { range: 'bytes=2-4' });
    expect([part.statusCode, part.body, part.headers['content-range'], part.headers['content-length']]).toEqual([
      206,
      '234',
      'bytes 2-4/10',
      '3',
    ]);
    expect((await get(url, { range: 'bytes=-2' })).body).toBe('89');
    const head = await get(url, {}, 'HEAD');
    expect([head.statusCode, head.headers['content-length'], head.headers.etag, head.body]).toEqual([200, '10', etag, '']);
    expect((await get(url, { 'if-none-match': etag! })).statusCode).toBe(304);
    expect((await get(url, { 'if-modified-since': modified! })).statusCode).toBe(304);
    const outside = await get(url, { range: 'bytes=10-' });
    expect([outside.statusCode, outside.headers['content-range']]).toEqual([416, 'bytes */10']);
    expect((await get(url, { range: 'bytes=7-', 'if-range': etag! })).body).toBe('789');
    expect((await get(url, { range: 'bytes=7-', 'if-range': '"other"' })).body).toBe('0123456789');
    expect((await get(`${url}?download`)).headers['content-disposition']).toContain('filename="Film ranges.mp4"');
    expect((await t.server.inject(url)).statusCode).toBe(403);
  });

  test('sends subtitles, storyboards, renditions and earlier thumbnails', async () => {
    const { db } = t.app;
    await createMedia('parts');
    await db
      .updateTable('video')
      .set({ sha256: 'a'.repeat(64) })
      .where('id', '=', 'parts')
      .execute();
    const subtitle = { videoId: 'parts', lang: 'de', source: 'user', name: 'Deutsch', path: 'UC1/parts.de.vtt' } as const;
    await db.insertInto('subtitle').values(subtitle).execute();
    await writeObject('media/UC1/parts.de.vtt', 'WEBVTT\n');
    await writeObject('cache/storyboards/p/parts.vtt', 'WEBVTT\nboard');
    await writeObject(`cache/renditions/parts/${'a'.repeat(16)}-s1.m4a`, 'sound');
    await writeObject('history/parts-1.jpg', 'earlier');
    expect((await get('/youtube/UC1/parts.de.vtt')).body).toBe('WEBVTT\n');
    expect((await get('/cache/storyboards/p/parts.vtt')).body).toBe('WEBVTT\nboard');
    const sound = await get(`/cache/renditions/parts/${'a'.repeat(16)}-s1.m4a`, { range: 'bytes=1-2' });
    expect([sound.statusCode, sound.body, sound.headers['content-type']]).toEqual([206, 'ou', 'audio/mp4']);
    expect((await get('/cache/history/parts-1.jpg')).body).toBe('earlier');
  });

  test('sends thumbnails, and a placeholder for a missing one', async () => {
    await createMedia('picture');
    const url = '/cache/videos/p/picture.jpg';
    const placeholder = await get(url);
    expect([placeholder.statusCode, placeholder.rawPayload.subarray(0, 3).toString('hex')]).toEqual([200, 'ffd8ff']);
    await writeObject('cache/videos/p/picture.jpg', 'its own');
    expect((await get(url)).body).toBe('its own');
    expect((await get('/cache/videos/n/nothing.jpg')).statusCode).toBe(404);
    expect((await get('/cache/storyboards/p/picture.vtt')).statusCode).toBe(404);
  });

  test('answers 404 for unknown paths and for a missing object', async () => {
    expect((await get('/youtube/UC1/unknown.mp4')).statusCode).toBe(404);
    const url = await createMedia('missing');
    expect((await get(url)).statusCode).toBe(200); // its size is remembered now
    await rm(join(s3.folder, 'media/UC1/missing.mp4'));
    for (let time = 0; time < 2; time++) {
      const response = await get(url);
      expect([response.statusCode, response.headers['cache-control'], response.headers.etag]).toEqual([
        404,
        undefined,
        undefined,
      ]);
    }
    await writeObject('media/UC1/missing.mp4', 'is back');
    expect((await get(url)).body).toBe('is back');
  });

  test('answers 503 while the bucket is away', async () => {
    const url = await createMedia('away');
    expect((await get(url)).statusCode).toBe(200);
    relay.cutAfter(-1);
    relay.cut();
    for (const path of [url, '/cache/videos/a/away.jpg']) {
      const response = await get(path);
      expect([response.statusCode, response.headers['retry-after'], response.headers['cache-control']]).toEqual([
        503,
        '5',
        undefined,
      ]);
    }
    relay.cutAfter(Infinity);
    expect((await get(url)).body).toBe('0123456789');
  });

  test('a file that the bucket cuts is not complete', async () => {
    const url = await createMedia('cut', large);
    await get(url, {}, 'HEAD');
    relay.cut();
    relay.cutAfter(5 * 2 ** 20);
    const response = await open(url);
    expect([response.statusCode, response.headers['content-length']]).toEqual([200, String(large.length)]);
    await expect(response.toArray()).rejects.toThrow('aborted');
    relay.cutAfter(Infinity);
    expect(Buffer.concat(await (await open(url)).toArray()).equals(large)).toBe(true);
  });

  test('ends the request to the bucket when the client disconnects', async () => {
    const url = await createMedia('leaving', large);
    await get(url, {}, 'HEAD');
    relay.cut();
    const response = await open(url); // never read, so it cannot end
    expect([relay.open, t.server.streams.active]).toEqual([1, 1]);
    response.destroy();
    await expect.poll(() => [relay.open, t.server.streams.active]).toEqual([0, 0]);
  });

  test('limits the streams of a user', async () => {
    const url = await createMedia('many');
    const responses = Array.from({ length: 64 }, () => new http.ServerResponse(new http.IncomingMessage(new Socket())));
    for (const response of responses) t.server.streams.begin(anna.id, response);
    const refused = await get(url);
    expect([refused.statusCode, refused.headers['retry-after'], refused.headers['cache-control']]).toEqual([
      429,
      '10',
      undefined,
    ]);
    for (const response of responses) response.emit('close');
    expect((await get(url)).statusCode).toBe(200);
  });

  test('the bucket answers while many players pause', async () => {
    await createMedia('paused', large);
    const { files } = redirecting.app;
    const streams = await Promise.all(Array.from({ length: 60 }, () => files.read('UC1/paused.mp4')));
    expect(await files.stat('UC1/paused.mp4')).toMatchObject({ sizeBytes: large.length });
    for (const stream of streams) stream.destroy();
  });

  test('sends the files of podcast feeds', async () => {
    await createMedia('episode');
    const { db } = t.app;
    await db.updateTable('video').set({ sizeBytes: 10 }).where('id', '=', 'episode').execute();
    const path = 'UC1/episode.de.vtt';
    await db.insertInto('subtitle').values({ videoId: 'episode', lang: 'de', source: 'user', name: 'Deutsch', path }).execute();
    await writeObject(`media/${path}`, 'WEBVTT\n\n00:00:01.000 --> 00:00:02.500\nHallo\n');
    const created = await anna.call('POST', '/api/podcast/', { type: 'channel', id: 'UC1', media: 'video' });
    const feed = await t.server.inject(pathOf(created.json<{ url: string }>().url));
    const [, media, length] = /<enclosure url="([^"]*episode\.mp4)" length="(\d+)"/.exec(feed.body) ?? [];
    const fileOf = (rest: string) => t.server.inject(pathOf(media!).replace('episode.mp4', `episode${rest}`));
    const part = await t.server.inject({ url: pathOf(media!), headers: { range: 'bytes=2-4' } });
    expect([length, part.statusCode, part.body]).toEqual(['10', 206, '234']);
    expect((await fileOf('.de.vtt')).body).toContain('Hallo');
    expect((await fileOf('.de.json')).json()).toMatchObject({ segments: [{ startTime: 1, endTime: 2.5, body: 'Hallo' }] });
    expect((await fileOf('.jpg')).rawPayload.subarray(0, 3).toString('hex')).toBe('ffd8ff');
    await writeObject('cache/videos/e/episode.jpg', 'picture');
    expect((await fileOf('.jpg')).body).toBe('picture');
    relay.cutAfter(-1);
    relay.cut();
    for (const rest of ['.mp4', '.de.json', '.de.vtt']) expect((await fileOf(rest)).statusCode, rest).toBe(503);
    relay.cutAfter(Infinity);
    await rm(join(s3.folder, `media/${path}`));
    expect((await fileOf('.de.json')).statusCode).toBe(404);
  });

  test('sends the files of share links', async () => {
    await createMedia('shared');
    const staff = await createUser(t, { isStaff: true });
    const link = { type: 'video', id: 'shared', expires: t.app.now() + 60, download: true };
    const secret = (await staff.call('POST', '/api/share/', link)).json<{ url: string }>().url.split('/').at(-1);
    const opened = await t.server.inject({ method: 'POST', url: `/api/share/${secret}/open/`, payload: {} });
    const [video] = opened.json<SharedContent>().videos;
    const file = await t.server.inject(`${pathOf(video!.media_url)}?download`);
    expect([file.statusCode, file.body]).toEqual([200, '0123456789']);
    expect(file.headers['content-disposition']).toContain('filename="Film shared.mp4"');
  });

  test('shows the thumbnail of a video in the trash', async () => {
    const { db } = t.app;
    const staff = await createUser(t, { isStaff: true });
    const about = { videoId: 'binned', title: '', channelId: 'UC1', channelName: '', sizeBytes: 1, deletedAt: 0 };
    await db
      .insertInto('trash')
      .values({ ...about, addedToIgnoreList: 0, folder: 'f1' })
      .execute();
    const file = { folder: 'f1', name: 'binned.jpg', path: 'cache:videos/b/binned.jpg', state: 'leaving' } as const;
    await db.insertInto('trashFile').values(file).execute();
    const [{ id }] = (await staff.call('GET', '/api/trash/')).json<Trash>().data as [Trash['data'][number]];
    expect((await staff.call('GET', `/api/trash/${id}/thumbnail/`)).statusCode).toBe(404);
    await writeObject('cache/videos/b/binned.jpg', 'binned');
    expect((await staff.call('GET', `/api/trash/${id}/thumbnail/`)).body).toBe('binned');
  });

  describe('that clients are redirected to', () => {
    let ben: Awaited<ReturnType<typeof createUser>>;
    beforeAll(async () => void (ben = await createUser(redirecting)));
    const ask = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
      redirecting.server.inject({ method, url, headers: { ...ben.headers, ...headers } });

    test('gives browsers and players a link that needs no login', async () => {
      const url = await createMedia('linked');
      const response = await ask(`${url}?download`, { range: 'bytes=2-4', 'sec-fetch-mode': 'no-cors' });
      expect([response.statusCode, response.headers['cache-control'], response.body]).toEqual([307, 'private, no-store', '']);
      const link = new URL(response.headers.location!);
      expect([link.origin, link.searchParams.get('X-Amz-Expires')]).toEqual([s3.endpoint, '21600']);
      const part = await fetch(link, { headers: { range: 'bytes=2-4' } });
      expect([part.status, await part.text(), part.headers.get('content-type')]).toEqual([206, '234', 'video/mp4']);
      expect(part.headers.get('content-disposition')).toContain('filename="Film linked.mp4"');
      link.searchParams.set('X-Amz-Expires', '604800');
      expect((await fetch(link)).status).toBe(403);
      expect((await redirecting.server.inject(url)).statusCode).toBe(403);
    });

    test('sends the files of share links itself, because a link to the bucket would outlive them', async () => {
      await createMedia('direct');
      const staff = await createUser(redirecting, { isStaff: true });
      const link = { type: 'video', id: 'direct', expires: redirecting.app.now() + 60, download: false };
      const secret = (await staff.call('POST', '/api/share/', link)).json<{ url: string }>().url.split('/').at(-1);
      const opened = await redirecting.server.inject({ method: 'POST', url: `/api/share/${secret}/open/`, payload: {} });
      const file = await redirecting.server.inject(pathOf(opened.json<SharedContent>().videos[0]!.media_url));
      expect([file.statusCode, file.body, file.headers.location]).toEqual([200, '0123456789', undefined]);
    });

    test('sends scripts, HEAD requests and clients with a token the file itself', async () => {
      const url = await createMedia('scripts');
      const token = { cookie: '', authorization: `Token ${await tokenOf()}` };
      for (const headers of [{ 'sec-fetch-mode': 'cors' }, { origin: 'https://cast.example' }, token])
        expect((await ask(url, headers as never)).body).toBe('0123456789');
      expect((await ask(url, {}, 'HEAD')).headers['content-length']).toBe('10');
    });
    const tokenOf = async () => (await ben.call('GET', '/api/appsettings/token/')).json<{ token: string }>().token;

    test('answers 404 itself, and sends images and subtitles itself', async () => {
      const { db } = redirecting.app;
      const url = await createMedia('lost');
      await rm(join(s3.folder, 'media/UC1/lost.mp4'));
      expect((await ask(url)).statusCode).toBe(404);
      const subtitle = { videoId: 'lost', lang: 'de', source: 'user', name: 'Deutsch', path: 'UC1/lost.de.vtt' } as const;
      await db.insertInto('subtitle').values(subtitle).execute();
      await writeObject('media/UC1/lost.de.vtt', 'WEBVTT\n');
      await writeObject('cache/videos/l/lost.jpg', 'picture');
      expect((await ask('/youtube/UC1/lost.de.vtt')).body).toBe('WEBVTT\n');
      expect((await ask('/cache/videos/l/lost.jpg')).body).toBe('picture');
    });

    test('allows media of the bucket in pages, and nothing else of it', async () => {
      const policyOf = async ({ server }: TestApp) =>
        String((await server.inject('/api/ping/')).headers['content-security-policy']);
      expect(await policyOf(redirecting)).toContain(`media-src 'self' blob: ${s3.endpoint};`);
      expect((await policyOf(redirecting)).split(s3.endpoint)).toHaveLength(2);
      expect(await policyOf(t)).toContain("media-src 'self' blob:;");
    });
  });
});
