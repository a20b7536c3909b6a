import { execFileSync } from 'node:child_process';
import { copyFile, mkdtemp, open, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from '../process/run.ts';
import { findFfmpeg, fromMedia, wrapFfmpeg, type Ffmpeg } from './ffmpeg.ts';
import { verifyComplete, IncompleteFileError, probe } from './probe.ts';
import { makeArtwork, makeThumbnail, extractFrame } from './thumbnail.ts';

const noAbort = new AbortController().signal;
const expectedMedia = { announcedSeconds: 4, wantsAudio: true, wantsVideo: true };
let folder: string;
let ffmpeg: Ffmpeg;
const pathOf = (name: string) => join(folder, name);
const runFfmpeg = (...args: string[]) => execFileSync(ffmpeg.ffmpeg, ['-v', 'error', '-y', ...args], { cwd: folder });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelkeep-media-'));
  ffmpeg = (await findFfmpeg(process.env.REELKEEP_FFMPEG))!;
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=10:duration=4'];
  const sound = ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=4'];
  runFfmpeg(
    ...picture,
    ...sound,
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-c:a',
    'aac',
    '-movflags',
    '+faststart',
    'whole.mp4',
  );
  runFfmpeg(...picture, '-c:v', 'libx264', '-preset', 'ultrafast', 'mute.mp4');
  runFfmpeg(...sound, '-c:a', 'aac', 'sound.m4a');
  runFfmpeg(...picture, '-frames:v', '1', 'cover.jpg');
  runFfmpeg('-f', 'lavfi', '-i', 'testsrc2=size=400x400', '-frames:v', '1', 'face.png');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('checking a file', () => {
  test('returns duration, size and streams of a complete file', async () => {
    const found = await verifyComplete(ffmpeg, pathOf('whole.mp4'), expectedMedia, noAbort);
    expect(found.durationSeconds).toBeCloseTo(4, 0);
    expect(found.sizeBytes).toBe((await stat(pathOf('whole.mp4'))).size);
    expect(found.streams).toMatchObject([
      { type: 'video', codec: 'h264', width: 320, height: 180 },
      { type: 'audio', codec: 'aac' },
    ]);
  });

  test('rejects a file that is shorter than announced, with both durations', async () => {
    await expect(
      verifyComplete(ffmpeg, pathOf('whole.mp4'), { ...expectedMedia, announcedSeconds: 60 }, noAbort),
    ).rejects.toThrow(/Incomplete download \(4 s of 60 s\)/);
  });

  test('rejects a file without audio only if audio was announced', async () => {
    await expect(verifyComplete(ffmpeg, pathOf('mute.mp4'), expectedMedia, noAbort)).rejects.toThrow(/has no audio/);
    await expect(
      verifyComplete(ffmpeg, pathOf('mute.mp4'), { ...expectedMedia, wantsAudio: false }, noAbort),
    ).resolves.toMatchObject({
      hasAudio: false,
    });
  });

  test('rejects a truncated file whose header is complete', async () => {
    runFfmpeg('-stream_loop', '9', '-i', 'whole.mp4', '-c', 'copy', '-movflags', '+faststart', 'long.mp4');
    await copyFile(pathOf('long.mp4'), pathOf('half.mp4'));
    await truncate(pathOf('half.mp4'), Math.floor((await stat(pathOf('half.mp4'))).size / 2));
    const long = { ...expectedMedia, announcedSeconds: 40 };
    await verifyComplete(ffmpeg, pathOf('long.mp4'), long, noAbort);
    await expect(verifyComplete(ffmpeg, pathOf('half.mp4'), long, noAbort)).rejects.toThrow(/but ends at/);
  });

  test('rejects a file that is no video', async () => {
    await writeFile(pathOf('page.mp4'), '<html>Sorry</html>');
    await expect(probe(ffmpeg, pathOf('page.mp4'), noAbort)).rejects.toThrow(IncompleteFileError);
  });

  test.each([
    ['a playlist', 'list.mp4', '#EXTM3U\n#EXTINF:4,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n'],
    ['a concat script', 'concat.mp4', "ffconcat version 1.0\nfile 'whole.mp4'\n"],
  ])('does not open a file that is really %s', async (_, name, content) => {
    await writeFile(pathOf(name), content);
    await expect(probe(ffmpeg, pathOf(name), noAbort)).rejects.toThrow(IncompleteFileError);
  });

  test('does not decode codecs that no site uses', async () => {
    runFfmpeg('-f', 'lavfi', '-i', 'testsrc2=size=64x64:duration=1', '-c:v', 'ffv1', '-f', 'matroska', 'odd.mkv');
    await expect(extractFrame(ffmpeg, pathOf('odd.mkv'), 0, pathOf('odd.jpg'), noAbort)).rejects.toThrow();
  });
});

describe('images', () => {
  const sizeOf = async (name: string) => {
    const { stdout } = await run(
      ffmpeg.ffprobe,
      ['-v', 'error', '-show_entries', 'stream=width,height,codec_name', '-of', 'csv=p=0', pathOf(name)],
      {
        cwd: folder,
        signal: noAbort,
      },
    );
    return stdout.trim();
  };

  test('are converted to 16:9 thumbnails and square avatars', async () => {
    await makeThumbnail(ffmpeg, pathOf('face.png'), pathOf('thumb.jpg'), noAbort);
    expect(await sizeOf('thumb.jpg')).toMatch(/^mjpeg,400,22[46]$/);
    await extractFrame(ffmpeg, pathOf('whole.mp4'), 1, pathOf('still.jpg'), noAbort);
    expect(await sizeOf('still.jpg')).toBe('mjpeg,320,180');
    await makeArtwork(ffmpeg, 'square', pathOf('cover.jpg'), pathOf('square.jpg'), noAbort);
    expect(await sizeOf('square.jpg')).toBe('mjpeg,180,180');
  });

  test('of other formats are rejected without leaving a file', async () => {
    await writeFile(pathOf('svg.jpg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
    await expect(makeThumbnail(ffmpeg, pathOf('svg.jpg'), pathOf('never.jpg'), noAbort)).rejects.toThrow(
      /neither JPEG, PNG nor WebP/,
    );
    const broken = await open(pathOf('broken.jpg'), 'w');
    await broken.write(Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(500)]));
    await broken.close();
    await expect(makeThumbnail(ffmpeg, pathOf('broken.jpg'), pathOf('never.jpg'), noAbort)).rejects.toThrow();
    await expect(stat(pathOf('never.jpg'))).rejects.toThrow();
    await expect(stat(pathOf('never.jpg.part'))).rejects.toThrow();
  });
});

describe('ffmpeg wrapper for yt-dlp', () => {
  test('merges video and audio', async () => {
    const toolFolder = await wrapFfmpeg(ffmpeg, pathOf('bin'));
    await run(
      join(toolFolder, 'ffmpeg'),
      [
        '-y',
        '-v',
        'error',
        '-i',
        `file:${pathOf('mute.mp4')}`,
        '-i',
        `file:${pathOf('sound.m4a')}`,
        '-c',
        'copy',
        `file:${pathOf('merged.mp4')}`,
      ],
      {
        cwd: folder,
        signal: noAbort,
      },
    );
    expect(await probe(ffmpeg, pathOf('merged.mp4'), noAbort)).toMatchObject({ hasVideo: true, hasAudio: true });
    const { stdout } = await run(join(toolFolder, 'ffprobe'), ['-v', 'error', '-show_streams', `file:${pathOf('merged.mp4')}`], {
      cwd: folder,
      signal: noAbort,
    });
    expect(stdout).toContain('codec_name=h264');
  });

  test('reports the version and features of ffmpeg without starting it', async () => {
    const options = { cwd: folder, signal: noAbort };
    const features = await run(ffmpeg.ffmpeg, ['-bsfs'], options);
    const toolFolder = await wrapFfmpeg({ ...ffmpeg, ffmpeg: '/missing' }, pathOf('features'));
    const { stdout } = await run(join(toolFolder, 'ffmpeg'), ['-bsfs'], options);
    expect(stdout.trim()).toBe(`${features.stderr}${features.stdout}`.trim());
    expect(stdout).toContain(`ffmpeg version ${ffmpeg.version}`);
    expect(stdout).toMatch(/^setts$/m);
  });

  test('does not open a disguised playlist', async () => {
    const toolFolder = await wrapFfmpeg(ffmpeg, pathOf('bin'));
    await writeFile(pathOf('trap.mp4'), `#EXTM3U\n#EXTINF:4,\n${pathOf('whole.mp4')}\n#EXT-X-ENDLIST\n`);
    const options = { cwd: folder, signal: noAbort };
    await expect(
      run(join(toolFolder, 'ffmpeg'), ['-y', '-i', `file:${pathOf('trap.mp4')}`, '-c', 'copy', pathOf('out.mp4')], options),
    ).rejects.toThrow();
    await expect(run(join(toolFolder, 'ffprobe'), [`file:${pathOf('trap.mp4')}`], options)).rejects.toThrow();
  });

  test('restricts the protocols of inputs', () => {
    expect(fromMedia('/a b.mp4').slice(-2)).toEqual(['-i', 'file:/a b.mp4']);
    expect(fromMedia('x')).toContain('-protocol_whitelist');
  });

  test('is written once', async () => {
    const toolFolder = await wrapFfmpeg(ffmpeg, pathOf('bin'));
    const before = (await stat(join(toolFolder, 'ffmpeg'))).mtimeMs;
    await wrapFfmpeg(ffmpeg, pathOf('bin'));
    expect((await stat(join(toolFolder, 'ffmpeg'))).mtimeMs).toBe(before);
    expect(await readFile(join(toolFolder, 'ffmpeg'), 'utf8')).toContain('-codec_whitelist');
  });
});
