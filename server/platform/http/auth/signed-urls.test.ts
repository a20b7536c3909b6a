import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createChannel, createUser, createVideo, engines, testApp, type TestApp } from '../../../test-support/app.ts';

const day = 86_400;

describe.each(engines)('signed URLs, on $engine', (on) => {
  let t: TestApp;
  let user: Awaited<ReturnType<typeof createUser>>;
  let token: { authorization: string };
  let id: string;
  let clock: number;
  beforeEach(async () => {
    t = await testApp({ on });
    clock = 1_800_000_000;
    Object.assign(t.app, { now: () => clock });
    user = await createUser(t);
    token = { authorization: `Token ${(await user.call('GET', '/api/appsettings/token/')).json().token}` };
    const channelId = await createChannel(t.app.db, { hasThumb: 1 });
    id = await createVideo(t.app.db, { channelId, durationSeconds: 600 });
    await createVideo(t.app.db, { channelId, durationSeconds: 30 * 3600 });
    // A name that users give to imported files.
    const path = `${channelId}/Holiday #1, 100% [${id}]?.de.vtt`;
    await t.app.db.insertInto('subtitle').values({ videoId: id, lang: 'de', source: 'user', name: 'Deutsch', path }).execute();
    const { mediaFolder, cacheFolder } = t.app.config;
    for (const file of [
      join(mediaFolder, `${channelId}/${id}.mp4`),
      join(mediaFolder, path),
      join(cacheFolder, `videos/${id[0]}/${id}.jpg`),
      join(cacheFolder, `channels/${channelId}_thumb.jpg`),
    ]) {
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, '0123456789');
    }
  });
  afterEach(() => t.close());

  const requestWithoutCredentials = (url: string, headers: Record<string, string> = {}) => t.server.inject({ url, headers });
  const video = async () => (await requestWithoutCredentials(`/api/video/${id}/`, token)).json();
  const plainOf = (url: string) => url.replace(/\/~[^/]+/, '');
  const signatureOf = (url: string) => /~([^/]+)/.exec(url)?.[1] ?? '';

  test('all URLs in responses to a token can be fetched without credentials', async () => {
    const { media_url, vid_thumb_url, subtitles, channel } = await video();
    for (const url of [media_url, vid_thumb_url, subtitles[0].media_url, channel.channel_thumb_url]) {
      expect(url).toMatch(/^\/(youtube|cache)\/~t\.[\w.-]+\/[^?]+\.(mp4|vtt|jpg)$/);
      const response = await requestWithoutCredentials(url, { range: 'bytes=2-4', origin: 'https://cast.example' });
      expect([response.statusCode, response.body]).toEqual([206, '234']);
      expect(response.headers).toMatchObject({
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
      });
      expect(response.headers['access-control-allow-credentials']).toBeUndefined();
      const head = await t.server.inject({ method: 'HEAD', url });
      expect([head.statusCode, head.headers['content-length'], head.body]).toEqual([200, '10', '']);
      const rangeHead = await t.server.inject({ method: 'HEAD', url, headers: { range: 'bytes=2-4' } });
      expect([rangeHead.statusCode, rangeHead.headers['content-length']]).toEqual([206, '3']);
      expect((await requestWithoutCredentials(plainOf(url))).statusCode).toBe(403);
    }
    expect(plainOf(media_url)).toBe((await user.call('GET', `/api/video/${id}/`)).json().media_url);
  });

  test('responses to a session have plain URLs, and signed URLs on request', async () => {
    const plain = (await user.call('GET', `/api/video/${id}/`)).json();
    expect(JSON.stringify(plain)).not.toContain('~');
    const link = (await user.call('GET', `/api/video/${id}/link/`)).json();
    expect(link.expires - clock).toBeGreaterThanOrEqual(day);
    for (const url of [link.media_url, link.vid_thumb_url, link.subtitles[0].media_url])
      expect((await requestWithoutCredentials(url)).statusCode).toBe(200);
    expect((await user.call('GET', '/api/video/nothing/link/')).statusCode).toBe(404);
    const byToken = (await requestWithoutCredentials(`/api/video/${id}/link/`, token)).json();
    expect((await requestWithoutCredentials(byToken.media_url)).statusCode).toBe(200);
  });

  test('signs lists, similar videos and neighbours; valid for the duration plus six hours, at least a day', async () => {
    const { data } = (await requestWithoutCredentials('/api/video/?sort=duration', token)).json();
    const endOf = (url: string) => Number.parseInt(signatureOf(url).split('.')[2]!, 36);
    expect(endOf(data[0].media_url) - clock).toBeGreaterThanOrEqual(36 * 3600);
    expect(endOf(data[1].media_url) - clock).toBeGreaterThanOrEqual(day);
    expect(endOf(data[1].media_url) - clock).toBeLessThanOrEqual(day + 6 * 3600);
    const repeated = (await requestWithoutCredentials('/api/video/?sort=duration', token)).json().data;
    clock += 60;
    expect([repeated, (await requestWithoutCredentials('/api/video/?sort=duration', token)).json().data]).toEqual([data, data]);
    expect((await requestWithoutCredentials('/api/channel/', token)).json().data[0].channel_thumb_url).toContain('/~t.');
  });

  test('a URL expires, and ends with the token and the account', async () => {
    const { media_url } = await video();
    const link = (await user.call('GET', `/api/video/${id}/link/`)).json().media_url as string;
    const statuses = async () => [
      (await requestWithoutCredentials(media_url)).statusCode,
      (await requestWithoutCredentials(link)).statusCode,
    ];
    expect(await statuses()).toEqual([200, 200]);
    clock += 31 * 3600;
    expect(await statuses()).toEqual([403, 403]);
    clock -= 31 * 3600;
    await user.call('DELETE', '/api/appsettings/token/');
    expect(await statuses()).toEqual([403, 200]);
    await user.call('GET', '/api/appsettings/token/'); // a new token does not restore it
    expect(await statuses()).toEqual([403, 200]);
    await user.call('POST', '/api/user/password/', { current: user.password, next: 'other words' });
    expect(await statuses()).toEqual([403, 403]);
    const later = (await user.call('GET', `/api/video/${id}/link/`)).json().media_url as string;
    expect((await requestWithoutCredentials(later)).statusCode).toBe(200);
    await t.app.db.deleteFrom('account').where('id', '=', user.id).execute();
    expect((await requestWithoutCredentials(later)).statusCode).toBe(403);
  });

  test('rejects a changed signature, another file and other methods', async () => {
    const { media_url, vid_thumb_url } = await video();
    const [path, signature] = [plainOf(media_url), signatureOf(media_url)];
    const signed = (sent: string, to = path) => to.replace(/^\/\w+\//, `$&~${sent}/`);
    expect(signed(signature)).toBe(media_url);
    await fc.assert(
      fc.asyncProperty(fc.nat(signature.length - 1), fc.constantFrom(...'abcXYZ019_-.=&/'), async (at, letter) => {
        if (signature[at] === letter) return;
        const changed = signature.slice(0, at) + letter + signature.slice(at + 1);
        expect((await requestWithoutCredentials(signed(changed))).statusCode).toBe(403);
      }),
      { numRuns: 150 },
    );
    for (const url of [
      signed(signature, plainOf(vid_thumb_url)),
      media_url.replace('/youtube/', '/media/'),
      `/api/~${signature}/video/${id}/`,
      `/api/ping/~${signature}/`,
      `/metrics/~${signature}/`,
      `${path.toUpperCase()}/~${signature}`,
      signed(`${signature}/~${signature}`),
      `${media_url}/../x.mp4`,
      `${path}?sig=${signature}`,
    ])
      expect([403, 404], url).toContain((await requestWithoutCredentials(url)).statusCode);
    // The own signature with the id of another user.
    const foreign = signature.replace(/t\.(\d+)\./, (_, n) => `t.${Number(n) + 1}.`);
    expect((await requestWithoutCredentials(signed(foreign))).statusCode).toBe(403);
    expect((await t.server.inject({ method: 'DELETE', url: media_url })).statusCode).toBe(403);
  });

  test('accepts a signed URL with a query of the client and with an encoded tilde', async () => {
    const { media_url, vid_thumb_url } = await video();
    const { authorization } = token;
    for (const url of [
      `${vid_thumb_url}?auth=${authorization.slice('Token '.length)}`,
      `${vid_thumb_url}?auth=wrong`,
      `${media_url}?download`,
      media_url.replace('~', '%7E'),
    ])
      expect((await requestWithoutCredentials(url)).statusCode, url).toBe(200);
  });

  test('images expire in steps of a week and videos in steps of six hours', async () => {
    const before = await video();
    const { channel } = before;
    const expiryTimes = new Set<string>();
    const pictures = new Set<string>();
    for (let hour = 0; hour < 7 * 24; hour++) {
      clock += 3600;
      const now = await video();
      expiryTimes.add(now.media_url);
      pictures.add(`${now.vid_thumb_url} ${now.channel.channel_thumb_url}`);
    }
    expect(expiryTimes.size).toBeGreaterThan(7 * 3);
    expect(pictures.size).toBeLessThanOrEqual(2);
    expect(pictures).toContain(`${before.vid_thumb_url} ${channel.channel_thumb_url}`);
    expect((await requestWithoutCredentials([...pictures].at(-1)!.split(' ')[0]!)).statusCode).toBe(200);
  });

  test('opens files, and only files, with a token in the query', async () => {
    const { media_url, vid_thumb_url } = (await user.call('GET', `/api/video/${id}/`)).json();
    const secret = token.authorization.slice('Token '.length);
    for (const url of [media_url, vid_thumb_url]) {
      const response = await requestWithoutCredentials(`${url}?auth=${secret}`);
      expect([response.statusCode, response.headers['cross-origin-resource-policy']]).toEqual([200, 'cross-origin']);
      const rejected = await requestWithoutCredentials(`${url}?auth=${'0'.repeat(40)}`);
      expect([rejected.statusCode, rejected.json().detail]).toEqual([403, 'Invalid token.']);
      expect(rejected.headers['cross-origin-resource-policy']).toBe('same-origin');
      expect((await requestWithoutCredentials(`${url}?auth=`)).statusCode).toBe(403);
    }
    for (const url of [`/api/video/${id}/`, '/api/ping/', '/metrics', '/api/events/'])
      expect((await requestWithoutCredentials(`${url}?auth=${secret}`)).statusCode, url).toBe(403);
    await user.call('DELETE', '/api/appsettings/token/');
    expect((await requestWithoutCredentials(`${vid_thumb_url}?auth=${secret}`)).statusCode).toBe(403);
  });

  test('accepts CORS preflights for signed URLs only', async () => {
    const preflight = (url: string) =>
      t.server.inject({
        method: 'OPTIONS',
        url,
        headers: {
          origin: 'https://cast.example',
          'access-control-request-method': 'GET',
          'access-control-request-headers': 'range',
        },
      });
    const { media_url } = await video();
    expect((await preflight(media_url)).headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-headers': 'range',
    });
    expect((await preflight(plainOf(media_url))).headers['access-control-allow-origin']).toBeUndefined();
    expect((await preflight('/api/~t.1.x/video/')).headers['access-control-allow-origin']).toBeUndefined();
  });
});
