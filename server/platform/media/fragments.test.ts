import { execFileSync } from 'node:child_process';
import { appendFile, copyFile, mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findFfmpeg, type Ffmpeg } from './ffmpeg.ts';
import { cutIncompleteFragment, joinRecorded } from './fragments.ts';
import { probe } from './probe.ts';

const noAbort = new AbortController().signal;

describe.runIf(process.env.REELKEEP_FFMPEG)('fragments of a recording', () => {
  let ffmpeg: Ffmpeg;
  let folder: string;
  const pathOf = (name: string) => join(folder, name);
  beforeAll(async () => {
    ffmpeg = (await findFfmpeg(process.env.REELKEEP_FFMPEG))!;
    folder = await mkdtemp(join(tmpdir(), 'reelkeep-fragments-'));
    const fragmented = ['-frag_duration', '1000000', '-movflags', 'empty_moov+default_base_moof'];
    const make = (source: string, ...codec: string[]) =>
      execFileSync(ffmpeg.ffmpeg, ['-v', 'error', '-f', 'lavfi', '-i', source, '-t', '8', ...codec]);
    make('testsrc=s=64x36:r=10', '-g', '10', '-c:v', 'libx264', ...fragmented, pathOf('picture.mp4'));
    make('sine', '-c:a', 'aac', ...fragmented, pathOf('sound.mp4'));
    make('testsrc=s=64x36:r=10', '-c:v', 'libvpx', pathOf('picture.webm'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('that are incomplete at the end are cut off, so that what follows can be read', async () => {
    const whole = await readFile(pathOf('picture.mp4'));
    const lastFragment = whole.lastIndexOf('moof') - 4;
    for (const cut of [lastFragment + 4, lastFragment + 100, whole.lastIndexOf('mfra') - 10]) {
      await copyFile(pathOf('picture.mp4'), pathOf('cut.mp4'));
      await truncate(pathOf('cut.mp4'), cut);
      expect(await cutIncompleteFragment(pathOf('cut.mp4'))).toBe(cut - lastFragment);
      await appendFile(pathOf('cut.mp4'), whole.subarray(lastFragment));
      expect(await readFile(pathOf('cut.mp4'))).toEqual(whole);
    }
  });

  test('stay as they are if they are complete, empty or no MP4', async () => {
    const { size } = await stat(pathOf('picture.webm'));
    expect(await cutIncompleteFragment(pathOf('picture.webm'))).toBe(0);
    expect((await stat(pathOf('picture.webm'))).size).toBe(size);
    await writeFile(pathOf('empty.mp4'), '');
    expect(await cutIncompleteFragment(pathOf('empty.mp4'))).toBe(0);
  });

  test('of picture and sound are joined, as MKV if they do not fit into an MP4', async () => {
    const join = (...names: string[]) => joinRecorded(ffmpeg, { paths: names.map(pathOf), target: pathOf('joined') }, noAbort);
    expect(await join('picture.mp4', 'sound.mp4')).toBe(pathOf('joined.mp4'));
    const { streams, durationSeconds } = await probe(ffmpeg, pathOf('joined.mp4'), noAbort);
    expect(streams.map(({ codec }) => codec)).toEqual(['h264', 'aac']);
    expect(Math.round(durationSeconds)).toBe(8);
    expect(await join('picture.webm', 'sound.mp4')).toBe(pathOf('joined.mkv'));
  });
});
