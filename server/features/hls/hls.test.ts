import { execFile, execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fingerprint } from '../../platform/files/files.ts';
import { createUrlSigner } from '../../platform/http/auth/signed-urls.ts';
import { etagOf } from '../../platform/http/files/media-types.ts';
import { createUser, createVideo, testApp, testTimeouts, type TestApp } from '../../test-support/app.ts';
import { cleanRenditionCache, removePartialRenditions } from '../rendition/rendition-cache.ts';

const run = promisify(execFile);
const findMpv = () => {
  try {
    return execFileSync('which', ['mpv'], { encoding: 'utf8' }).trim();
  } catch {
    return null;
  }
};
const mpv = findMpv();

describe.runIf(process.env.REELKEEP_FFMPEG)('conversion while watching', () => {
  let t: TestApp;
  let user: Awaited<ReturnType<typeof createUser>>;
  let address: string;
  const inMedia = (path: string) => join(t.app.config.mediaFolder, path);
  const inCache = (path = '') => join(t.app.config.cacheFolder, 'renditions', path);
  const ffmpeg = (...args: string[]) => run(t.app.tools.ffmpeg!.ffmpeg, ['-v', 'error', ...args]);
  const ffprobe = async (...args: string[]) =>
    (await run(t.app.tools.ffmpeg!.ffprobe, ['-v', 'error', ...args], { maxBuffer: 2 ** 26 })).stdout.trim();

  interface Film {
    seconds?: number;
    size?: string;
    rate?: string;
    ending?: string;
    sounds?: number;
    codecs?: string[];
  }
  /** Creates a file with a picture and sounds of 440, 880 … Hz, and its row. Returns the start of its addresses. */
  const createFilm = async (
    id: string,
    { seconds = 130, size = '128x72', rate = '30000/1001', ending = '.mkv', sounds = 1, codecs }: Film = {},
  ) => {
    const mediaPath = `c/${id}${ending}`;
    await mkdir(dirname(inMedia(mediaPath)), { recursive: true });
    const inputs = ['-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=${rate}:duration=${seconds}`];
    for (let one = 1; one <= sounds; one++) inputs.push('-f', 'lavfi', '-i', `sine=frequency=${440 * one}:duration=${seconds}`);
    const maps = Array.from({ length: sounds + 1 }, (_, one) => ['-map', String(one)]).flat();
    const usual = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '100', '-pix_fmt', 'yuv420p', '-c:a', 'ac3'];
    await ffmpeg('-y', ...inputs, ...maps, ...(codecs ?? usual), inMedia(mediaPath));
    return addFilm(id, mediaPath, seconds);
  };
  const addFilm = async (id: string, mediaPath: string, seconds = 130) => {
    const content = await fingerprint(inMedia(mediaPath));
    await createVideo(t.app.db, { id, mediaPath, durationSeconds: Math.round(seconds), ...content });
    return `/hls/${id}/${etagOf(content)}/`;
  };
  const get = (url: string, who = user) => who.call('GET', url);
  /** Requests a file; fails if it is not there. */
  const fetchFile = async (url: string) => {
    const { statusCode, rawPayload } = await get(url);
    expect([url, statusCode]).toEqual([url, 200]);
    return rawPayload;
  };
  /** Returns the times of the frames of a file. */
  const framesOf = async (path: string) =>
    (await ffprobe('-select_streams', 'v', '-show_entries', 'packet=pts_time', '-of', 'csv=p=0', path))
      .split('\n')
      .map(Number.parseFloat);
  const cached = async (id: string) => (await readdir(inCache(id)).catch(() => [])).toSorted();
  const isRunning = async () => (await readdir(inCache('.making')).catch(() => [])).length > 0;
  const signed = async (path: string, who = user) => {
    const sign = await createUrlSigner(t.app, { accountId: who.id, tokenHash: null });
    return `${address}${sign(path, 600)}`;
  };

  beforeAll(async () => {
    t = await testApp({ withTools: true });
    user = await createUser(t);
    await t.runner.begin();
    address = await t.server.listen({ port: 0, host: '127.0.0.1' });
  });
  afterAll(() => t.close());

  test('has complete playlists before anything is encoded', async () => {
    const film = await createFilm('playlists01', { sounds: 2, size: '1280x960', seconds: 12.9, rate: '10' });
    const main = await get(`${film}main.m3u8`);
    expect(main.headers['content-type']).toBe('application/vnd.apple.mpegurl');
    expect(main.body.split('\n')).toEqual([
      '#EXTM3U',
      '#EXT-X-VERSION:7',
      '#EXT-X-INDEPENDENT-SEGMENTS',
      '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="sound",NAME="1.",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="2",URI="sound-1.m3u8"',
      '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="sound",NAME="2.",DEFAULT=NO,AUTOSELECT=YES,CHANNELS="2",URI="sound-2.m3u8"',
      ...[
        [720, 960, 3_660_000],
        [480, 640, 1_960_000],
        [360, 480, 1_160_000],
      ].flatMap(([height, width, bits]) => [
        `#EXT-X-STREAM-INF:BANDWIDTH=${bits},RESOLUTION=${width}x${height},FRAME-RATE=10.000,CODECS="avc1.640028,mp4a.40.2",AUDIO="sound"`,
        `video-${height}.m3u8`,
      ]),
      '',
    ]);
    expect((await get(`${film}main-480-2.m3u8`)).body).toMatch(/NAME="2\.",DEFAULT=YES[^]*,RESOLUTION=640x480,/);
    expect((await get(`${film}main-480-2.m3u8`)).body.match(/STREAM-INF/g)).toHaveLength(1);
    expect((await get(`${film}video-360.m3u8`)).body.split('\n').slice(5)).toEqual([
      '#EXT-X-INDEPENDENT-SEGMENTS',
      '#EXT-X-MAP:URI="video-360-init.mp4"',
      '#EXTINF:6.000000,',
      'video-360-0.m4s',
      '#EXTINF:6.000000,',
      'video-360-1.m4s',
      '#EXTINF:1.000000,',
      'video-360-2.m4s',
      '#EXT-X-ENDLIST',
      '',
    ]);
    expect(await cached('playlists01')).toEqual([]);
    expect(t.app.state.hlsSessions).toBeNull();
  });

  test('joins segments of different runs without a gap, wherever they begin', async () => {
    const film = await createFilm('joins000001');
    const { body } = await get(`${film}video-72.m3u8`);
    const lengths = [...body.matchAll(/EXTINF:([\d.]+)/g)].map(([, seconds]) => Number(seconds));
    expect(lengths).toHaveLength(22);
    const parts = [await fetchFile(`${film}video-72-init.mp4`)];
    // From the middle of the second minute, then the end of the first, and the start of the second.
    for (const segment of [14, 9, 10, 11, 12, 13]) await fetchFile(`${film}video-72-${segment}.m4s`);
    for (let segment = 9; segment < 20; segment++) parts.push(await fetchFile(`${film}video-72-${segment}.m4s`));
    const joined = inMedia('joined.mp4');
    await writeFile(joined, Buffer.concat(parts));
    const frames = await framesOf(joined);
    const [first, last] = [Math.ceil((54 * 30000) / 1001), Math.ceil((120 * 30000) / 1001)];
    expect(frames).toHaveLength(last - first);
    frames.forEach((time, at) => expect(time).toBeCloseTo(((first + at) * 1001) / 30000, 3));
    // The playlist has the same times.
    const start = lengths.slice(0, 9).reduce((sum, seconds) => sum + seconds, 0);
    expect(start).toBeCloseTo(frames[0]!, 3);
    // Every segment begins with a key frame; there are no others.
    const keys = await ffprobe('-select_streams', 'v', '-show_entries', 'packet=flags', '-of', 'csv=p=0', joined);
    expect(keys.match(/K/g)).toHaveLength(11);
    await ffmpeg('-xerror', '-i', joined, '-f', 'null', '-');
  });

  test.each([
    ['a variable frame rate', 'vfr00000001', ['-vf', "setpts='if(lt(N,100),N,N*2)/25/TB'", '-fps_mode', 'vfr']],
    ['a picture that ends before its sound', 'short000001', ['-vf', 'trim=end=3']],
    ['a picture that begins later than its sound', 'late0000001', ['-vf', 'setpts=PTS+2.5/TB']],
    ['a few frames only', 'slides00001', ['-vf', 'fps=1/4']],
  ])('fills the grid of %s', async (_, id, filters) => {
    const usual = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac'];
    const film = await createFilm(id, { seconds: 14, rate: '25', codecs: [...filters, ...usual] });
    const { body } = await get(`${film}video-72.m3u8`);
    const names = [...body.matchAll(/^video.*m4s$/gm)].map(([name]) => name);
    const parts = [await fetchFile(`${film}video-72-init.mp4`)];
    for (const name of names) parts.push(await fetchFile(film + name));
    await writeFile(inMedia('grid.mp4'), Buffer.concat(parts));
    const frames = await framesOf(inMedia('grid.mp4'));
    const length = [...body.matchAll(/EXTINF:([\d.]+)/g)].reduce((sum, [, seconds]) => sum + Number(seconds), 0);
    const step = length / frames.length;
    expect(step).toBeLessThanOrEqual(0.1);
    expect(length).toBeGreaterThan(13.8);
    frames.forEach((time, at) => expect(Math.abs(time - at * step)).toBeLessThan(0.002));
  });

  test('ffprobe and mpv accept the signed addresses, without a session', async () => {
    const film = await createFilm('players0001', { seconds: 20, sounds: 2 });
    const url = await signed(`${film}main.m3u8`);
    expect(url).toContain('/hls/~a.');
    const found = JSON.parse(await ffprobe('-show_streams', '-of', 'json', url)) as { streams: { codec_name: string }[] };
    expect(found.streams.map(({ codec_name }) => codec_name).toSorted()).toEqual(['aac', 'aac', 'h264']);
    const packets = async (type: string) =>
      (await ffprobe('-select_streams', type, '-show_entries', 'packet=pts_time', '-of', 'csv=p=0', url)).split('\n').length;
    expect(Math.abs((await packets('v')) - 600)).toBeLessThan(3);
    expect(Math.abs((await packets('a:0')) * (1024 / 48_000) - 20)).toBeLessThan(0.1);
    // Without a seek: ffmpeg 5.1 cannot seek in HLS with fragmented MP4, not even in what it wrote itself.
    if (mpv) {
      const { stdout } = await run(mpv, ['--no-config', '--vo=null', '--ao=null', '--untimed', '--length=8', url]);
      expect(stdout).toContain('h264 128x72');
      expect(stdout).toContain('aac');
      expect(stdout).not.toContain('Error');
    }
    // A signature opens one video and its file, and nothing next to it.
    expect((await fetch(url.replace('main.m3u8', 'video-72-1.m4s'))).status).toBe(200);
    expect((await fetch(url.replace('players0001', 'joins000001'))).status).toBe(403);
    expect((await fetch(url.replace(/~a[^/]+\//, ''))).status).toBe(403);
    const { signatureVersion } = await t.app.db
      .selectFrom('account')
      .select('signatureVersion')
      .where('id', '=', user.id)
      .executeTakeFirstOrThrow();
    await t.app.db
      .updateTable('account')
      .set({ signatureVersion: signatureVersion + 1 })
      .where('id', '=', user.id)
      .execute();
    expect((await fetch(url)).status).toBe(403);
  });

  test('encodes sounds from any segment on, without clicks where runs meet', async () => {
    const codecs = [
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
      '-c:a:0',
      'libopus',
      '-ar:a:0',
      '48000',
      '-c:a:1',
      'aac',
      '-c:a:2',
      'ac3',
    ];
    const film = await createFilm('sounds00001', { sounds: 3, codecs });
    for (const track of [1, 2, 3]) {
      const { body } = await get(`${film}sound-${track}.m3u8`);
      const lengths = [...body.matchAll(/EXTINF:([\d.]+)/g)].map(([, seconds]) => Number(seconds));
      expect(lengths.slice(0, 3)).toEqual([6.016, 5.994667, 5.994667]);
      const length = lengths.reduce((sum, seconds) => sum + seconds, 0);
      expect(Math.abs(length - 130)).toBeLessThan(0.1);
      // Runs that begin in the middle of the second and the first minute, and at the start of both.
      for (const segment of [14, 5, 10, 0]) await fetchFile(`${film}sound-${track}-${segment}.m4s`);
      const parts = [await fetchFile(`${film}sound-${track}-init.mp4`)];
      for (let segment = 0; segment < 22; segment++) parts.push(await fetchFile(`${film}sound-${track}-${segment}.m4s`));
      const joined = inMedia('sound.mp4');
      await writeFile(joined, Buffer.concat(parts));
      const { stdout } = await run(t.app.tools.ffmpeg!.ffmpeg, ['-v', 'error', '-i', joined, '-ac', '1', '-f', 'f32le', '-'], {
        encoding: 'buffer',
        maxBuffer: 2 ** 28,
      });
      const samples = new Float32Array(stdout.buffer.slice(stdout.byteOffset, stdout.byteOffset + stdout.length));
      expect(samples.length).toBe(Math.round(length * 48_000));
      // Three samples in a row tell whether a sine is one; a click is a thousand times what a codec does to it.
      const factor = 2 * Math.cos((2 * Math.PI * 440 * track) / 48_000);
      const faultAt = (at: number) => Math.abs(samples[at + 1]! - factor * samples[at]! + samples[at - 1]!);
      const worst = (from: number, to: number) => {
        let most = 0;
        for (let at = from; at < to; at++) most = Math.max(most, faultAt(at));
        return most;
      };
      const joints = Array.from({ length: 20 }, (_, at) => Math.ceil(((at + 1) * 6 * 48_000) / 1024) * 1024);
      const usual = joints.map((joint) => worst(joint - 140_000, joint - 10_000)).toSorted((one, other) => one - other)[10]!;
      for (const joint of joints)
        expect([track, joint, worst(joint - 4096, joint + 4096) < 10 * usual]).toEqual([track, joint, true]);
    }
  });

  test('has sound from the start to the end of the picture: silence where the file has none', async () => {
    const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac', '-af', 'atrim=end=20,adelay=7000:all=1'];
    const film = await createFilm('silences001', { codecs, ending: '.mp4', seconds: 61 });
    const parts = [await fetchFile(`${film}sound-1-init.mp4`)];
    for (const segment of [10, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9]) {
      const part = await fetchFile(`${film}sound-1-${segment}.m4s`);
      if (segment !== 10) parts.push(part);
    }
    parts.push(await fetchFile(`${film}sound-1-10.m4s`));
    const joined = inMedia('silences.mp4');
    await writeFile(joined, Buffer.concat(parts));
    const { stderr } = await run(t.app.tools.ffmpeg!.ffmpeg, ['-i', joined, '-af', 'silencedetect=d=1', '-f', 'null', '-']);
    const found = [...stderr.matchAll(/silence_(?:start|end): (-?[\d.]+)/g)].map(([, seconds]) => Math.round(Number(seconds)));
    expect(found).toEqual([0, 7, 27, 61]);
  });

  test('one run serves all who wait for the same segment, and continues to the end of its minute', async () => {
    const film = await createFilm('shared00001');
    const other = await createUser(t);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) => get(`${film}video-72-12.m4s`, at % 2 ? user : other)),
    );
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ rawPayload }) => rawPayload.toString('base64'))).size).toBe(1);
    await expect.poll(isRunning, testTimeouts).toBe(false);
    const segments = (await cached('shared00001')).map((name) => /-h72-(\w+)/.exec(name)![1]);
    expect(segments).toEqual(['12', '13', '14', '15', '16', '17', '18', '19', 'init']);
    const before = await stat(inCache(`shared00001/${(await cached('shared00001'))[0]}`));
    expect((await get(`${film}video-72-12.m4s`)).statusCode).toBe(200);
    expect(await stat(inCache(`shared00001/${(await cached('shared00001'))[0]}`))).toMatchObject({ mtimeMs: before.mtimeMs });
    // Thirty seconds from the end of a minute the next one is begun.
    await get(`${film}video-72-13.m4s`);
    expect(await isRunning()).toBe(false);
    await get(`${film}video-72-15.m4s`);
    await expect
      .poll(async () => (await cached('shared00001')).some((name) => name.includes('-h72-20')), testTimeouts)
      .toBe(true);
    await expect.poll(isRunning, testTimeouts).toBe(false);
  });

  /** Lets every run of ffmpeg wait until the returned function is called. */
  const holdRuns = async () => {
    const gate = join(t.app.config.dataFolder, 'gate');
    const held = join(t.app.config.dataFolder, 'held');
    const found = t.app.tools.ffmpeg!;
    await rm(gate, { force: true });
    await writeFile(held, `#!/bin/sh\nwhile [ ! -e '${gate}' ]; do sleep 0.02; done\nexec '${found.ffmpeg}' "$@"\n`, {
      mode: 0o755,
    });
    t.app.tools.ffmpeg = { ...found, ffmpeg: held };
    return async () => {
      t.app.tools.ffmpeg = found;
      await writeFile(gate, '');
    };
  };

  test('queues three runs, one for an account, and tells the others to wait', async () => {
    const film = await createFilm('queue000001');
    const other = await createFilm('queue000002');
    const viewers = await Promise.all(Array.from({ length: 5 }, () => createUser(t)));
    const urls = [0, 10, 20].map((one) => `${film}video-72-${one}.m4s`);
    urls.push(`${other}video-72-0.m4s`, `${other}video-72-10.m4s`);
    const release = await holdRuns();
    const answers = urls.map((url, at) => get(url, viewers[at]).then((answer) => ({ at, ...answer, body: answer.body })));
    // The runs wait, so the first answer is that of the one for whom there is no room.
    const refused = await Promise.race(answers);
    expect([refused.statusCode, JSON.parse(refused.body)]).toEqual([
      503,
      expect.objectContaining({ error: 'The server is converting another video. Try a lower quality or wait.' }),
    ]);
    expect(refused.headers['retry-after']).toBe('5');
    const waiting = [0, 1].find((at) => at !== refused.at)!;
    const second = await get(`${other}video-72-5.m4s`, viewers[waiting]);
    expect([second.statusCode, second.json()]).toEqual([
      503,
      expect.objectContaining({ error: expect.stringContaining('already converting a video for you') as string }),
    ]);
    await release();
    const statuses = (await Promise.all(answers)).map(({ statusCode }) => statusCode);
    expect(statuses.toSorted()).toEqual([200, 200, 200, 200, 503]);
    await expect.poll(isRunning, testTimeouts).toBe(false);
  });

  test('ends the run of a viewer who seeks away, and that of one who leaves the queue', async () => {
    const film = await createFilm('seeks000001');
    const release = await holdRuns();
    const ending = new AbortController();
    const left = fetch(`${address}${film}video-72-0.m4s`, { headers: user.headers, signal: ending.signal });
    await expect.poll(isRunning, testTimeouts).toBe(true);
    ending.abort();
    await expect(left).rejects.toThrow('aborted');
    const sought = get(`${film}video-72-12.m4s`);
    // The former run can only end because it is stopped.
    const folders = await readdir(inCache('.making'));
    await expect
      .poll(async () => (await readdir(inCache('.making'))).some((name) => !folders.includes(name)), testTimeouts)
      .toBe(true);
    await release();
    expect((await sought).statusCode).toBe(200);
    await expect.poll(isRunning, testTimeouts).toBe(false);
    expect((await cached('seeks000001')).filter((name) => /-h72-\d\.m4s/.test(name))).toEqual([]);
  });

  test('rejects what there is not', async () => {
    const film = await createFilm('limits00001', { seconds: 13 });
    expect((await get(`${film}video-72-2.m4s`)).statusCode).toBe(200);
    for (const name of [
      'video-72-3.m4s',
      'video-72-999999.m4s',
      'video-72--1.m4s',
      'video-72-01.m4s',
      'video-72-1e1.m4s',
      'video-144-0.m4s',
      'video-144.m3u8',
      'main-1080.m3u8',
      'sound-0.m3u8',
      'sound-7-0.m4s',
      'sound-1-3.m4s',
      'sound-1.mp4',
      'video-72-init.m4s',
      '..%2f..%2fkey',
      'main.m3u8%00',
    ])
      expect([name, (await get(film + name)).statusCode]).toEqual([name, 404]);
    expect((await get(film.replace(/\w{16}/, '0'.repeat(16)) + 'main.m3u8')).statusCode).toBe(404);
    expect((await get('/hls/nothing0001/0123456789abcdef/main.m3u8')).statusCode).toBe(404);
    expect((await get('/hls/..%2flimits00001/0123456789abcdef/main.m3u8')).statusCode).toBe(404);
    expect((await t.server.inject({ url: `${film}main.m3u8` })).statusCode).toBe(403);
  });

  test('does not mix a file that was replaced with its conversion', async () => {
    const film = await createFilm('replaced001', { seconds: 13 });
    await fetchFile(`${film}video-72-0.m4s`);
    await expect.poll(isRunning, testTimeouts).toBe(false);
    await t.app.db
      .updateTable('video')
      .set({ sha256: 'f'.repeat(64) })
      .where('id', '=', 'replaced001')
      .execute();
    expect((await get(`${film}video-72-0.m4s`)).statusCode).toBe(404);
    await cleanRenditionCache(t.app);
    expect(await cached('replaced001')).toEqual([]);
  });

  test('says which part of a damaged file cannot be read; the others play', async () => {
    const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '50', '-pix_fmt', 'yuv420p', '-movflags', '+faststart'];
    await createFilm('whole000001', { seconds: 60, ending: '.mp4', codecs, sounds: 0, rate: '25' });
    const whole = inMedia('c/whole000001.mp4');
    await writeFile(inMedia('c/cut00000001.mp4'), await readFile(whole));
    await truncate(inMedia('c/cut00000001.mp4'), Math.floor((await stat(whole)).size * 0.6));
    const film = await addFilm('cut00000001', 'c/cut00000001.mp4', 60);
    const missing = await get(`${film}video-72-8.m4s`);
    expect([missing.statusCode, missing.json()]).toEqual([
      422,
      expect.objectContaining({ error: 'This part of the file cannot be read.' }),
    ]);
    expect((await get(`${film}video-72-3.m4s`)).statusCode).toBe(200);
  });

  test('says what is missing to convert', async () => {
    const film = await createFilm('noFfmpeg001', { seconds: 13 });
    const { ffmpeg: found } = t.app.tools;
    t.app.tools.ffmpeg = null;
    const none = await get(`${film}main.m3u8`);
    t.app.tools.ffmpeg = found;
    expect([none.statusCode, none.json<{ error: string }>().error]).toEqual([
      503,
      'ffmpeg is not installed, so the video cannot be converted. Install ffmpeg, then restart Reelkeep.',
    ]);
    const lacking = join(t.app.config.dataFolder, 'lacking');
    await writeFile(lacking, `#!/bin/sh\necho "Unknown encoder 'libx264'" >&2\nexit 1\n`, { mode: 0o755 });
    t.app.tools.ffmpeg = { ...found!, ffmpeg: lacking };
    const without = await get(`${film}video-72-0.m4s`);
    t.app.tools.ffmpeg = found;
    expect([without.statusCode, without.json<{ error: string }>().error]).toEqual([
      503,
      "The installed ffmpeg cannot convert this video: Unknown encoder 'libx264'. Install a complete ffmpeg, then restart Reelkeep.",
    ]);
    expect((await get(`${film}video-72-0.m4s`)).statusCode).toBe(200);
  });

  test('shows HDR in the range of other screens', async () => {
    const hdr = ['-color_primaries', 'bt2020', '-color_trc', 'smpte2084', '-colorspace', 'bt2020nc', '-pix_fmt', 'yuv420p10le'];
    const codecs = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=none', ...hdr];
    const film = await createFilm('hdr00000001', { seconds: 2, codecs, sounds: 0, rate: '25' });
    const parts = [await fetchFile(`${film}video-72-init.mp4`), await fetchFile(`${film}video-72-0.m4s`)];
    await writeFile(inMedia('sdr.mp4'), Buffer.concat(parts));
    expect(
      await ffprobe('-show_entries', 'stream=pix_fmt,color_transfer,color_primaries', '-of', 'csv=p=0', inMedia('sdr.mp4')),
    ).toBe('yuv420p,bt709,bt709');
  });

  test('leaves nothing behind that a restart would serve', async () => {
    const film = await createFilm('killed00001', { seconds: 13 });
    const folder = inCache('.making/0000');
    await mkdir(folder, { recursive: true });
    const name = `${film.split('/')[3]}-h72-0.m4s`;
    await writeFile(join(folder, name), 'half');
    await removePartialRenditions(t.app);
    expect(await readdir(inCache('.making')).catch(() => [])).toEqual([]);
    expect((await fetchFile(`${film}video-72-0.m4s`)).length).toBeGreaterThan(1000);
  });

  test('keeps the limit of the cache, with the least recently used segments first', async () => {
    const film = await createFilm('oldest00001', { seconds: 13 });
    await fetchFile(`${film}video-72-0.m4s`);
    await expect.poll(isRunning, testTimeouts).toBe(false);
    const old = inCache(`oldest00001/${(await cached('oldest00001'))[0]}`);
    const gigabyte = 1e9;
    await truncate(old, 5.5 * gigabyte);
    await utimes(old, 1, 1);
    await fetchFile(`${film}video-72-1.m4s`);
    await expect.poll(isRunning, testTimeouts).toBe(false);
    await createFilm('newest00001', { seconds: 13 });
    const { sha256 } = await fingerprint(inMedia('c/newest00001.mkv'));
    await fetchFile(`/hls/newest00001/${sha256.slice(0, 16)}/video-72-0.m4s`);
    expect((await cached('oldest00001')).map((name) => name.replace(/^\w+-/, ''))).toEqual([
      'h72-1.m4s',
      'h72-2.m4s',
      'h72-init.m4s',
    ]);
  });
});
