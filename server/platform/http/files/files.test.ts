import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mediaEndings } from '../../../archive/storage/walk.ts';
import { createChannel, createUser, createVideo, testApp, type TestApp } from '../../../test-support/app.ts';

describe('serving files', () => {
  let t: TestApp;
  let anna: Awaited<ReturnType<typeof createUser>>;
  let path: string;
  beforeAll(async () => {
    t = await testApp();
    anna = await createUser(t);
    path = await createMedia('.mp4');
  });
  afterAll(() => t.close());

  /** Archives a video with a file of ten bytes and returns its path. */
  async function createMedia(extension: string): Promise<string> {
    const channelId = await createChannel(t.app.db);
    const mediaPath = `${channelId}/film${extension}`;
    await createVideo(t.app.db, { channelId, mediaPath });
    const filePath = join(t.app.config.mediaFolder, mediaPath);
    await mkdir(dirname(filePath), { recursive: true });
    await writeFile(filePath, '0123456789');
    await utimes(filePath, 1_700_000_000, 1_700_000_000.5);
    return mediaPath;
  }
  const sendRequest = (headers: Record<string, string>) =>
    t.server.inject({ url: `/youtube/${path}`, headers: { ...anna.headers, ...headers } });

  test.each([...mediaEndings])('serves every supported media type: %s', async (extension) => {
    const response = await t.server.inject({ url: `/youtube/${await createMedia(extension)}`, headers: anna.headers });
    expect([response.statusCode, response.body]).toEqual([200, '0123456789']);
    expect(response.headers['content-type']).toMatch(/^(video|audio)\//);
  });

  test('downloads a video whose title is cut at half an emoji', async () => {
    const mediaPath = await createMedia('.mp4');
    const title = `${'a'.repeat(119)}😀tail`;
    await t.app.db.updateTable('video').set({ title }).where('mediaPath', '=', mediaPath).execute();
    const response = await t.server.inject({ url: `/youtube/${mediaPath}?download`, headers: anna.headers });
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-disposition']).toContain(`filename*=UTF-8''${encodeURIComponent(title.slice(0, 121))}`);
  });

  test('returns placeholder images for missing thumbnails, by kind, and 404 for unknown videos', async () => {
    const { db, config } = t.app;
    const [film, sound] = [await createVideo(db), await createVideo(db)];
    await db.insertInto('stream').values({ videoId: sound, position: 0, type: 'audio', codec: 'opus', bitrate: 1 }).execute();
    const readThumbnail = async (id: string, headers = anna.headers) => {
      const response = await t.server.inject({ url: `/cache/videos/${id[0]!.toLowerCase()}/${id}.jpg`, headers });
      return { status: response.statusCode, type: response.headers['content-type'], bytes: response.rawPayload };
    };
    const placeholders = [await readThumbnail(film), await readThumbnail(sound)];
    for (const { status, type, bytes } of placeholders)
      expect([status, type, bytes.subarray(0, 3).toString('hex')]).toEqual([200, 'image/jpeg', 'ffd8ff']);
    expect(placeholders[0]!.bytes.equals(placeholders[1]!.bytes)).toBe(false);
    expect((await readThumbnail('notHereAtAl')).status).toBe(404);
    expect((await readThumbnail(film, {} as never)).status).toBe(403);
    const thumbnailPath = join(config.cacheFolder, 'videos', film[0]!.toLowerCase(), `${film}.jpg`);
    await mkdir(dirname(thumbnailPath), { recursive: true });
    await writeFile(thumbnailPath, 'its own');
    expect((await readThumbnail(film)).bytes.toString()).toBe('its own');
  });

  test('returns 304 for a matching ETag, list, weak ETag or date', async () => {
    const { headers } = await sendRequest({});
    const { etag, 'last-modified': modified } = headers as Record<string, string>;
    expect(modified).toBe('Tue, 14 Nov 2023 22:13:20 GMT');
    const later = new Date(1_700_000_100_000).toUTCString();
    const unchanged: Record<string, string>[] = [
      { 'if-none-match': etag! },
      { 'if-none-match': `"other", W/${etag}` },
      { 'if-none-match': '*' },
      { 'if-modified-since': modified! },
      { 'if-modified-since': later },
    ];
    for (const same of unchanged)
      expect([(await sendRequest(same)).statusCode, JSON.stringify(same)]).toEqual([304, JSON.stringify(same)]);
    const changed: Record<string, string>[] = [
      { 'if-none-match': '"other"' },
      { 'if-none-match': '"other"', 'if-modified-since': later }, // the ETag takes precedence
      { 'if-modified-since': new Date(1_600_000_000_000).toUTCString() },
      { 'if-modified-since': 'yesterday' },
    ];
    for (const other of changed)
      expect([(await sendRequest(other)).statusCode, JSON.stringify(other)]).toEqual([200, JSON.stringify(other)]);
  });

  test('refuses to continue with another file than the one a client began with', async () => {
    const { headers } = await sendRequest({});
    const { etag, 'last-modified': modified } = headers as Record<string, string>;
    const status = async (condition: Record<string, string>) =>
      (await sendRequest({ range: 'bytes=7-', ...condition })).statusCode;
    const begun: Record<string, string>[] = [
      { 'if-match': etag! },
      { 'if-match': `"other", ${etag}` },
      { 'if-match': '*' },
      { 'if-unmodified-since': modified! },
    ];
    for (const same of begun) expect([await status(same), same]).toEqual([206, same]);
    const others: Record<string, string>[] = [
      { 'if-match': '"other"' },
      { 'if-unmodified-since': new Date(1_600_000_000_000).toUTCString() },
    ];
    for (const other of others) expect([await status(other), other]).toEqual([412, other]);
    expect(await status({ 'if-unmodified-since': 'yesterday' })).toBe(206); // invalid dates are ignored
  });

  test('resumes a download with a matching ETag or date and restarts it otherwise', async () => {
    const { headers } = await sendRequest({});
    const { etag, 'last-modified': modified } = headers as Record<string, string>;
    const from = async (ifRange: string) => (await sendRequest({ range: 'bytes=7-', 'if-range': ifRange })).body;
    expect([await from(etag!), await from(modified!)]).toEqual(['789', '789']);
    for (const other of ['"other"', `W/${etag}`, new Date(1_800_000_000_000).toUTCString(), 'junk'])
      expect(await from(other)).toBe('0123456789');
  });
});
