import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AudioTrack, Rendition } from '#contract/rendition.ts';
import { fingerprint } from '../media/shelf.ts';
import { aUser, aVideo, engines, patience, testArchive, type TestArchive } from '../testing.ts';
import { keepRenditions, makeRoomFor, removeHalfMadeRenditions } from './keep.ts';
import { makeRenditions } from './make.ts';
import { wishFor } from './wishes.ts';

const hasFfmpeg = Boolean(process.env.REELKEEP_FFMPEG);

describe.runIf(hasFfmpeg).each(engines)('sounds by themselves and other sounds, on $engine', (on) => {
  let t: TestArchive;
  let person: Awaited<ReturnType<typeof aUser>>;
  const inMedia = (path: string) => join(t.archive.config.mediaFolder, path);
  const inCache = (path = '') => join(t.archive.config.cacheFolder, 'renditions', path);
  const run = (program: 'ffmpeg' | 'ffprobe', ...args: string[]) =>
    execFileSync(t.archive.tools.ffmpeg![program], ['-v', 'error', ...args], { encoding: 'utf8' });

  const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=64x64:rate=10:duration=3'];
  const sine = (hertz: number) => ['-f', 'lavfi', '-i', `sine=frequency=${hertz}:duration=3`];
  const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];
  const film = async (id: string, ending: string, ...args: string[]) => {
    const mediaPath = `c/${id}${ending}`;
    await mkdir(dirname(inMedia(mediaPath)), { recursive: true });
    run('ffmpeg', '-y', ...args, inMedia(mediaPath));
    return aVideo(t.archive.db, { id, mediaPath, durationSeconds: 3, ...(await fingerprint(inMedia(mediaPath))) });
  };
  const twoTongues = (id: string) => {
    const named = ['-metadata:s:a:0', 'language=eng', '-metadata:s:a:1', 'language=ger', '-metadata:s:a:1', 'title=Dubbed'];
    const maps = ['-map', '0:v', '-map', '1:a', '-map', '2:a'];
    return film(
      id,
      '.mkv',
      ...picture,
      ...sine(440),
      ...sine(880),
      ...maps,
      ...h264,
      '-c:a:0',
      'aac',
      '-c:a:1',
      'libmp3lame',
      ...named,
    );
  };

  const ask = async (id: string, wanted: object = {}) =>
    (await person.call('POST', `/api/video/${id}/rendition/`, wanted)).json<Rendition>();
  /** Asks until it is no longer being made, as players do. */
  const wait = async (id: string, wanted: object = {}): Promise<Rendition> => {
    let found = await ask(id, wanted);
    await expect.poll(async () => (found = await ask(id, wanted)).state, patience).not.toBe('making');
    return found;
  };
  const fileOf = ({ media_url }: Rendition) => join(t.archive.config.cacheFolder, media_url!.replace('/cache/', ''));
  /** What is in a file, each stream with a sum of its packets. */
  const inside = (path: string) =>
    run('ffmpeg', '-i', path, '-map', '0', '-c', 'copy', '-f', 'streamhash', '-hash', 'md5', '-')
      .trim()
      .split('\n')
      .map((line) => line.replace(/^\d+,/, ''));
  const kinds = (path: string) =>
    run('ffprobe', '-show_entries', 'stream=codec_type,codec_name', '-of', 'csv=p=0', path)
      .trim()
      .split('\n')
      .map((line) => line.split(',').toReversed().join(' '));

  beforeAll(async () => {
    t = await testArchive({ on, withTools: true });
    person = await aUser(t);
    await t.runner.begin();
  });
  afterAll(() => t.close());

  test('the sounds of a file are told by language and title; of a silent one there are none', async () => {
    await twoTongues('twoTongues1');
    const tracks = (await person.call('GET', '/api/video/twoTongues1/audio/')).json<AudioTrack[]>();
    expect(tracks).toEqual([
      { index: 1, language: 'en', title: null, codec: 'aac', channels: 1, is_default: true },
      { index: 2, language: 'de', title: 'Dubbed', codec: 'mp3', channels: 1, is_default: false },
    ]);
    await film('silentFilm1', '.mp4', ...picture, ...h264);
    expect((await person.call('GET', '/api/video/silentFilm1/audio/')).json()).toEqual([]);
    expect(await ask('silentFilm1')).toEqual({
      state: 'impossible',
      media_url: null,
      why: 'This video has no sound.',
      said: [{ code: 'sound.none', values: {} }],
    });
    expect((await person.call('GET', '/api/video/notInHere01/audio/')).statusCode).toBe(404);
    expect((await person.call('POST', '/api/video/notInHere01/rendition/', {})).statusCode).toBe(404);
    expect((await person.call('POST', '/api/video/twoTongues1/rendition/', { track: 0 })).statusCode).toBe(404);
  });

  test('a sound by itself, and the picture with another one, have the very packets of the file', async () => {
    const whole = inside(inMedia('c/twoTongues1.mkv'));
    const [seen, english, german] = [whole[0]!, whole[1]!, whole[2]!];
    const own = await wait('twoTongues1');
    expect(own).toMatchObject({
      state: 'ready',
      media_url: expect.stringMatching(/^\/cache\/renditions\/twoTongues1\/\w{16}-s1\.m4a$/) as string,
    });
    expect(inside(fileOf(own))).toEqual([english]);
    const other = await wait('twoTongues1', { track: 2 });
    expect(other.media_url).toMatch(/-s2\.mp3$/);
    expect(inside(fileOf(other))).toEqual([german]);
    const both = await wait('twoTongues1', { track: 2, picture: true });
    expect(both.media_url).toMatch(/-p2\.mkv$/);
    expect(inside(fileOf(both))).toEqual([seen, german]);
    // What the file plays by itself needs nothing to be made.
    expect(await ask('twoTongues1', { track: 1, picture: true })).toMatchObject({ state: 'file', media_url: null });
    expect(await readdir(inCache('.making'))).toEqual([]);
    // The index stands in front, so that a phone need not fetch the end first.
    const bytes = await readFile(fileOf(own), 'latin1');
    expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'));
  });

  test.each([
    ['opusInWebm1', '.webm', ['-c:v', 'libvpx', '-c:a', 'libopus'], '.webm', 'audio/webm', 'audio opus'],
    ['flacInMkv01', '.mkv', [...h264, '-c:a', 'flac'], '.flac', 'audio/flac', 'audio flac'],
    ['ac3InMkv001', '.mkv', [...h264, '-c:a', 'ac3'], '.m4a', 'audio/mp4', 'audio aac'],
  ])('%s is packed as what browsers play', async (id, ending, codecs, becomes, type, kind) => {
    await film(id, ending, ...picture, ...sine(500), ...codecs);
    const { media_url } = await wait(id);
    expect(media_url).toMatch(new RegExp(`-s1\\${becomes}$`));
    expect(kinds(fileOf({ media_url } as Rendition))).toEqual([kind]);
    const answer = await person.call('GET', media_url!);
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, type]);
  });

  test('is sent in parts, with its ETag, to whoever may see the video and to nobody else', async () => {
    const { media_url } = await wait('twoTongues1');
    const part = await t.app.inject({ url: media_url!, headers: { ...person.headers, range: 'bytes=4-7' } });
    expect([part.statusCode, part.body, part.headers['content-type']]).toEqual([206, 'ftyp', 'audio/mp4']);
    const again = await t.app.inject({
      url: media_url!,
      headers: { ...person.headers, 'if-none-match': String(part.headers.etag) },
    });
    expect(again.statusCode).toBe(304);
    expect((await t.app.inject(media_url!)).statusCode).toBe(403);
    for (const odd of ['x-s1.m4a', '..%2fsecret.key', '%2e%2e', `${'0'.repeat(16)}-s1.m4a`, '.making'])
      expect((await person.call('GET', `/cache/renditions/twoTongues1/${odd}`)).statusCode, odd).toBe(404);
    expect((await person.call('GET', `/cache/renditions/.making/${media_url!.split('/').at(-1)}`)).statusCode).toBe(404);
    // Who comes with a token gets an address that carries its own leave.
    const { token } = (await person.call('GET', '/api/appsettings/token/')).json<{ token: string }>();
    const asked = await t.app.inject({
      method: 'POST',
      url: '/api/video/twoTongues1/rendition/',
      headers: { authorization: `Token ${token}` },
      payload: {},
    });
    const signed = asked.json<Rendition>().media_url!;
    expect(signed).toContain('?sig=');
    expect((await t.app.inject(signed)).statusCode).toBe(200);
  });

  test('goes with the file that it was made of: fetched anew, or deleted', async () => {
    await twoTongues('replacedOne');
    const first = await wait('replacedOne');
    await t.archive.db
      .updateTable('video')
      .set({ sha256: 'f'.repeat(64) })
      .where('id', '=', 'replacedOne')
      .execute();
    expect((await person.call('GET', first.media_url!)).statusCode).toBe(404);
    const second = await wait('replacedOne');
    expect(second.media_url).toContain('/ffffffffffffffff-s1');
    expect((await readdir(inCache('replacedOne'))).length).toBe(2);
    await keepRenditions(t.archive);
    expect(await readdir(inCache('replacedOne'))).toEqual(['ffffffffffffffff-s1.m4a']);
    const staff = await aUser(t, { isStaff: true });
    await staff.call('DELETE', '/api/video/replacedOne/');
    await expect(stat(inCache('replacedOne'))).rejects.toThrow();
    // What a crash left of a video that is no more goes in the next round.
    await mkdir(inCache('goneVideo01'));
    await writeFile(inCache('goneVideo01/0000000000000000-s1.m4a'), 'left');
    await keepRenditions(t.archive);
    await expect(stat(inCache('goneVideo01'))).rejects.toThrow();
  });

  test('what was not used for longest goes first, and the folder may go at any time', async () => {
    const { media_url } = await wait('opusInWebm1');
    const [old, fresh] = [fileOf(await wait('twoTongues1')), fileOf({ media_url } as Rendition)];
    const { mtime } = await stat(old);
    await utimes(old, 1, mtime);
    // Somebody plays it again: it is used by that, though its content is as old as before.
    await ask('twoTongues1');
    expect((await stat(old)).atimeMs).toBeGreaterThan(1000_000);
    expect((await stat(old)).mtimeMs).toBe(mtime.getTime());
    await utimes(old, 1, mtime);
    const { size } = await stat(old);
    await makeRoomFor(t.archive, 5e9 - (await total()) + size);
    await expect(stat(old)).rejects.toThrow();
    expect((await stat(fresh)).isFile()).toBe(true);
    await rm(inCache(), { recursive: true });
    await keepRenditions(t.archive);
    expect((await wait('opusInWebm1')).media_url).toBe(media_url);
  });
  const total = async () => {
    let sum = 0;
    for (const entry of await readdir(inCache(), { recursive: true, withFileTypes: true }))
      if (entry.isFile()) sum += (await stat(join(entry.parentPath, entry.name))).size;
    return sum;
  };

  test('what is stopped or cut off is never served, and leaves nothing', async () => {
    await twoTongues('stoppedOne1');
    const { sha256 } = await t.archive.db
      .selectFrom('video')
      .select('sha256')
      .where('id', '=', 'stoppedOne1')
      .executeTakeFirstOrThrow();
    const name = `${sha256.slice(0, 16)}-s1.m4a`;
    await t.runner.idle(); // else the runner may be the one that makes it
    const stopping = new AbortController();
    wishFor(t.archive, { videoId: 'stoppedOne1', stamp: sha256.slice(0, 16), track: 1, withPicture: false, name });
    const nothing = () => {};
    const run = makeRenditions.run(
      {
        id: 'x',
        input: {},
        againSince: null,
        signal: stopping.signal,
        report: () => stopping.abort(new Error('by hand')),
        skip: nothing,
        note: nothing,
      },
      t.archive,
    );
    await expect(run).rejects.toThrow('by hand');
    expect(await readdir(inCache('.making'))).toEqual([]);
    expect(await ask('stoppedOne1')).toMatchObject({ state: 'impossible', why: 'It was stopped.' });
    await writeFile(inCache(`.making/${name}`), 'half');
    expect((await person.call('GET', `/cache/renditions/stoppedOne1/${name}`)).statusCode).toBe(404);
    expect((await person.call('GET', `/cache/renditions/.making/${name}`)).statusCode).toBe(404);
    await removeHalfMadeRenditions(t.archive);
    await expect(stat(inCache('.making'))).rejects.toThrow();
  });

  test('without ffmpeg, without the file and without room it says so in a sentence', async () => {
    await twoTongues('troubled001');
    const { ffmpeg } = t.archive.tools;
    t.archive.tools.ffmpeg = null;
    const without = 'ffmpeg is not there, so only what the file plays by itself can be played.';
    expect(await ask('troubled001')).toMatchObject({ state: 'impossible', why: without });
    const refused = await person.call('GET', '/api/video/troubled001/audio/');
    expect([refused.statusCode, refused.json()]).toEqual([503, { error: without }]);
    t.archive.tools.ffmpeg = ffmpeg;
    await t.archive.db.updateTable('video').set({ sizeBytes: 9e15 }).where('id', '=', 'troubled001').execute();
    expect(await wait('troubled001', { track: 2, picture: true })).toMatchObject({
      state: 'impossible',
      why: expect.stringMatching(/^There is no room for it: [\d.]+ GB are free, and [\d.]+ GB are needed/) as string,
      said: [{ code: 'sound.room', values: { free: expect.any(String) as string, needed: expect.any(String) as string } }],
    });
    await rm(inMedia('c/troubled001.mkv'));
    expect(await ask('troubled001')).toMatchObject({
      state: 'impossible',
      why: 'The file is not there, so nothing can be made of it.',
    });
    await writeFile(inMedia('c/troubled001.mkv'), 'no film');
    await t.archive.db
      .updateTable('video')
      .set({ sha256: 'e'.repeat(64) })
      .where('id', '=', 'troubled001')
      .execute();
    expect(await ask('troubled001')).toMatchObject({ state: 'impossible', why: 'The file cannot be read.' });
  });
});
