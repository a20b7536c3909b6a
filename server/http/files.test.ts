import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mediaEndings } from '../library/walk-media.ts';
import { aChannel, aUser, aVideo, testArchive, type TestArchive } from '../testing.ts';

describe('files', () => {
  let t: TestArchive;
  let anna: Awaited<ReturnType<typeof aUser>>;
  let path: string;
  beforeAll(async () => {
    t = await testArchive();
    anna = await aUser(t);
    path = await put('.mp4');
  });
  afterAll(() => t.close());

  /** Archives a video with a file of ten bytes; answers where it is. */
  async function put(ending: string): Promise<string> {
    const channelId = await aChannel(t.archive.db);
    const mediaPath = `${channelId}/film${ending}`;
    await aVideo(t.archive.db, { channelId, mediaPath });
    const at = join(t.archive.config.mediaFolder, mediaPath);
    await mkdir(dirname(at), { recursive: true });
    await writeFile(at, '0123456789');
    await utimes(at, 1_700_000_000, 1_700_000_000.5);
    return mediaPath;
  }
  const ask = (headers: Record<string, string>) =>
    t.app.inject({ url: `/youtube/${path}`, headers: { ...anna.headers, ...headers } });

  test.each([...mediaEndings])('what the archive takes in can be played: %s', async (ending) => {
    const answer = await t.app.inject({ url: `/youtube/${await put(ending)}`, headers: anna.headers });
    expect([answer.statusCode, answer.body]).toEqual([200, '0123456789']);
    expect(answer.headers['content-type']).toMatch(/^(video|audio)\//);
  });

  test('what has no picture of its own is shown by a drawn one, of its sound where it has no more; what is not here by none', async () => {
    const { db, config } = t.archive;
    const [film, sound] = [await aVideo(db), await aVideo(db)];
    await db.insertInto('stream').values({ videoId: sound, position: 0, type: 'audio', codec: 'opus', bitrate: 1 }).execute();
    const picture = async (id: string, headers = anna.headers) => {
      const answer = await t.app.inject({ url: `/cache/videos/${id[0]!.toLowerCase()}/${id}.jpg`, headers });
      return { status: answer.statusCode, type: answer.headers['content-type'], bytes: answer.rawPayload };
    };
    const drawn = [await picture(film), await picture(sound)];
    for (const { status, type, bytes } of drawn)
      expect([status, type, bytes.subarray(0, 3).toString('hex')]).toEqual([200, 'image/jpeg', 'ffd8ff']);
    expect(drawn[0]!.bytes.equals(drawn[1]!.bytes)).toBe(false);
    expect((await picture('notHereAtAl')).status).toBe(404);
    expect((await picture(film, {} as never)).status).toBe(403);
    const own = join(config.cacheFolder, 'videos', film[0]!.toLowerCase(), `${film}.jpg`);
    await mkdir(dirname(own), { recursive: true });
    await writeFile(own, 'its own');
    expect((await picture(film)).bytes.toString()).toBe('its own');
  });

  test('who has the file already is told so, by its tag, in a list, weakly, or by its date', async () => {
    const { headers } = await ask({});
    const { etag, 'last-modified': modified } = headers as Record<string, string>;
    expect(modified).toBe('Tue, 14 Nov 2023 22:13:20 GMT');
    const later = new Date(1_700_000_100_000).toUTCString();
    const sames: Record<string, string>[] = [
      { 'if-none-match': etag! },
      { 'if-none-match': `"other", W/${etag}` },
      { 'if-none-match': '*' },
      { 'if-modified-since': modified! },
      { 'if-modified-since': later },
    ];
    for (const same of sames) expect([(await ask(same)).statusCode, JSON.stringify(same)]).toEqual([304, JSON.stringify(same)]);
    const others: Record<string, string>[] = [
      { 'if-none-match': '"other"' },
      { 'if-none-match': '"other"', 'if-modified-since': later }, // the tag goes before
      { 'if-modified-since': new Date(1_600_000_000_000).toUTCString() },
      { 'if-modified-since': 'yesterday' },
    ];
    for (const other of others)
      expect([(await ask(other)).statusCode, JSON.stringify(other)]).toEqual([200, JSON.stringify(other)]);
  });

  test('a download goes on with the tag or the date of what it has, and begins anew with any other', async () => {
    const { headers } = await ask({});
    const { etag, 'last-modified': modified } = headers as Record<string, string>;
    const from = async (ifRange: string) => (await ask({ range: 'bytes=7-', 'if-range': ifRange })).body;
    expect([await from(etag!), await from(modified!)]).toEqual(['789', '789']);
    for (const other of ['"other"', `W/${etag}`, new Date(1_800_000_000_000).toUTCString(), 'junk'])
      expect(await from(other)).toBe('0123456789');
  });
});
