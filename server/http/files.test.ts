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
