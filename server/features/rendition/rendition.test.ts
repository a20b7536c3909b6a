import { message } from '#contract/messages.ts';
import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AudioTrack, Rendition } from '#contract/rendition.ts';
import { fingerprint } from '../../platform/files/files.ts';
import { createUser, createVideo, engines, testTimeouts, testApp, type TestApp } from '../../test-support/app.ts';
import { cleanRenditionCache, freeSpaceFor, removePartialRenditions } from './rendition-cache.ts';
import { renderTask } from './render-task.ts';
import { addRequest } from './request-queue.ts';

const hasFfmpeg = Boolean(process.env.REELKEEP_FFMPEG);

describe.runIf(hasFfmpeg).each(engines)('audio renditions, on $engine', (on) => {
  let t: TestApp;
  let user: Awaited<ReturnType<typeof createUser>>;
  const inMedia = (path: string) => join(t.app.config.mediaFolder, path);
  const inCache = (path = '') => join(t.app.config.cacheFolder, 'renditions', path);
  const run = (program: 'ffmpeg' | 'ffprobe', ...args: string[]) =>
    execFileSync(t.app.tools.ffmpeg![program], ['-v', 'error', ...args], { encoding: 'utf8' });

  const testPicture = ['-f', 'lavfi', '-i', 'testsrc2=size=64x64:rate=10:duration=3'];
  const sine = (hertz: number) => ['-f', 'lavfi', '-i', `sine=frequency=${hertz}:duration=3`];
  const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];
  const createFilm = async (id: string, extension: string, ...args: string[]) => {
    const mediaPath = `c/${id}${extension}`;
    await mkdir(dirname(inMedia(mediaPath)), { recursive: true });
    run('ffmpeg', '-y', ...args, inMedia(mediaPath));
    return createVideo(t.app.db, { id, mediaPath, durationSeconds: 3, ...(await fingerprint(inMedia(mediaPath))) });
  };
  const createBilingualFilm = (id: string) => {
    const metadata = ['-metadata:s:a:0', 'language=eng', '-metadata:s:a:1', 'language=ger', '-metadata:s:a:1', 'title=Dubbed'];
    const mapping = ['-map', '0:v', '-map', '1:a', '-map', '2:a'];
    return createFilm(
      id,
      '.mkv',
      ...testPicture,
      ...sine(440),
      ...sine(880),
      ...mapping,
      ...h264,
      '-c:a:0',
      'aac',
      '-c:a:1',
      'libmp3lame',
      ...metadata,
    );
  };

  const requestRendition = async (id: string, options: object = {}) =>
    (await user.call('POST', `/api/video/${id}/rendition/`, options)).json<Rendition>();
  /** Polls until the rendition is finished, like the player. */
  const waitForRendition = async (id: string, options: object = {}): Promise<Rendition> => {
    let rendition = await requestRendition(id, options);
    await expect.poll(async () => (rendition = await requestRendition(id, options)).state, testTimeouts).not.toBe('making');
    return rendition;
  };
  const fileOf = ({ media_url }: Rendition) => join(t.app.config.cacheFolder, media_url!.replace('/cache/', ''));
  /** Returns the type and packet hash of each stream of a file. */
  const streamHashes = (path: string) =>
    run('ffmpeg', '-i', path, '-map', '0', '-c', 'copy', '-f', 'streamhash', '-hash', 'md5', '-')
      .trim()
      .split('\n')
      .map((line) => line.replace(/^\d+,/, ''));
  const codecsOf = (path: string) =>
    run('ffprobe', '-show_entries', 'stream=codec_type,codec_name', '-of', 'csv=p=0', path)
      .trim()
      .split('\n')
      .map((line) => line.split(',').toReversed().join(' '));

  beforeAll(async () => {
    t = await testApp({ on, withTools: true });
    user = await createUser(t);
    await t.runner.begin();
  });
  afterAll(() => t.close());

  test('lists audio tracks with language and title, and none of a silent file', async () => {
    await createBilingualFilm('twoTongues1');
    const tracks = (await user.call('GET', '/api/video/twoTongues1/audio/')).json<AudioTrack[]>();
    expect(tracks).toEqual([
      { index: 1, language: 'en', title: null, kind: null, codec: 'aac', channels: 1, is_default: true },
      { index: 2, language: 'de', title: 'Dubbed', kind: null, codec: 'mp3', channels: 1, is_default: false },
    ]);
    await createFilm('silentFilm1', '.mp4', ...testPicture, ...h264);
    expect((await user.call('GET', '/api/video/silentFilm1/audio/')).json()).toEqual([]);
    expect(await requestRendition('silentFilm1')).toEqual({
      state: 'impossible',
      media_url: null,
      why: 'This video has no audio track.',
      why_messages: [message('rendition.no-audio')],
    });
    expect((await user.call('GET', '/api/video/notInHere01/audio/')).statusCode).toBe(404);
    expect((await user.call('POST', '/api/video/notInHere01/rendition/', {})).statusCode).toBe(404);
    expect((await user.call('POST', '/api/video/twoTongues1/rendition/', { track: 0 })).statusCode).toBe(404);
  });

  test('of a song have its track, artists, album and year as tags', async () => {
    await createBilingualFilm('aSongOfTwo1');
    const music = { artists: ['Ada', 'Bo'], album: 'Low Tide', track: 'Ebb', year: 2001 };
    await t.app.db
      .updateTable('video')
      .set({ music: JSON.stringify(music) })
      .where('id', '=', 'aSongOfTwo1')
      .execute();
    const sound = fileOf(await waitForRendition('aSongOfTwo1'));
    const shown = run('ffprobe', '-show_entries', 'format_tags=title,artist,album,date', '-of', 'json', sound);
    expect(JSON.parse(shown).format.tags).toEqual({ title: 'Ebb', artist: 'Ada, Bo', album: 'Low Tide', date: '2001' });
  });

  test('contain the packets of the source file unchanged', async () => {
    const hashes = streamHashes(inMedia('c/twoTongues1.mkv'));
    const [videoHash, englishHash, germanHash] = [hashes[0]!, hashes[1]!, hashes[2]!];
    const defaultTrack = await waitForRendition('twoTongues1');
    expect(defaultTrack).toMatchObject({
      state: 'ready',
      media_url: expect.stringMatching(/^\/cache\/renditions\/twoTongues1\/\w{16}-s1\.m4a$/) as string,
    });
    expect(streamHashes(fileOf(defaultTrack))).toEqual([englishHash]);
    const secondTrack = await waitForRendition('twoTongues1', { track: 2 });
    expect(secondTrack.media_url).toMatch(/-s2\.mp3$/);
    expect(streamHashes(fileOf(secondTrack))).toEqual([germanHash]);
    const withVideo = await waitForRendition('twoTongues1', { track: 2, picture: true });
    expect(withVideo.media_url).toMatch(/-p2\.mkv$/);
    expect(streamHashes(fileOf(withVideo))).toEqual([videoHash, germanHash]);
    // The default track of the file needs no rendition.
    expect(await requestRendition('twoTongues1', { track: 1, picture: true })).toMatchObject({ state: 'file', media_url: null });
    expect(await readdir(inCache('.making'))).toEqual([]);
    const shown = run('ffprobe', '-show_entries', 'format_tags=title,artist', '-of', 'json', fileOf(defaultTrack));
    const { title } = await t.app.db
      .selectFrom('video')
      .select('title')
      .where('id', '=', 'twoTongues1')
      .executeTakeFirstOrThrow();
    expect(JSON.parse(shown).format.tags).toMatchObject({ title, artist: expect.stringMatching(/./) as string });
    // The index (moov) precedes the data, so that players do not have to fetch the end first.
    const bytes = await readFile(fileOf(defaultTrack), 'latin1');
    expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'));
  });

  test.each([
    ['opusInWebm1', '.webm', ['-c:v', 'libvpx', '-c:a', 'libopus'], '.webm', 'audio/webm', 'audio opus'],
    ['flacInMkv01', '.mkv', [...h264, '-c:a', 'flac'], '.flac', 'audio/flac', 'audio flac'],
    ['ac3InMkv001', '.mkv', [...h264, '-c:a', 'ac3'], '.m4a', 'audio/mp4', 'audio aac'],
  ])('%s is remuxed into a format that browsers play', async (id, extension, codecs, newExtension, type, kind) => {
    await createFilm(id, extension, ...testPicture, ...sine(500), ...codecs);
    const { media_url } = await waitForRendition(id);
    expect(media_url).toMatch(new RegExp(`-s1\\${newExtension}$`));
    expect(codecsOf(fileOf({ media_url } as Rendition))).toEqual([kind]);
    const response = await user.call('GET', media_url!);
    expect([response.statusCode, response.headers['content-type']]).toEqual([200, type]);
  });

  test('are served in ranges with an ETag to permitted users only', async () => {
    const { media_url } = await waitForRendition('twoTongues1');
    const part = await t.server.inject({ url: media_url!, headers: { ...user.headers, range: 'bytes=4-7' } });
    expect([part.statusCode, part.body, part.headers['content-type']]).toEqual([206, 'ftyp', 'audio/mp4']);
    const again = await t.server.inject({
      url: media_url!,
      headers: { ...user.headers, 'if-none-match': String(part.headers.etag) },
    });
    expect(again.statusCode).toBe(304);
    expect((await t.server.inject(media_url!)).statusCode).toBe(403);
    for (const invalidName of ['x-s1.m4a', '..%2fsecret.key', '%2e%2e', `${'0'.repeat(16)}-s1.m4a`, '.making'])
      expect((await user.call('GET', `/cache/renditions/twoTongues1/${invalidName}`)).statusCode, invalidName).toBe(404);
    expect((await user.call('GET', `/cache/renditions/.making/${media_url!.split('/').at(-1)}`)).statusCode).toBe(404);
    // Requests with an API token return signed URLs.
    const { token } = (await user.call('GET', '/api/appsettings/token/')).json<{ token: string }>();
    const tokenResponse = await t.server.inject({
      method: 'POST',
      url: '/api/video/twoTongues1/rendition/',
      headers: { authorization: `Token ${token}` },
      payload: {},
    });
    const signedUrl = tokenResponse.json<Rendition>().media_url!;
    expect(signedUrl).toContain('/~t.');
    expect((await t.server.inject(signedUrl)).statusCode).toBe(200);
  });

  test('are deleted with their source file', async () => {
    await createBilingualFilm('replacedOne');
    const first = await waitForRendition('replacedOne');
    await t.app.db
      .updateTable('video')
      .set({ sha256: 'f'.repeat(64) })
      .where('id', '=', 'replacedOne')
      .execute();
    expect((await user.call('GET', first.media_url!)).statusCode).toBe(404);
    const second = await waitForRendition('replacedOne');
    expect(second.media_url).toContain('/ffffffffffffffff-s1');
    expect((await readdir(inCache('replacedOne'))).length).toBe(2);
    await cleanRenditionCache(t.app);
    expect(await readdir(inCache('replacedOne'))).toEqual(['ffffffffffffffff-s1.m4a']);
    const staff = await createUser(t, { isStaff: true });
    await staff.call('DELETE', '/api/video/replacedOne/');
    await expect(stat(inCache('replacedOne'))).rejects.toThrow();
    // The next cleanup deletes leftovers of a deleted video.
    await mkdir(inCache('goneVideo01'));
    await writeFile(inCache('goneVideo01/0000000000000000-s1.m4a'), 'left');
    await cleanRenditionCache(t.app);
    await expect(stat(inCache('goneVideo01'))).rejects.toThrow();
  });

  test('the least recently used ones are deleted first, and the folder may be deleted at any time', async () => {
    const { media_url } = await waitForRendition('opusInWebm1');
    const [old, recent] = [fileOf(await waitForRendition('twoTongues1')), fileOf({ media_url } as Rendition)];
    const { mtime } = await stat(old);
    await utimes(old, 1, mtime);
    // A request updates the access time, but not the modification time.
    await requestRendition('twoTongues1');
    expect((await stat(old)).atimeMs).toBeGreaterThan(1000_000);
    expect((await stat(old)).mtimeMs).toBe(mtime.getTime());
    await utimes(old, 1, mtime);
    const { size } = await stat(old);
    await freeSpaceFor(t.app, 5e9 - (await cacheSize()) + size);
    await expect(stat(old)).rejects.toThrow();
    expect((await stat(recent)).isFile()).toBe(true);
    await rm(inCache(), { recursive: true });
    await cleanRenditionCache(t.app);
    expect((await waitForRendition('opusInWebm1')).media_url).toBe(media_url);
  });
  const cacheSize = async () => {
    let sum = 0;
    for (const entry of await readdir(inCache(), { recursive: true, withFileTypes: true }))
      if (entry.isFile()) sum += (await stat(join(entry.parentPath, entry.name))).size;
    return sum;
  };

  test('a stopped or interrupted rendition is never served and leaves nothing', async () => {
    await createBilingualFilm('stoppedOne1');
    const { sha256 } = await t.app.db
      .selectFrom('video')
      .select('sha256')
      .where('id', '=', 'stoppedOne1')
      .executeTakeFirstOrThrow();
    const name = `${sha256.slice(0, 16)}-s1.m4a`;
    await t.runner.idle(); // else the runner could create it
    const controller = new AbortController();
    await addRequest(t.app, {
      videoId: 'stoppedOne1',
      stamp: sha256.slice(0, 16),
      track: 1,
      withPicture: 0,
      onlyM4a: 0,
      name,
    });
    const noop = () => {};
    const run = renderTask.run(
      {
        id: 'x',
        input: {},
        againSince: null,
        signal: controller.signal,
        report: () => controller.abort(new Error('by hand')),
        skip: noop,
        note: noop,
      },
      t.app,
    );
    await expect(run).rejects.toThrow('by hand');
    expect(await readdir(inCache('.making'))).toEqual([]);
    expect(await requestRendition('stoppedOne1')).toMatchObject({ state: 'impossible', why: 'The preparation was stopped.' });
    await writeFile(inCache(`.making/${name}`), 'half');
    expect((await user.call('GET', `/cache/renditions/stoppedOne1/${name}`)).statusCode).toBe(404);
    expect((await user.call('GET', `/cache/renditions/.making/${name}`)).statusCode).toBe(404);
    await removePartialRenditions(t.app);
    await expect(stat(inCache('.making'))).rejects.toThrow();
  });

  test('wait at the start of the server until ffmpeg has been looked for', async () => {
    await createBilingualFilm('startingUp1');
    const { tools } = t.app;
    const { ffmpeg } = tools;
    const searched = Promise.withResolvers<void>();
    const waits = Promise.withResolvers<void>();
    tools.ffmpeg = null;
    Object.defineProperty(tools, 'searched', { configurable: true, get: () => (waits.resolve(), searched) });
    const answer = user.call('GET', '/api/video/startingUp1/audio/');
    await Promise.race([waits.promise, answer]);
    tools.ffmpeg = ffmpeg;
    searched.resolve();
    expect((await answer).json()).toMatchObject([{ index: 1, is_default: true }, { index: 2 }]);
  });

  test('report missing ffmpeg, missing files and a full disk', async () => {
    await createBilingualFilm('troubled001');
    const { ffmpeg } = t.app.tools;
    t.app.tools.ffmpeg = null;
    const expectedError = 'ffmpeg is not installed, so only the default audio track can be played.';
    expect(await requestRendition('troubled001')).toMatchObject({ state: 'impossible', why: expectedError });
    const rejected = await user.call('GET', '/api/video/troubled001/audio/');
    expect([rejected.statusCode, rejected.json()]).toMatchObject([503, { error: expectedError }]);
    t.app.tools.ffmpeg = ffmpeg;
    await t.app.db.updateTable('video').set({ sizeBytes: 9e15 }).where('id', '=', 'troubled001').execute();
    expect(await waitForRendition('troubled001', { track: 2, picture: true })).toMatchObject({
      state: 'impossible',
      why: expect.stringMatching(
        /^Not enough space for the audio track: [\d.,]+ GB are free, but [\d.,]+ GB are needed/,
      ) as string,
      why_messages: [message('rendition.no-space', { free: expect.any(Number) as number, needed: expect.any(Number) as number })],
    });
    await rm(inMedia('c/troubled001.mkv'));
    expect(await requestRendition('troubled001')).toMatchObject({
      state: 'impossible',
      why: 'The media file is missing, so no audio track can be prepared.',
    });
    await writeFile(inMedia('c/troubled001.mkv'), 'no film');
    await t.app.db
      .updateTable('video')
      .set({ sha256: 'e'.repeat(64) })
      .where('id', '=', 'troubled001')
      .execute();
    expect(await requestRendition('troubled001')).toMatchObject({
      state: 'impossible',
      why: 'The file could not be read. It may be damaged.',
    });
  });
});
