import { execFileSync } from 'node:child_process';
import { mkdir, rename, truncate } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Video } from '#contract/video.ts';
import { notePlayback } from '../../platform/http/playback.ts';
import { measureLoudness } from '../../platform/media/loudness.ts';
import { createUser, createVideo, engines, testApp, type TestApp } from '../../test-support/app.ts';
import { startLoudnessIfDue } from './measure-loudness.ts';

const hasFfmpeg = Boolean(process.env.REELKEEP_FFMPEG);

describe.runIf(hasFfmpeg).each(engines)('measuring loudness, on $engine', (on) => {
  let t: TestApp;
  let staff: Awaited<ReturnType<typeof createUser>>;
  const inMedia = (id: string) => join(t.app.config.mediaFolder, `c/${id}.mp4`);
  /** Creates a video with a picture and sounds of these volumes, in dB. */
  const createFilm = async (id: string, volumes: number[], more: object = {}) => {
    await mkdir(dirname(inMedia(id)), { recursive: true });
    const sounds = volumes.flatMap((dB) => ['-f', 'lavfi', '-i', `sine=frequency=1000:duration=6,volume=${dB}dB`]);
    const maps = volumes.flatMap((_, place) => ['-map', String(place + 1)]);
    const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=64x64:rate=5:duration=6'];
    const args = [
      '-v',
      'error',
      '-y',
      ...picture,
      ...sounds,
      '-map',
      '0',
      ...maps,
      '-c:v',
      'libx264',
      '-c:a',
      'aac',
      inMedia(id),
    ];
    execFileSync(t.app.tools.ffmpeg!.ffmpeg, args);
    await createVideo(t.app.db, { id, mediaPath: `c/${id}.mp4`, ...more });
    const row = { videoId: id, bitrate: 1, width: null, height: null };
    const audio = volumes.map((_, place) => ({ ...row, position: place + 1, type: 'audio' as const, codec: 'aac' }));
    await t.app.db
      .insertInto('stream')
      .values([{ ...row, position: 0, type: 'video', codec: 'h264' }, ...audio])
      .execute();
  };
  const loudnessOf = async (id: string) =>
    (await staff.call('GET', `/api/video/${id}/`)).json<Video>().streams.map(({ lufs }) => lufs && Math.round(lufs));
  const measureNew = async () => {
    await startLoudnessIfDue(t.app);
    await t.runner.idle();
  };

  beforeEach(async () => {
    t = await testApp({ on, withTools: true });
    staff = await createUser(t, { isStaff: true });
    await t.runner.begin();
  });
  afterEach(() => t.close());

  test('tells the loudness of each sound track, of silent ones none, and measures nothing twice', async () => {
    await createFilm('loudAndSoft', [0, -20]);
    await createFilm('silentVideo', [-200]);
    expect(await loudnessOf('loudAndSoft')).toEqual([undefined, undefined, undefined]);
    await measureNew();
    // A sine of full scale / 8 has −21 LUFS.
    expect(await loudnessOf('loudAndSoft')).toEqual([undefined, -21, -41]);
    expect(await loudnessOf('silentVideo')).toEqual([undefined, undefined]);
    const { truePeak } = await t.app.db
      .selectFrom('stream')
      .select('truePeak')
      .where('videoId', '=', 'loudAndSoft')
      .where('position', '=', 1)
      .executeTakeFirstOrThrow();
    // AAC changes it a little.
    expect(Math.abs(truePeak! + 18)).toBeLessThan(3);
    const runs = async () =>
      (await t.app.db.selectFrom('task').select('id').where('name', '=', 'measure_loudness').execute()).length;
    const before = await runs();
    await measureNew();
    expect(await runs()).toBe(before);
  });

  test('reports a missing file once, and a start by staff tries it again', async () => {
    await createFilm('fileGone0001', [0]);
    await createFilm('fileHere0001', [0]);
    const kept = await t.app.files.localPath('c/fileGone0001.mp4');
    const copy = `${kept}.copy`;
    await rename(kept, copy);
    await measureNew();
    expect([await loudnessOf('fileGone0001'), await loudnessOf('fileHere0001')]).toEqual([
      [undefined, undefined],
      [undefined, -21],
    ]);
    await rename(copy, kept);
    await measureNew();
    expect(await loudnessOf('fileGone0001')).toEqual([undefined, undefined]);
    await staff.call('POST', '/api/task/by-name/measure_loudness/');
    await t.runner.idle();
    expect(await loudnessOf('fileGone0001')).toEqual([undefined, -21]);
  });

  test('measures a video again when staff want it, also while it is played, and no other', async () => {
    await createFilm('wrongVideo01', [0]);
    await createFilm('fineVideo001', [-10]);
    await measureNew();
    await t.app.db.updateTable('stream').set({ lufs: -3, truePeak: 0 }).where('type', '=', 'audio').execute();
    notePlayback(t.app);
    expect((await staff.call('POST', '/api/video/wrongVideo01/loudness/')).statusCode).toBe(200);
    await t.runner.idle();
    const { streams } = (await staff.call('GET', '/api/video/wrongVideo01/')).json<Video>();
    expect(streams[1]!.lufs).toBeCloseTo(-21, 0);
    expect(streams[1]!.true_peak).toBeLessThan(-15);
    expect(await loudnessOf('fineVideo001')).toEqual([undefined, -3]);
    expect((await staff.call('POST', '/api/video/noSuchVideo1/loudness/')).statusCode).toBe(404);
  });

  test('does not begin while a video is played', async () => {
    await createFilm('waitingVideo', [0]);
    notePlayback(t.app);
    await measureNew();
    expect(await loudnessOf('waitingVideo')).toEqual([undefined, undefined]);
  });

  test('of a file that is no sound fails without a result', async () => {
    await createFilm('damagedVideo', [0]);
    await truncate(inMedia('damagedVideo'), 200);
    await expect(
      measureLoudness(t.app.tools.ffmpeg!, inMedia('damagedVideo'), 1, new AbortController().signal),
    ).rejects.toThrow();
  });
});
