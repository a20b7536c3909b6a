import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { aChannel, aUser, aVideo, engines, testArchive, type TestArchive } from '../testing.ts';

const day = 86_400;

describe.each(engines)('links that carry their own leave, on $engine', (on) => {
  let t: TestArchive;
  let user: Awaited<ReturnType<typeof aUser>>;
  let token: { authorization: string };
  let id: string;
  let clock: number;
  beforeEach(async () => {
    t = await testArchive({ on });
    clock = 1_800_000_000;
    Object.assign(t.archive, { now: () => clock });
    user = await aUser(t);
    token = { authorization: `Token ${(await user.call('GET', '/api/appsettings/token/')).json().token}` };
    const channelId = await aChannel(t.archive.db, { hasThumb: 1 });
    id = await aVideo(t.archive.db, { channelId, durationSeconds: 600 });
    await aVideo(t.archive.db, { channelId, durationSeconds: 30 * 3600 });
    // A name as people give them to files that they bring themselves.
    const path = `${channelId}/Holiday #1, 100% [${id}]?.de.vtt`;
    await t.archive.db
      .insertInto('subtitle')
      .values({ videoId: id, lang: 'de', source: 'user', name: 'Deutsch', path })
      .execute();
    const { mediaFolder, cacheFolder } = t.archive.config;
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

  const bare = (url: string, headers: Record<string, string> = {}) => t.app.inject({ url, headers });
  const video = async () => (await bare(`/api/video/${id}/`, token)).json();

  test('everything that an answer to a token names can be fetched as it stands, without any credentials', async () => {
    const { media_url, vid_thumb_url, subtitles, channel } = await video();
    for (const url of [media_url, vid_thumb_url, subtitles[0].media_url, channel.channel_thumb_url]) {
      expect(url).toMatch(/^\/(youtube|cache)\/[^?]+\?sig=/);
      const answer = await bare(url, { range: 'bytes=2-4', origin: 'https://cast.example' });
      expect([answer.statusCode, answer.body]).toEqual([206, '234']);
      expect(answer.headers).toMatchObject({
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
      });
      expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
      const head = await t.app.inject({ method: 'HEAD', url });
      expect([head.statusCode, head.headers['content-length'], head.body]).toEqual([200, '10', '']);
      const partly = await t.app.inject({ method: 'HEAD', url, headers: { range: 'bytes=2-4' } });
      expect([partly.statusCode, partly.headers['content-length']]).toEqual([206, '3']);
      expect((await bare(url.split('?')[0])).statusCode).toBe(403);
    }
    expect(media_url.split('?')[0]).toBe((await user.call('GET', `/api/video/${id}/`)).json().media_url);
  });

  test('who comes with a session gets plain addresses, and a link for a player when asking for one', async () => {
    const plain = (await user.call('GET', `/api/video/${id}/`)).json();
    expect(JSON.stringify(plain)).not.toContain('sig=');
    const link = (await user.call('GET', `/api/video/${id}/link/`)).json();
    expect(link.expires - clock).toBeGreaterThanOrEqual(day);
    for (const url of [link.media_url, link.vid_thumb_url, link.subtitles[0].media_url])
      expect((await bare(url)).statusCode).toBe(200);
    expect((await user.call('GET', '/api/video/nothing/link/')).statusCode).toBe(404);
    const byToken = (await bare(`/api/video/${id}/link/`, token)).json();
    expect((await bare(byToken.media_url)).statusCode).toBe(200);
  });

  test('lists, similar videos and neighbours are signed as well; a link is good as long as the video and six hours, at least a day', async () => {
    const { data } = (await bare('/api/video/?sort=duration', token)).json();
    const endOf = (url: string) => Number.parseInt(url.split('.').at(-2)!, 36);
    expect(endOf(data[0].media_url) - clock).toBeGreaterThanOrEqual(36 * 3600);
    expect(endOf(data[1].media_url) - clock).toBeGreaterThanOrEqual(day);
    expect(endOf(data[1].media_url) - clock).toBeLessThanOrEqual(day + 6 * 3600);
    const again = (await bare('/api/video/?sort=duration', token)).json().data;
    clock += 60;
    expect([again, (await bare('/api/video/?sort=duration', token)).json().data]).toEqual([data, data]);
    expect((await bare('/api/channel/', token)).json().data[0].channel_thumb_url).toContain('?sig=');
  });

  test('it ends in time, with the token, and with the account', async () => {
    const { media_url } = await video();
    const link = (await user.call('GET', `/api/video/${id}/link/`)).json().media_url as string;
    const statuses = async () => [(await bare(media_url)).statusCode, (await bare(link)).statusCode];
    expect(await statuses()).toEqual([200, 200]);
    clock += 31 * 3600;
    expect(await statuses()).toEqual([403, 403]);
    clock -= 31 * 3600;
    await user.call('DELETE', '/api/appsettings/token/');
    expect(await statuses()).toEqual([403, 200]);
    await user.call('GET', '/api/appsettings/token/'); // another token does not bring it back
    expect(await statuses()).toEqual([403, 200]);
    await user.call('POST', '/api/user/password/', { current: user.password, next: 'other words' });
    expect(await statuses()).toEqual([403, 403]);
    const later = (await user.call('GET', `/api/video/${id}/link/`)).json().media_url as string;
    expect((await bare(later)).statusCode).toBe(200);
    await t.archive.db.deleteFrom('account').where('id', '=', user.id).execute();
    expect((await bare(later)).statusCode).toBe(403);
  });

  test('any letter changed, any other file, any other call: no', async () => {
    const { media_url, vid_thumb_url } = await video();
    const [path = '', query = ''] = media_url.split('?') as string[];
    await fc.assert(
      fc.asyncProperty(fc.nat(query.length - 1), fc.constantFrom(...'abcXYZ019_-.=&'), async (at, letter) => {
        if (query[at] === letter) return;
        const changed = query.slice(0, at) + letter + query.slice(at + 1);
        expect((await bare(`${path}?${changed}`)).statusCode).toBe(403);
      }),
      { numRuns: 150 },
    );
    const other = vid_thumb_url.split('?')[0];
    for (const url of [
      `${other}?${query}`,
      `${path.replace('/youtube/', '/media/')}?${query}`,
      `/api/video/${id}/?${query}`,
      `/api/ping/?${query}`,
      `/metrics?${query}`,
      `${path.toUpperCase()}?${query}`,
      `${path}?${query}${query}`,
      `${path}/../x.mp4?${query}`,
    ])
      expect([403, 404], url).toContain((await bare(url)).statusCode);
    // Somebody else's number with one's own signature.
    const foreign = query.replace(/t\.(\d+)\./, (_, n) => `t.${Number(n) + 1}.`);
    expect((await bare(`${path}?${foreign}`)).statusCode).toBe(403);
    expect((await t.app.inject({ method: 'DELETE', url: media_url })).statusCode).toBe(403);
  });

  test('a preflight of a player elsewhere is answered for a link, and for nothing else', async () => {
    const preflight = (url: string) =>
      t.app.inject({
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
    expect((await preflight(media_url.split('?')[0])).headers['access-control-allow-origin']).toBeUndefined();
    expect((await preflight('/api/video/?sig=x')).headers['access-control-allow-origin']).toBeUndefined();
  });
});
