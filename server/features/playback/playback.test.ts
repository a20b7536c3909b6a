import { execFileSync } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Capabilities, Playback } from '#contract/playback.ts';
import { streamRows } from '../../archive/video/stream-rows.ts';
import { fingerprint } from '../../platform/files/files.ts';
import { probe } from '../../platform/media/probe.ts';
import { createUser, createVideo, engines, testApp, testTimeouts, type TestApp } from '../../test-support/app.ts';

const common: Capabilities = {
  video: [
    { codec: 'avc1.640028', containers: ['mp4'] },
    { codec: 'vp09.00.50.08', containers: ['webm', 'mp4'] },
    { codec: 'av01.0.12M.08', containers: ['webm', 'mp4'] },
  ],
  audio: [
    { codec: 'mp4a.40.2', containers: ['mp4'] },
    { codec: 'opus', containers: ['webm'] },
  ],
  hdr: false,
  hls: false,
};

describe.runIf(process.env.REELKEEP_FFMPEG).each(engines)('playback, on $engine', (on) => {
  let t: TestApp;
  let user: Awaited<ReturnType<typeof createUser>>;
  const inMedia = (path: string) => join(t.app.config.mediaFolder, path);
  const run = (program: 'ffmpeg' | 'ffprobe', ...args: string[]) =>
    execFileSync(t.app.tools.ffmpeg![program], ['-v', 'error', ...args], { encoding: 'utf8' });

  const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=64x64:rate=10:duration=3'];
  const sine = ['-f', 'lavfi', '-i', 'sine=duration=3'];
  const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];
  /** Creates a file and its rows; `isKnown`: with the format of its picture, as new downloads have it. */
  const createFilm = async (id: string, ending: string, args: string[], isKnown = true) => {
    const mediaPath = `c/${id}${ending}`;
    await mkdir(dirname(inMedia(mediaPath)), { recursive: true });
    run('ffmpeg', '-y', ...args, inMedia(mediaPath));
    await createVideo(t.app.db, { id, mediaPath, durationSeconds: 3, ...(await fingerprint(inMedia(mediaPath))) });
    const { streams } = await probe(t.app.tools.ffmpeg!, inMedia(mediaPath), new AbortController().signal);
    const unknown = { profile: null, bitDepth: null, dynamicRange: null };
    const rows = streamRows(streams, []).map((row) => ({ ...row, videoId: id, ...(!isKnown && unknown) }));
    await t.app.db.insertInto('stream').values(rows).execute();
    return id;
  };
  const request = (id: string, options: object = {}) =>
    user.call('POST', `/api/video/${id}/playback/`, { can: common, ...options });
  const ask = async (id: string, options: object = {}) => (await request(id, options)).json<Playback>();
  /** Repeats the request until the copy is made, as players do. */
  const waitFor = async (id: string, options: object = {}): Promise<Playback> => {
    let playback = await ask(id, options);
    await expect
      .poll(async () => {
        playback = await ask(id, options);
        return playback.method === 'none' || playback.media_url !== null;
      }, testTimeouts)
      .toBe(true);
    return playback;
  };
  const fileOf = ({ media_url }: Playback) => join(t.app.config.cacheFolder, media_url!.replace('/cache/', ''));
  /** Returns the packet hash of each stream of a file by its type. */
  const hashesOf = (path: string) =>
    run('ffmpeg', '-i', path, '-map', '0', '-c', 'copy', '-f', 'streamhash', '-hash', 'md5', '-').trim().split('\n');
  const codecsOf = (path: string) =>
    run('ffprobe', '-show_entries', 'stream=codec_name', '-of', 'csv=p=0', path).trim().split('\n');

  beforeAll(async () => {
    t = await testApp({ on, withTools: true });
    user = await createUser(t);
    await t.runner.begin();
  });
  afterAll(() => t.close());

  test('plays common files directly, and makes nothing', async () => {
    await createFilm('commonFilm1', '.mp4', [...picture, ...sine, ...h264, '-c:a', 'aac']);
    const direct = {
      method: 'direct',
      media_url: '/youtube/c/commonFilm1.mp4',
      reasons: [],
      reason_messages: [],
      height: null,
      heights: [],
    };
    expect(await ask('commonFilm1')).toEqual(direct);
    await createFilm('silentFilm1', '.mp4', [...picture, ...h264]);
    expect(await ask('silentFilm1')).toMatchObject({ method: 'direct' });
    await createFilm('webmFilm001', '.webm', [
      ...picture,
      ...sine,
      '-c:v',
      'libvpx-vp9',
      '-pix_fmt',
      'yuv420p',
      '-c:a',
      'libopus',
    ]);
    expect(await ask('webmFilm001')).toMatchObject({ method: 'direct' });
    expect(await t.app.db.selectFrom('renditionRequest').selectAll().execute()).toEqual([]);
  });

  test('repacks MKV without changing picture and sound', async () => {
    await createFilm('packedFilm1', '.mkv', [...picture, ...sine, ...h264, '-c:a', 'aac']);
    const first = await ask('packedFilm1');
    expect(first).toMatchObject({ method: 'repack' });
    const made = await waitFor('packedFilm1');
    expect(made.media_url).toMatch(/^\/cache\/renditions\/packedFilm1\/\w{16}-p1\.mp4$/);
    expect(made.reasons).toEqual([
      'This browser does not play H.264 in MKV files.',
      'A copy in an MP4 file plays instead; picture and sound are unchanged.',
    ]);
    expect(hashesOf(fileOf(made))).toEqual(hashesOf(inMedia('c/packedFilm1.mkv')));
    expect((await user.call('GET', made.media_url!)).headers['content-type']).toBe('video/mp4');
    await createFilm('packedMute1', '.mkv', [...picture, ...h264]);
    const mute = await waitFor('packedMute1');
    expect(codecsOf(fileOf(mute))).toEqual(['h264']);
    expect((await user.call('GET', mute.media_url!)).statusCode).toBe(200);
  });

  test('VP9 and Opus go into WebM', async () => {
    await createFilm('packedWebm1', '.mkv', [
      ...picture,
      ...sine,
      '-c:v',
      'libvpx-vp9',
      '-pix_fmt',
      'yuv420p',
      '-c:a',
      'libopus',
    ]);
    const made = await waitFor('packedWebm1');
    expect([made.method, made.media_url!.endsWith('-p1.webm')]).toEqual(['repack', true]);
    expect(hashesOf(fileOf(made))).toEqual(hashesOf(inMedia('c/packedWebm1.mkv')));
  });

  test.each([
    ['ac3', '.mp4', ['-c:a', 'ac3']],
    ['opus', '.mp4', ['-c:a', 'libopus']],
    ['eac3', '.mkv', ['-c:a', 'eac3']],
  ])('converts only the sound of %s in %s', async (codec, ending, args) => {
    const id = `sound${codec}0001`;
    await createFilm(id, ending, [...picture, ...sine, ...h264, ...args]);
    const made = await waitFor(id);
    expect([made.method, made.media_url!.replace(/.*-/, '')]).toEqual(['convert_sound', 'e1.mp4']);
    expect(codecsOf(fileOf(made))).toEqual(['h264', 'aac']);
    expect((await user.call('GET', made.media_url!)).statusCode).toBe(200);
    expect(hashesOf(fileOf(made))[0]).toBe(hashesOf(inMedia(`c/${id}${ending}`))[0]);
    expect(made.reasons.at(-1)).toBe('A copy with the sound as AAC plays instead; the picture is unchanged.');
  });

  test.each([
    ['h264', ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p10le'], 'H.264 (High 10, 10 bit)', 10],
    ['hevc', ['-c:v', 'libx265', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-x265-params', 'log-level=none'], 'H.265', 8],
  ])('says why %s does not play, also for files archived earlier, which are read once', async (codec, args, name, bits) => {
    const id = `${codec}Film001`.padEnd(11, '0');
    await createFilm(id, '.mp4', [...picture, ...sine, ...args, '-c:a', 'aac'], false);
    const answer = await ask(id);
    expect(answer).toMatchObject({ method: 'none', media_url: null });
    expect(answer.reasons).toEqual([
      `This browser does not play ${name} video.`,
      'Download the file and play it in another program, or use another browser.',
    ]);
    const row = () =>
      t.app.db.selectFrom('stream').selectAll().where('videoId', '=', id).where('type', '=', 'video').executeTakeFirstOrThrow();
    expect(await row()).toMatchObject({ bitDepth: bits, dynamicRange: 'sdr', profile: expect.stringMatching(/./) as string });
    await rm(inMedia(`c/${id}.mp4`));
    expect(await ask(id)).toEqual(answer);
  });

  test('HDR plays directly, with a note for other screens', async () => {
    const hdr = ['-color_primaries', 'bt2020', '-color_trc', 'smpte2084', '-colorspace', 'bt2020nc'];
    await createFilm('hdrVideo001', '.mp4', [...picture, ...h264, ...hdr], false);
    expect(await ask('hdrVideo001')).toMatchObject({
      method: 'direct',
      reasons: ['The video is HDR, but this screen is not: its colors may look pale.'],
    });
    expect(await ask('hdrVideo001', { can: { ...common, hdr: true } })).toMatchObject({ method: 'direct', reasons: [] });
  });

  test('after failures the next method is used, then none', async () => {
    await createFilm('failedFilm1', '.mp4', [...picture, ...sine, ...h264, '-c:a', 'aac']);
    const second = await waitFor('failedFilm1', { previous_failed: ['direct'] });
    expect([second.method, codecsOf(fileOf(second))]).toEqual(['convert_sound', ['h264', 'aac']]);
    expect(second.reasons[0]).toBe('Playing the file failed in this browser.');
    expect(await ask('failedFilm1', { previous_failed: ['direct', 'convert_sound'] })).toMatchObject({ method: 'none' });
  });

  test('another sound track plays from a copy', async () => {
    await createFilm('twoSounds01', '.mp4', [
      ...picture,
      ...sine,
      ...sine,
      '-map',
      '0:v',
      '-map',
      '1:a',
      '-map',
      '2:a',
      ...h264,
      '-c:a:0',
      'aac',
      '-c:a:1',
      'ac3',
    ]);
    expect(await ask('twoSounds01')).toMatchObject({ method: 'direct' });
    expect(await waitFor('twoSounds01', { track: 2 })).toMatchObject({
      method: 'convert_sound',
      media_url: expect.stringMatching(/-e2\.mp4$/) as string,
    });
    expect((await request('twoSounds01', { track: 9 })).statusCode).toBe(404);
  });

  test('says that the file is missing or cannot be read, and what to do', async () => {
    await createFilm('missingFil1', '.mkv', [...picture, ...sine, ...h264, '-c:a', 'aac']);
    await rm(inMedia('c/missingFil1.mkv'));
    expect(await ask('missingFil1')).toMatchObject({
      method: 'none',
      reasons: [
        'This browser does not play H.264 in MKV files.',
        'The media file is missing, so no audio track can be prepared.',
        'Download the file and play it in another program, or use another browser.',
      ],
    });
    expect((await request('notInHere01')).statusCode).toBe(404);
  });

  test.each([
    [{ can: { ...common, video: [{ codec: 'a b', containers: ['mp4'] }] } }, 'Use a codec string such as avc1.640028.'],
    [{ can: { ...common, audio: [{ codec: 'opus', containers: ['avi'] }] } }, 'not a valid choice'],
    [{ can: { ...common, hdr: 'perhaps' } }, 'Must be a valid boolean.'],
    [{ can: null }, 'This field may not be null.'],
    [{ track: -1 }, 'Ensure this value is greater than or equal to 0.'],
    [{ previous_failed: ['none'] }, 'not a valid choice'],
    [{ can: { ...common, video: Array.from({ length: 65 }, () => common.video[0]) } }, 'Too big'],
  ])('rejects %j', async (body, says) => {
    const response = await request('commonFilm1', body);
    expect([response.statusCode, response.body]).toEqual([400, expect.stringContaining(says)]);
  });

  test('encodes a file that nothing else plays while it is watched, with the wanted sound and height', async () => {
    const codecs = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=none', '-c:a', 'ac3'];
    const maps = ['-map', '0', '-map', '1', '-map', '1'];
    await createFilm('watched0001', '.mkv', [
      '-f',
      'lavfi',
      '-i',
      'testsrc2=size=640x480:rate=10:duration=3',
      ...sine,
      ...maps,
      ...codecs,
    ]);
    const can = { ...common, hls: true };
    expect(await ask('watched0001')).toMatchObject({ method: 'none', heights: [] });
    const playback = await waitFor('watched0001', { can });
    expect(playback).toMatchObject({
      method: 'hls',
      media_url: expect.stringMatching(/^\/hls\/~a\.[\w.-]+\/watched0001\/\w{16}\/main-480-1\.m3u8$/) as string,
      height: 480,
      heights: [480, 360],
      reasons: ['This browser does not play H.265 video.', 'The server converts the picture while you watch: H.264, 480p.'],
    });
    // The signature is enough.
    const playlist = await t.server.inject({ url: playback.media_url! });
    expect([playlist.statusCode, playlist.body]).toEqual([200, expect.stringMatching(/sound-1\.m3u8[^]*video-480\.m3u8/)]);
    expect(await waitFor('watched0001', { can, height: 400, track: 2 })).toMatchObject({
      method: 'hls',
      media_url: expect.stringMatching(/\/main-360-2\.m3u8$/) as string,
      height: 360,
    });
    expect(await ask('watched0001', { can, previous_failed: ['hls'] })).toMatchObject({ method: 'none', heights: [] });
    await createFilm('smaller0001', '.mp4', [...picture, ...sine, ...h264, '-c:a', 'aac']);
    expect(await ask('smaller0001', { can })).toMatchObject({ method: 'direct', heights: [64] });
    expect(await waitFor('smaller0001', { can, height: 64 })).toMatchObject({ method: 'hls', height: 64 });
  });
});
