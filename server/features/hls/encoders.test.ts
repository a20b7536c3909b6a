import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rm, truncate, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Check } from '#contract/health.ts';
import { fingerprint } from '../../platform/files/files.ts';
import { etagOf } from '../../platform/http/files/media-types.ts';
import { renderMessages } from '../../platform/messages/render.ts';
import { createUser, createVideo, testApp, testTimeouts, type TestApp } from '../../test-support/app.ts';
import { writeStandIn } from '../../test-support/stand-in-encoder.ts';
import { checkEncoders } from './check-encoders.ts';

const run = promisify(execFile);

describe.runIf(process.env.REELKEEP_FFMPEG)('encoders', () => {
  let t: TestApp;
  let folder: string;
  let ffmpeg: string;
  afterEach(() => t.close());

  const start = async (env: Record<string, string> = {}) => {
    t = await testApp({ withTools: true, env });
    folder = t.app.config.dataFolder;
    ({ ffmpeg } = t.app.tools.ffmpeg!);
  };
  const checked = async () => {
    const { state, findings, remedy } = await checkEncoders(t.app);
    return { state, text: renderMessages(findings), remedy: remedy && renderMessages(remedy) };
  };
  const byProcessor = 'The processor converts videos, up to 720p.';

  describe('that work', () => {
    let user: Awaited<ReturnType<typeof createUser>>;
    beforeEach(async () => {
      await start({ REELKEEP_HWACCEL: 'vaapi', REELKEEP_RENDER_DEVICE: '/dev/null' });
      t.app.tools.ffmpeg = { ...t.app.tools.ffmpeg!, ffmpeg: await writeStandIn(ffmpeg, folder) };
      user = await createUser(t);
      await t.runner.begin();
    });
    const inMedia = (path: string) => join(t.app.config.mediaFolder, path);
    const hardwareRuns = async () => (await readFile(join(folder, 'runs'), 'utf8').catch(() => '')).split('\n').length - 1;
    const set = (name: string) => writeFile(join(folder, name), '');
    const clear = (name: string) => rm(join(folder, name));
    const isRunning = async () =>
      (await readdir(join(t.app.config.cacheFolder, 'renditions/.making')).catch(() => [])).length > 0;

    const createFilm = async (id: string, { size = '128x72', seconds = 130, cutTo = 1 } = {}) => {
      const mediaPath = `c/${id}.mp4`;
      await mkdir(dirname(inMedia(mediaPath)), { recursive: true });
      const picture = ['-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=25:duration=${seconds}`];
      const codec = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '50', '-pix_fmt', 'yuv420p', '-movflags', '+faststart'];
      await run(ffmpeg, ['-v', 'error', ...picture, ...codec, inMedia(mediaPath)]);
      if (cutTo < 1) await truncate(inMedia(mediaPath), Math.floor((await stat(inMedia(mediaPath))).size * cutTo));
      const content = await fingerprint(inMedia(mediaPath));
      await createVideo(t.app.db, { id, mediaPath, durationSeconds: seconds, ...content });
      return `/hls/${id}/${etagOf(content)}/`;
    };
    const get = (url: string, who = user) => who.call('GET', url);
    const fetchPart = async (url: string) => {
      const { statusCode, rawPayload } = await get(url);
      expect([url, statusCode]).toEqual([url, 200]);
      return rawPayload;
    };
    /** The NAL units of types 7 and 8 at the beginning of a segment (ITU-T H.264, table 7-1). */
    const parameterSets = (media: Buffer) => {
      const found: string[] = [];
      for (let at = media.indexOf('mdat', 0, 'latin1') + 4; [7, 8].includes(media[at + 4]! & 31);) {
        const end = at + 4 + media.readUInt32BE(at);
        found.push(media.toString('hex', at + 4, end));
        at = end;
      }
      return found;
    };

    test('segments of hardware and of software join, in both orders', async () => {
      const film = await createFilm('joins000001');
      expect(t.app.state.videoEncoders).toBeNull();
      const init = await fetchPart(`${film}video-72-init.mp4`);
      const [first, tenth] = [await fetchPart(`${film}video-72-0.m4s`), await fetchPart(`${film}video-72-9.m4s`)];
      await expect.poll(isRunning, testTimeouts).toBe(false);
      const before = await hardwareRuns();
      await set('broken');
      const eleventh = await fetchPart(`${film}video-72-10.m4s`);
      expect(await hardwareRuns()).toBe(before + 1);
      // They are different, and each segment has its own.
      expect(parameterSets(first)).toHaveLength(2);
      expect(parameterSets(tenth)).toEqual(parameterSets(first));
      expect(parameterSets(eleventh)).toHaveLength(2);
      expect(parameterSets(eleventh)[1]).not.toBe(parameterSets(first)[1]);
      const segments: Buffer[] = [];
      for (let one = 0; one < 20; one++) segments.push(await fetchPart(`${film}video-72-${one}.m4s`));
      for (const [name, parts] of [
        ['forward', [init, ...segments]],
        // As for a player that got the headers from software.
        ['headers', [await headersOf(film), ...segments]],
      ] as const) {
        const joined = inMedia(`${name}.mp4`);
        await writeFile(joined, Buffer.concat(parts));
        const { stderr } = await run(
          ffmpeg,
          [
            '-v',
            'info',
            '-xerror',
            '-i',
            joined,
            '-i',
            inMedia('c/joins000001.mp4'),
            '-lavfi',
            'ssim=shortest=1:f=ssim.txt',
            '-f',
            'null',
            '-',
          ],
          { cwd: folder, maxBuffer: 2 ** 26 },
        );
        const frames = (await readFile(join(folder, 'ssim.txt'), 'utf8')).trim().split('\n');
        expect([stderr.includes('error'), frames.length]).toEqual([false, 120 * 25]);
        expect(Math.min(...frames.map((line) => Number(/All:([\d.]+)/.exec(line)![1])))).toBeGreaterThan(0.85);
      }
    });
    /** Returns the headers that software makes. */
    const headersOf = async (film: string) => {
      const cache = join(t.app.config.cacheFolder, 'renditions/joins000001');
      const name = (await readdir(cache)).find((one) => one.includes('-init'))!;
      const before = await readFile(join(cache, name));
      await rm(join(cache, name));
      const headers = await fetchPart(`${film}video-72-init.mp4`);
      expect(headers.equals(before)).toBe(false);
      return headers;
    };

    test('offers 1080p, and converts three videos at the same time', async () => {
      const film = await createFilm('large000001', { size: '1920x1080', seconds: 2 });
      const heights = async () => (await get(`${film}main.m3u8`)).body.match(/video-\d+/g);
      expect(await heights()).toEqual(['video-1080', 'video-720', 'video-480', 'video-360']);
      const can = { video: [], audio: [], containers: [], hdr: false, hls: true, max_channels: 2 };
      const { body } = await user.call('POST', '/api/video/large000001/playback/', { can, previous_failed: ['direct'] });
      expect(JSON.parse(body)).toMatchObject({ method: 'hls', height: 1080, heights: [1080, 720, 480, 360] });
      await get(`${film}video-1080-0.m4s`);

      const small = await createFilm('small000001');
      const other = await createFilm('small000002');
      const before = await hardwareRuns();
      await set('held');
      const viewers = await Promise.all(Array.from({ length: 7 }, () => createUser(t)));
      const urls = [small, other].flatMap((one) => [0, 10, 20].map((segment) => `${one}video-72-${segment}.m4s`));
      urls.push(`${film}video-720-0.m4s`);
      const answers = urls.map((url, at) => get(url, viewers[at]));
      const refused = await Promise.race(answers);
      expect(refused.statusCode).toBe(503);
      await expect.poll(hardwareRuns, testTimeouts).toBe(before + 3);
      await clear('held');
      const statuses = (await Promise.all(answers)).map(({ statusCode }) => statusCode);
      expect(statuses.toSorted()).toEqual([200, 200, 200, 200, 200, 200, 503]);

      // A failure is repeated by software, and hardware has a pause of an hour.
      await expect.poll(isRunning, testTimeouts).toBe(false);
      await set('broken');
      await rm(join(t.app.config.cacheFolder, 'renditions'), { recursive: true });
      const now = t.app.now();
      await fetchPart(`${film}video-1080-0.m4s`);
      await clear('broken');
      expect(await heights()).toEqual(['video-720', 'video-480', 'video-360']);
      expect(await checked()).toEqual({
        state: 'warn',
        text: expect.stringMatching(
          /^VAAPI failed: Failed to end picture encode issue: 1 \(operation failed\)\. The processor/,
        ) as string,
        remedy: expect.stringContaining('set REELKEEP_HWACCEL to off') as string,
      });
      const paused = await hardwareRuns();
      await fetchPart(`${film}video-360-0.m4s`);
      expect(await hardwareRuns()).toBe(paused);
      Object.assign(t.app, { now: () => now + 3700 });
      await fetchPart(`${film}video-480-0.m4s`);
      expect(await hardwareRuns()).toBe(paused + 1);
      expect(await checked()).toEqual({ state: 'good', text: 'VAAPI converts videos, up to 1080p.', remedy: null });
    });

    test('a damaged file is no failure of the hardware', async () => {
      const film = await createFilm('cut00000001', { seconds: 60, cutTo: 0.6 });
      expect((await get(`${film}video-72-3.m4s`)).statusCode).toBe(200);
      expect((await get(`${film}video-72-8.m4s`)).statusCode).toBe(422);
      expect((await checked()).state).toBe('good');
    });
  });

  describe('that do not work', () => {
    test('software is used without a device, which is no problem', async () => {
      await start();
      const { state, text, remedy } = await checked();
      expect([state, remedy]).toEqual(['good', null]);
      expect(text).toContain(byProcessor);
      expect(text).toMatch(/VAAPI is not used: .* Quick Sync is not used: .* NVENC is not used: /);
    });

    test.each([
      ['vaapi', undefined, 'VAAPI is not used: Device creation failed'],
      ['qsv', undefined, 'Quick Sync is not used: Device creation failed'],
      ['nvenc', undefined, 'NVENC is not used: Cannot load libcuda.so.1'],
      ['vaapi', '/dev/dri/renderD999', 'VAAPI is not used: This server has no device /dev/dri/renderD999.'],
    ])('says why %s with the device %s does not work', async (kind, device, why) => {
      const path = device ?? '/dev/null';
      await start({ REELKEEP_HWACCEL: kind, REELKEEP_RENDER_DEVICE: path });
      const { state, text, remedy } = await checked();
      expect([state, text]).toEqual(['warn', expect.stringContaining(`${byProcessor} ${why}`)]);
      expect(remedy).toContain('Correct REELKEEP_HWACCEL and REELKEEP_RENDER_DEVICE');
    });

    // Not even root may write to it.
    const forbidden = '/proc/sys/kernel/ostype';
    test.each(['auto', 'vaapi'])('says which permission is missing (%s)', async (kind) => {
      await start({ REELKEEP_HWACCEL: kind, REELKEEP_RENDER_DEVICE: forbidden });
      const { state, text, remedy } = await checked();
      expect([state, text]).toEqual([
        kind === 'auto' ? 'good' : 'warn',
        expect.stringContaining(`VAAPI is not used: No permission for ${forbidden}.`),
      ]);
      expect(remedy).toBe('Add the user that runs Reelkeep to the group of the device, usually “render”, then restart Reelkeep.');
    });

    test('off tries nothing, and Health reports an ffmpeg without H.264', async () => {
      await start({ REELKEEP_HWACCEL: 'off' });
      expect(await checked()).toEqual({ state: 'good', text: byProcessor, remedy: null });
      const lacking = join(folder, 'lacking');
      await writeFile(lacking, `#!/bin/sh\necho "Unknown encoder 'libx264'" >&2\nexit 1\n`, { mode: 0o755 });
      t.app.tools.ffmpeg = { ...t.app.tools.ffmpeg!, ffmpeg: lacking };
      const staff = await createUser(t, { isStaff: true });
      const checks = (await staff.call('GET', '/api/health/checks/')).json<Check[]>();
      expect(checks.find(({ name }) => name === 'encoders')).toMatchObject({
        title: 'Conversion while watching',
        state: 'bad',
        text: "ffmpeg cannot encode H.264, so no video is converted: Unknown encoder 'libx264'",
        advice: 'Install a complete ffmpeg.',
      });
    });
  });
});
