import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Clip } from '#contract/clip.ts';
import type { TrashResult } from '#contract/trash.ts';
import { insertExactly } from '../../platform/db/copy/bulk-copy.ts';
import { exists, fingerprint } from '../../platform/files/files.ts';
import { createUser, createVideo, engines, testApp, testTimeouts, type TestApp } from '../../test-support/app.ts';
import { startS3, versitygwPath } from '../../test-support/s3.ts';
import { cleanRenditionCache, freeSpaceFor, removePartialRenditions } from '../rendition/rendition-cache.ts';
import { makeClipsTask, startClipsIfDue } from './tasks.ts';

describe.runIf(process.env.REELKEEP_FFMPEG).each(engines)('clips, on $engine', (on) => {
  let t: TestApp;
  let anna: Awaited<ReturnType<typeof createUser>>;
  let ben: Awaited<ReturnType<typeof createUser>>;
  const inMedia = (path: string) => join(t.app.config.mediaFolder, path);
  const inCache = (path = '') => join(t.app.config.cacheFolder, 'renditions', path);
  const run = (program: 'ffmpeg' | 'ffprobe', ...args: string[]) =>
    execFileSync(t.app.tools.ffmpeg![program], ['-v', 'error', ...args], { encoding: 'buffer' });
  const probe = (path: string, ...args: string[]) =>
    run('ffprobe', ...args, '-of', 'csv=p=0', path)
      .toString()
      .trim();

  // 10 pictures a second, whose brightness is their number; key frames every 2.5 s, and pictures that refer to later ones.
  const numberedPictures = (size = '64x64') => [
    '-f',
    'lavfi',
    '-i',
    `nullsrc=size=${size}:rate=10:duration=10,format=yuv420p,geq=lum=16+2*N:cb=128:cr=128`,
  ];
  const sine = (hertz: number, seconds = 10) => ['-f', 'lavfi', '-i', `sine=frequency=${hertz}:duration=${seconds}`];
  const h264 = ['-c:v', 'libx264', '-preset', 'veryfast', '-bf', '2', '-g', '25', '-sc_threshold', '0'];
  const createFilm = async (id: string, extension: string, args: string[], values: object = {}) => {
    const mediaPath = `c/${id}${extension}`;
    await mkdir(dirname(inMedia(mediaPath)), { recursive: true });
    run('ffmpeg', '-y', ...args, inMedia(mediaPath));
    const content = await fingerprint(inMedia(mediaPath));
    return createVideo(t.app.db, { id, mediaPath, durationSeconds: 10, width: 64, height: 64, ...content, ...values });
  };
  const film = (id: string, extension = '.mp4', values: object = {}) =>
    createFilm(id, extension, [...numberedPictures(), ...sine(440), ...h264, '-c:a', 'aac'], values);
  /** Number of the first picture of a file. */
  const firstPicture = (path: string) =>
    Math.round(
      (run('ffmpeg', '-i', path, '-map', '0:v', '-frames:v', '1', '-pix_fmt', 'yuv420p', '-f', 'rawvideo', '-')[0]! - 16) / 2,
    );
  const durationOf = (path: string) => Number(probe(path, '-show_entries', 'format=duration'));
  const codecsOf = (path: string) => probe(path, '-show_entries', 'stream=codec_name').split('\n');

  const post = (clip: object, user = anna) => user.call('POST', '/api/clip/', { mode: 'copy', ...clip });
  const read = async (id: number, user = anna) => (await user.call('GET', `/api/clip/${id}/`)).json<Clip>();
  const list = async (query = '', user = anna) => (await user.call('GET', `/api/clip/${query}`)).json<{ data: Clip[] }>().data;
  const refusal = async (clip: object) => {
    const response = await post(clip);
    return [response.statusCode, response.json().error];
  };
  const settled = async (id: number, user = anna) => {
    let clip = await read(id, user);
    await expect.poll(async () => (clip = await read(id, user)).state, testTimeouts).not.toMatch(/queued|running/);
    return clip;
  };
  const make = async (clip: object, user = anna) => {
    const response = await post(clip, user);
    expect(response.statusCode, response.body).toBe(200);
    return settled(response.json<Clip>().id, user);
  };
  const pathOf = async ({ id }: Pick<Clip, 'id'>) => {
    const { path } = await t.app.db.selectFrom('clip').select('path').where('number', '=', id).executeTakeFirstOrThrow();
    return join(t.app.config.cacheFolder, path!.replace('cache:', ''));
  };
  /** Files in the folder of a video, of those being made if it is empty. */
  const filesOf = (video = '.making') => readdir(inCache(video)).catch(() => []);

  /** Lets ffmpeg wait for ever. Returns a function that brings the real one back. */
  const holdFfmpeg = async () => {
    const { ffmpeg } = t.app.tools;
    const started = join(t.folder, 'ffmpeg-started');
    const held = join(t.folder, 'held-ffmpeg');
    await rm(started, { force: true });
    await writeFile(held, `#!/bin/sh\nfor last; do :; done\necho half > "\${last#file:}"\n: > '${started}'\nexec sleep 1000\n`);
    await chmod(held, 0o755);
    t.app.tools.ffmpeg = { ...ffmpeg!, ffmpeg: held };
    return {
      started: () => expect.poll(() => exists(started), testTimeouts).toBe(true),
      release: () => void (t.app.tools.ffmpeg = ffmpeg),
    };
  };

  beforeAll(async () => {
    t = await testApp({ on, withTools: true });
    [anna, ben] = [await createUser(t), await createUser(t, { isStaff: true })];
    await t.runner.begin();
    await film('numbered001', '.mp4', { title: 'Rye: how? [1/2]' });
  });
  afterAll(() => t.close());

  test.each(['.mp4', '.mkv'])('a copy of %s begins at a key frame, which it reports', async (extension) => {
    const video = await film(`copied${extension.slice(1)}00`, extension);
    for (const [start, end, keyFrame] of [
      [4.2, 6, 2.5],
      [2.4, 3, 0],
      [8.3, 9.2, 7.5],
    ] as const) {
      const clip = await make({ video, start, end });
      expect(clip).toMatchObject({ state: 'done', start, end, mode: 'copy', why: null });
      // Matroska shows the first picture 23 ms late, because the sound begins before it.
      expect(Math.abs(clip.actual_start! - keyFrame)).toBeLessThan(0.03);
      const path = await pathOf(clip);
      expect(path.endsWith(extension)).toBe(true);
      expect(firstPicture(path)).toBe(keyFrame * 10);
      // Packets are counted by the order of decoding, which differs by some pictures.
      expect(Math.abs(durationOf(path) - (end - keyFrame))).toBeLessThan(0.6);
      expect([codecsOf(path), clip.size]).toEqual([['h264', 'aac'], (await stat(path)).size]);
    }
    // A start at a key frame may be found at the one before, but is reported as it is.
    const clip = await make({ video, start: 5, end: 6 });
    expect(firstPicture(await pathOf(clip))).toBe(Math.round(clip.actual_start! * 10));
  });

  test('an exact one begins and ends where it should, as H.264 and AAC', async () => {
    const clip = await make({ video: 'numbered001', start: 4.2, end: 6, mode: 'exact' });
    expect(clip).toMatchObject({ state: 'done', actual_start: 4.2 });
    const path = await pathOf(clip);
    expect(firstPicture(path)).toBe(42);
    expect(Math.abs(durationOf(path) - 1.8)).toBeLessThan(0.15);
    expect(codecsOf(path)).toEqual(['h264', 'aac']);
    // Of another format with odd sizes too.
    const odd = [...numberedPictures('63x65'), ...sine(440), '-pix_fmt', 'yuv444p', '-c:v', 'libvpx-vp9', '-c:a', 'libopus'];
    const video = await createFilm('oddSizes001', '.webm', odd);
    const other = await pathOf(await make({ video, start: 3, end: 4, mode: 'exact' }));
    expect([codecsOf(other), firstPicture(other)]).toEqual([['h264', 'aac'], 30]);
    expect(probe(other, '-select_streams', 'v', '-show_entries', 'stream=width,height,pix_fmt')).toBe('62,64,yuv420p');
  });

  test('of audio, without audio, and with the track that players choose', async () => {
    const audio = await createFilm('onlyAudio01', '.mp3', [...sine(440), '-c:a', 'libmp3lame'], { width: 0, height: 0 });
    const copied = await make({ video: audio, start: 4, end: 6 });
    expect([copied.state, codecsOf(await pathOf(copied))]).toEqual(['done', ['mp3']]);
    expect(Math.abs(copied.actual_start! - 4)).toBeLessThan(0.06);
    const encoded = await pathOf(await make({ video: audio, start: 4, end: 6, mode: 'exact' }));
    expect([encoded.endsWith('.m4a'), codecsOf(encoded)]).toEqual([true, ['aac']]);
    expect(Math.abs(durationOf(encoded) - 2)).toBeLessThan(0.1);

    const silent = await createFilm('silentFilm1', '.mp4', [...numberedPictures(), ...h264]);
    for (const mode of ['copy', 'exact'])
      expect(codecsOf(await pathOf(await make({ video: silent, start: 1, end: 2, mode })))).toEqual(['h264']);

    const maps = ['-map', '0:v', '-map', '1:a', '-map', '2:a', '-disposition:a:0', '0', '-disposition:a:1', 'default'];
    const codecs = [...h264, '-c:a:0', 'libmp3lame', '-c:a:1', 'aac'];
    const two = await createFilm('twoTongues1', '.mkv', [...numberedPictures(), ...sine(440), ...sine(880), ...maps, ...codecs]);
    expect(codecsOf(await pathOf(await make({ video: two, start: 1, end: 2 })))).toEqual(['h264', 'aac']);
  });

  test('an exact part of HDR is for all screens', async () => {
    const colours = ['-color_primaries', 'bt2020', '-color_trc', 'smpte2084', '-colorspace', 'bt2020nc'];
    const named = 'log-level=none:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc';
    const grey = ['-f', 'lavfi', '-i', 'color=0x808080:size=64x64:rate=10:duration=3,format=yuv420p10le'];
    const encoder = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', named, ...colours];
    const video = await createFilm('hdrFilm0001', '.mp4', [...grey, ...encoder], { durationSeconds: 3 });
    const path = await pathOf(await make({ video, start: 1, end: 2, mode: 'exact' }));
    expect(probe(path, '-show_entries', 'stream=codec_name,pix_fmt,color_space,color_transfer,color_primaries')).toBe(
      'h264,yuv420p,bt709,bt709,bt709',
    );
    // Half of the signal of HDR is about 92 nits, which is nearly white on other screens.
    const [level] = run('ffmpeg', '-i', path, '-frames:v', '1', '-pix_fmt', 'gray', '-f', 'rawvideo', '-');
    expect(level).toBeGreaterThan(145);
  });

  test('a copy of 60 s is made without reading or encoding the rest', async () => {
    const long = ['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25:duration=300', ...sine(440, 300), ...h264, '-c:a', 'aac'];
    const video = await createFilm('longFilm001', '.mp4', long, { durationSeconds: 300, width: 320, height: 180 });
    const clip = await make({ video, start: 121.3, end: 181.3 });
    expect(clip.state).toBe('done');
    expect(codecsOf(await pathOf(clip))).toEqual(['h264', 'aac']);
    expect(Math.abs(durationOf(await pathOf(clip)) - 60.3)).toBeLessThan(1.2);
  });

  test('are refused outside of the video, and with a length that no clip can have', async () => {
    const long = await createVideo(t.app.db, { durationSeconds: 3600 });
    expect(await refusal({ video: long, start: 0, end: 600.1 })).toEqual([400, 'A clip can be 10 minutes long.']);
    expect(await refusal({ video: long, start: 10, end: 10.4 })).toEqual([400, 'A clip takes at least half a second.']);
    expect(await refusal({ video: long, start: 10, end: 9 })).toEqual([400, 'The end is before the start.']);
    expect(await refusal({ video: long, start: 3590, end: 3605 })).toEqual([400, 'The video is 1:00:00 long.']);
    expect(await refusal({ video: 'unknown', start: 1, end: 2 })).toEqual([404, 'video not found']);
    for (const bad of [{ start: -1, end: 2 }, { start: 1 }, { start: 'x', end: 2 }, { start: 1, end: 2, mode: 'best' }])
      expect((await post({ video: long, ...bad })).statusCode).toBe(400);
    expect(await list(`?video=${long}`)).toEqual([]);
    // Players report some hundred milliseconds more than the whole seconds that are stored.
    expect((await make({ video: 'numbered001', start: 9, end: 10.6 })).state).toBe('done');
  });

  test('belong to their user alone, also towards staff', async () => {
    const clip = await make({ video: 'numbered001', start: 1, end: 2 });
    const token = (await anna.call('GET', '/api/appsettings/token/')).json<{ token: string }>().token;
    expect(await list('', ben)).toEqual([]);
    for (const method of ['GET', 'DELETE'] as const) {
      const response = await ben.call(method, `/api/clip/${clip.id}/`);
      expect([response.statusCode, response.json().error]).toEqual([404, 'clip not found']);
    }
    const url = clip.media_url!;
    expect((await ben.call('GET', url)).statusCode).toBe(404);
    expect((await t.server.inject(url)).statusCode).toBe(403);
    expect((await anna.call('GET', url.replace('.mp4', '.mkv'))).statusCode).toBe(404);
    // Nor at the address of renditions.
    const name = (await pathOf(clip)).split('/').at(-1)!;
    expect((await ben.call('GET', `/cache/renditions/numbered001/${name}`)).statusCode).toBe(404);
    // An address for players is signed for its user.
    const headers = { authorization: `Token ${token}` };
    const signed = (await t.server.inject({ url: `/api/clip/${clip.id}/`, headers })).json<Clip>().media_url!;
    expect((await t.server.inject(signed)).statusCode).toBe(200);
    expect((await t.server.inject(signed.replace(`/${clip.id}.mp4`, `/${clip.id + 1}.mp4`))).statusCode).toBe(403);
    // The same clip of another user is theirs, and outlives the first one.
    const other = await make({ video: 'numbered001', start: 1, end: 2 }, ben);
    expect((await anna.call('DELETE', `/api/clip/${clip.id}/`)).statusCode).toBe(204);
    expect((await ben.call('GET', other.media_url!)).statusCode).toBe(200);
    expect((await ben.call('DELETE', `/api/clip/${other.id}/`)).statusCode).toBe(204);
    expect(await filesOf('numbered001')).not.toContain(name);
  });

  test('need the scope of notes', async () => {
    const clip = await make({ video: 'numbered001', start: 1, end: 2 });
    const withScopes = async (...scopes: string[]) => {
      const body = { name: scopes.join(), scopes };
      const response = await anna.call('POST', '/api/user/tokens/', body, anna.password);
      return { authorization: `Token ${response.json<{ token: string }>().token}` };
    };
    const [most, notes] = [await withScopes('read', 'watch', 'staff'), await withScopes('notes')];
    for (const url of ['/api/clip/', `/api/clip/${clip.id}/`, clip.media_url!]) {
      expect((await t.server.inject({ url, headers: most })).statusCode, url).toBe(403);
      expect((await t.server.inject({ url, headers: notes })).statusCode, url).toBe(200);
    }
  });

  test('are downloaded in ranges with a readable name', async () => {
    const { media_url: url } = await make({ video: 'numbered001', start: 1, end: 2 });
    const part = await t.server.inject({ url: url!, headers: { ...anna.headers, range: 'bytes=4-7' } });
    expect([part.statusCode, part.body, part.headers['content-type']]).toEqual([206, 'ftyp', 'video/mp4']);
    expect(part.headers['content-disposition']).toBeUndefined();
    const { headers } = await anna.call('GET', `${url}?download`);
    expect(headers['content-disposition']).toBe(
      `attachment; filename="Rye how [1 2] 0.010.02.mp4"; filename*=UTF-8''${encodeURIComponent('Rye how [1 2] 0.01–0.02.mp4')}`,
    );
    expect(headers['content-security-policy']).toContain('sandbox');
    const long = await film('longTitle01', '.mp4', { title: 'é'.repeat(300) });
    const named = (await anna.call('GET', `${(await make({ video: long, start: 1, end: 2 })).media_url}?download`)).headers;
    expect(decodeURIComponent(String(named['content-disposition']))).toMatch(/é 0\.01–0\.02\.mp4$/);
  });

  test('the same one is not made twice', async () => {
    const first = await make({ video: 'numbered001', start: 3, end: 4 });
    expect(await make({ video: 'numbered001', start: 3, end: 4 })).toEqual(first);
    const exact = await make({ video: 'numbered001', start: 3, end: 4, mode: 'exact' });
    expect((await list('?video=numbered001')).slice(0, 2).map(({ id }) => id)).toEqual([exact.id, first.id]);
  });

  test('that are watched or downloaded are kept longer than others', async () => {
    const [first, second] = [
      await make({ video: 'numbered001', start: 5, end: 6 }),
      await make({ video: 'numbered001', start: 5, end: 7 }),
    ];
    for (const clip of [first, second]) await utimes(await pathOf(clip), 0, 0);
    await anna.call('GET', `${first.media_url!}?download`);
    const [used, unused] = [await stat(await pathOf(first)), await stat(await pathOf(second))];
    expect([used.atimeMs > 0, unused.atimeMs]).toEqual([true, 0]);
  });

  test('whose file made room for others stay, and are made again', async () => {
    const clip = await make({ video: 'numbered001', start: 2, end: 4 });
    await freeSpaceFor(t.app, 5e9);
    expect(await filesOf('numbered001')).toEqual([]);
    expect(await read(clip.id)).toMatchObject({ state: 'removed', size: null, media_url: null });
    expect((await anna.call('GET', clip.media_url!)).statusCode).toBe(404);
    expect(await make({ video: 'numbered001', start: 2, end: 4 })).toEqual(clip);
    expect((await anna.call('GET', clip.media_url!)).statusCode).toBe(200);
  });

  test('are refused when they do not fit into the cache or on its disk', async () => {
    const part = { start: 0, end: 600 };
    const large = await createVideo(t.app.db, { durationSeconds: 600, sizeBytes: 6e9 });
    const full = 'No space for clips. Delete some or raise the limit.';
    expect(await refusal({ video: large, ...part })).toEqual([507, full]);
    const changed = await ben.call('POST', '/api/appsettings/config/', { queue: { rendition_limit: 9000 } });
    expect(changed.statusCode, changed.body).toBe(200);
    await t.app.db.updateTable('video').set({ sizeBytes: 8e15 }).where('id', '=', large).execute();
    expect(await refusal({ video: large, ...part })).toEqual([507, full]);
    await t.app.db.updateTable('video').set({ sizeBytes: 8e12 }).where('id', '=', large).execute();
    expect(await refusal({ video: large, ...part })).toEqual([
      507,
      expect.stringMatching(/^Not enough space for the clip: [\d.,]+ GB are free, but 8,0[\d.,]+ GB are needed/) as string,
    ]);
    await ben.call('POST', '/api/appsettings/config/', { queue: { rendition_limit: 5 } });
    // Those that wait count too.
    await t.runner.end();
    await t.app.db.updateTable('video').set({ sizeBytes: 2e9 }).where('id', '=', large).execute();
    expect((await post({ video: large, start: 0, end: 590 })).statusCode).toBe(200);
    expect((await post({ video: large, start: 0, end: 580 })).statusCode).toBe(200);
    expect(await refusal({ video: large, start: 0, end: 570 })).toEqual([507, full]);
    for (const { id } of await list(`?video=${large}`)) await anna.call('DELETE', `/api/clip/${id}/`);
    await t.runner.begin();
    await t.runner.idle();
  });

  test('say why they failed', async () => {
    const video = await film('troubled001');
    const { ffmpeg } = t.app.tools;
    t.app.tools.ffmpeg = null;
    const failed = await make({ video, start: 1, end: 2 });
    expect(failed).toMatchObject({ state: 'failed', why: 'ffmpeg is not installed, so no clips can be made.', media_url: null });
    t.app.tools.ffmpeg = ffmpeg;
    expect((await make({ video, start: 1, end: 2 })).state).toBe('done');
    await writeFile(inMedia('c/troubled001.mp4'), 'no film');
    await t.app.db
      .updateTable('video')
      .set({ sha256: '5'.repeat(64) })
      .where('id', '=', video)
      .execute();
    expect(await make({ video, start: 2, end: 3 })).toMatchObject({
      state: 'failed',
      why: expect.stringMatching(/could not be read/) as string,
    });
    await rm(inMedia('c/troubled001.mp4'));
    expect(await make({ video, start: 3, end: 4 })).toMatchObject({ why: 'The media file is missing, so no clip can be made.' });
    expect(await filesOf()).toEqual([]);
  });

  test('are continued after a restart, and leave no half files', async () => {
    const { started, release } = await holdFfmpeg();
    const { id } = (await post({ video: 'numbered001', start: 6, end: 8, mode: 'exact' })).json<Clip>();
    await started();
    expect(await read(id)).toMatchObject({ state: 'running', media_url: null });
    expect(await filesOf()).toHaveLength(1);
    await t.runner.end();
    expect([await filesOf(), (await read(id)).state]).toEqual([[], 'running']);
    // As if the server had been killed.
    await writeFile(inCache('.making/half.mp4'), 'half');
    await removePartialRenditions(t.app);
    release();
    await t.runner.begin();
    expect((await settled(id)).state).toBe('done');
    expect(firstPicture(await pathOf({ id }))).toBe(60);
    expect(await filesOf()).toEqual([]);
  });

  test('fail when staff stop the work, and can be made again', async () => {
    const { started, release } = await holdFfmpeg();
    const part = { video: 'numbered001', start: 6, end: 9, mode: 'exact' };
    const { id } = (await post(part)).json<Clip>();
    const next = (await post({ ...part, end: 9.5 })).json<Clip>();
    await started();
    const { id: taskId } = await t.runner.start(makeClipsTask, {});
    expect((await ben.call('POST', `/api/task/by-id/${taskId}/`, { command: 'stop' })).statusCode).toBeLessThan(300);
    const why = 'An administrator stopped the work. Make the clip again.';
    expect([await settled(id), await settled(next.id)]).toMatchObject([
      { state: 'failed', why },
      { state: 'failed', why },
    ]);
    await t.runner.idle();
    release();
    await startClipsIfDue(t.app);
    expect((await read(id)).state).toBe('failed');
    expect((await make(part)).state).toBe('done');
  });

  test('that are deleted while they are made leave nothing', async () => {
    const { started, release } = await holdFfmpeg();
    const { id } = (await post({ video: 'numbered001', start: 7, end: 9, mode: 'exact' })).json<Clip>();
    await started();
    expect((await anna.call('DELETE', `/api/clip/${id}/`)).statusCode).toBe(204);
    await t.runner.idle();
    release();
    expect(await filesOf()).toEqual([]);
    expect((await filesOf('numbered001')).filter((name) => name.includes('-7000-9000'))).toEqual([]);
  });

  test('go with their video, and return from the trash without their files', async () => {
    const video = await film('trashed0001');
    const clip = await make({ video, start: 1, end: 2 });
    expect((await ben.call('DELETE', `/api/video/${video}/`)).statusCode).toBe(204);
    await expect(stat(inCache(video))).rejects.toThrow();
    expect((await anna.call('GET', `/api/clip/${clip.id}/`)).statusCode).toBe(404);
    // Meanwhile its number was given to another one, as after the restore of a backup.
    const taken = { number: clip.id, accountId: ben.id, videoId: 'numbered001', startMs: 0, endMs: 9000, mode: 'copy' };
    await insertExactly(t.app.db, 'clip', [{ ...taken, state: 'failed', bytes: 1, createdAt: 1 }]);
    const { number } = await t.app.db.selectFrom('trash').select('number').where('videoId', '=', video).executeTakeFirstOrThrow();
    const result = await ben.call('POST', '/api/trash/', { action: 'restore', ids: [number] });
    expect(result.json<TrashResult>(), result.body).toMatchObject({ done: 1 });
    const [restored] = await list(`?video=${video}`);
    expect(restored).toMatchObject({ state: 'removed', start: 1, end: 2 });
    expect(await make({ video, start: 1, end: 2 })).toMatchObject({ id: restored!.id, state: 'done' });
  });

  test('go with their account', async () => {
    const carla = await createUser(t);
    const clip = await make({ video: 'numbered001', start: 5, end: 8 }, carla);
    const path = await pathOf(clip);
    await t.app.db.deleteFrom('account').where('id', '=', carla.id).execute();
    expect(await t.app.db.selectFrom('clip').select('number').where('number', '=', clip.id).execute()).toEqual([]);
    await cleanRenditionCache(t.app);
    expect(await exists(path)).toBe(false);
    // Files of other clips stay.
    expect((await filesOf('numbered001')).length).toBeGreaterThan(0);
  });

  test('that were queued in a restored backup are made', async () => {
    const values = { accountId: anna.id, videoId: 'numbered001', mode: 'copy' as const, bytes: 1, createdAt: 1 };
    const { number } = await t.app.db
      .insertInto('clip')
      .values({ ...values, startMs: 1000, endMs: 5000, state: 'running' })
      .returning('number')
      .executeTakeFirstOrThrow();
    await startClipsIfDue(t.app);
    expect((await settled(number)).state).toBe('done');
  });
});

describe.runIf(versitygwPath && process.env.REELKEEP_FFMPEG)('clips in a bucket', () => {
  test('are objects that are sent, and deleted with their clip', async () => {
    const s3 = await startS3();
    onTestFinished(() => s3.stop());
    const t = await testApp({ env: s3.env, withTools: true });
    onTestFinished(() => t.close());
    await t.runner.begin();
    const anna = await createUser(t);
    const local = join(t.folder, 'film.mp4');
    const film = ['-f', 'lavfi', '-i', 'testsrc2=size=64x64:rate=10:duration=5', '-pix_fmt', 'yuv420p'];
    execFileSync(t.app.tools.ffmpeg!.ffmpeg, ['-v', 'error', ...film, local]);
    const content = await fingerprint(local);
    await t.app.files.put('c/film.mp4', local, content);
    const video = await createVideo(t.app.db, { mediaPath: 'c/film.mp4', durationSeconds: 5, width: 64, height: 64, ...content });
    const post = () => anna.call('POST', '/api/clip/', { video, start: 1, end: 2, mode: 'exact' });
    const { id } = (await post()).json<Clip>();
    const read = async () => (await anna.call('GET', `/api/clip/${id}/`)).json<Clip>();
    await expect.poll(async () => (await read()).state, testTimeouts).toBe('done');
    const objects = () => readdir(join(s3.folder, 'cache/renditions', video)).catch(() => []);
    expect(await objects()).toHaveLength(1);
    // Also when this server has no copy any more.
    await rm(join(t.app.config.cacheFolder, 'renditions'), { recursive: true });
    const clip = await read();
    const response = await anna.call('GET', `${clip.media_url}?download`);
    expect([response.statusCode, response.rawPayload.length]).toEqual([200, clip.size]);
    await freeSpaceFor(t.app, 5e9);
    expect([await objects(), (await read()).state]).toEqual([[], 'removed']);
    await post();
    await expect.poll(async () => (await read()).state, testTimeouts).toBe('done');
    expect((await anna.call('DELETE', `/api/clip/${id}/`)).statusCode).toBe(204);
    expect(await objects()).toEqual([]);
  });
});
