import { execFileSync } from 'node:child_process';
import { copyFile, mkdtemp, open, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from '../child/run.ts';
import { findFfmpeg, fromMedia, wrapFfmpeg, type Ffmpeg } from './ffmpeg.ts';
import { checkWhole, Incomplete, probe } from './probe.ts';
import { makeArtwork, makeThumbnail, stillOf } from './thumbnail.ts';

const never = new AbortController().signal;
const announced = { announcedSeconds: 4, wantsAudio: true, wantsVideo: true };
let folder: string;
let ffmpeg: Ffmpeg;
const at = (name: string) => join(folder, name);
const make = (...args: string[]) => execFileSync(ffmpeg.ffmpeg, ['-v', 'error', '-y', ...args], { cwd: folder });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelkeep-media-'));
  ffmpeg = (await findFfmpeg(process.env.REELKEEP_FFMPEG))!;
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=10:duration=4'];
  const sound = ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=4'];
  make(...picture, ...sound, '-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac', '-movflags', '+faststart', 'whole.mp4');
  make(...picture, '-c:v', 'libx264', '-preset', 'ultrafast', 'mute.mp4');
  make(...sound, '-c:a', 'aac', 'sound.m4a');
  make(...picture, '-frames:v', '1', 'cover.jpg');
  make('-f', 'lavfi', '-i', 'testsrc2=size=400x400', '-frames:v', '1', 'face.png');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('a file', () => {
  test('that is whole tells its length, picture and sound', async () => {
    const found = await checkWhole(ffmpeg, at('whole.mp4'), announced, never);
    expect(found.durationSeconds).toBeCloseTo(4, 0);
    expect(found.sizeBytes).toBe((await stat(at('whole.mp4'))).size);
    expect(found.streams).toMatchObject([
      { type: 'video', codec: 'h264', width: 320, height: 180 },
      { type: 'audio', codec: 'aac' },
    ]);
  });

  test('that is shorter than announced is refused with both lengths', async () => {
    await expect(checkWhole(ffmpeg, at('whole.mp4'), { ...announced, announcedSeconds: 60 }, never)).rejects.toThrow(
      /Only 4 s of 60 s arrived/,
    );
  });

  test('without sound is refused when sound was announced, and taken when it was not', async () => {
    await expect(checkWhole(ffmpeg, at('mute.mp4'), announced, never)).rejects.toThrow(/has no sound/);
    await expect(checkWhole(ffmpeg, at('mute.mp4'), { ...announced, wantsAudio: false }, never)).resolves.toMatchObject({
      hasAudio: false,
    });
  });

  test('that breaks off half-way is refused, though its head says all is there', async () => {
    make('-stream_loop', '9', '-i', 'whole.mp4', '-c', 'copy', '-movflags', '+faststart', 'long.mp4');
    await copyFile(at('long.mp4'), at('half.mp4'));
    await truncate(at('half.mp4'), Math.floor((await stat(at('half.mp4'))).size / 2));
    const long = { ...announced, announcedSeconds: 40 };
    await checkWhole(ffmpeg, at('long.mp4'), long, never);
    await expect(checkWhole(ffmpeg, at('half.mp4'), long, never)).rejects.toThrow(/breaks off/);
  });

  test('that is no video is refused', async () => {
    await writeFile(at('page.mp4'), '<html>Sorry</html>');
    await expect(probe(ffmpeg, at('page.mp4'), never)).rejects.toThrow(Incomplete);
  });

  test.each([
    ['a playlist', 'list.mp4', '#EXTM3U\n#EXTINF:4,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n'],
    ['a concat script', 'concat.mp4', "ffconcat version 1.0\nfile 'whole.mp4'\n"],
  ])('that is %s in disguise is not opened', async (_, name, content) => {
    await writeFile(at(name), content);
    await expect(probe(ffmpeg, at(name), never)).rejects.toThrow(Incomplete);
  });

  test('in a codec that no site sends is not decoded', async () => {
    make('-f', 'lavfi', '-i', 'testsrc2=size=64x64:duration=1', '-c:v', 'ffv1', '-f', 'matroska', 'odd.mkv');
    await expect(stillOf(ffmpeg, at('odd.mkv'), 0, at('odd.jpg'), never)).rejects.toThrow();
  });
});

describe('pictures', () => {
  const sizeOf = async (name: string) => {
    const { stdout } = await run(
      ffmpeg.ffprobe,
      ['-v', 'error', '-show_entries', 'stream=width,height,codec_name', '-of', 'csv=p=0', at(name)],
      {
        cwd: folder,
        signal: never,
      },
    );
    return stdout.trim();
  };

  test('become thumbnails of 16:9, stills too, faces squares', async () => {
    await makeThumbnail(ffmpeg, at('face.png'), at('thumb.jpg'), never);
    expect(await sizeOf('thumb.jpg')).toMatch(/^mjpeg,400,22[46]$/);
    await stillOf(ffmpeg, at('whole.mp4'), 1, at('still.jpg'), never);
    expect(await sizeOf('still.jpg')).toBe('mjpeg,320,180');
    await makeArtwork(ffmpeg, 'square', at('cover.jpg'), at('square.jpg'), never);
    expect(await sizeOf('square.jpg')).toBe('mjpeg,180,180');
  });

  test('that are something else are refused, and leave nothing', async () => {
    await writeFile(at('svg.jpg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
    await expect(makeThumbnail(ffmpeg, at('svg.jpg'), at('never.jpg'), never)).rejects.toThrow(/neither JPEG, PNG nor WebP/);
    const broken = await open(at('broken.jpg'), 'w');
    await broken.write(Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(500)]));
    await broken.close();
    await expect(makeThumbnail(ffmpeg, at('broken.jpg'), at('never.jpg'), never)).rejects.toThrow();
    await expect(stat(at('never.jpg'))).rejects.toThrow();
    await expect(stat(at('never.jpg.part'))).rejects.toThrow();
  });
});

describe('ffmpeg as yt-dlp gets it', () => {
  test('merges what belongs together', async () => {
    const bin = await wrapFfmpeg(ffmpeg, at('bin'));
    await run(
      join(bin, 'ffmpeg'),
      [
        '-y',
        '-v',
        'error',
        '-i',
        `file:${at('mute.mp4')}`,
        '-i',
        `file:${at('sound.m4a')}`,
        '-c',
        'copy',
        `file:${at('merged.mp4')}`,
      ],
      {
        cwd: folder,
        signal: never,
      },
    );
    expect(await probe(ffmpeg, at('merged.mp4'), never)).toMatchObject({ hasVideo: true, hasAudio: true });
    const { stdout } = await run(join(bin, 'ffprobe'), ['-v', 'error', '-show_streams', `file:${at('merged.mp4')}`], {
      cwd: folder,
      signal: never,
    });
    expect(stdout).toContain('codec_name=h264');
  });

  test('opens no playlist in disguise, however it is called', async () => {
    const bin = await wrapFfmpeg(ffmpeg, at('bin'));
    await writeFile(at('trap.mp4'), `#EXTM3U\n#EXTINF:4,\n${at('whole.mp4')}\n#EXT-X-ENDLIST\n`);
    const options = { cwd: folder, signal: never };
    await expect(
      run(join(bin, 'ffmpeg'), ['-y', '-i', `file:${at('trap.mp4')}`, '-c', 'copy', at('out.mp4')], options),
    ).rejects.toThrow();
    await expect(run(join(bin, 'ffprobe'), [`file:${at('trap.mp4')}`], options)).rejects.toThrow();
  });

  test('is called by arguments that say where an input may come from', () => {
    expect(fromMedia('/a b.mp4').slice(-2)).toEqual(['-i', 'file:/a b.mp4']);
    expect(fromMedia('x')).toContain('-protocol_whitelist');
  });

  test('is written once', async () => {
    const bin = await wrapFfmpeg(ffmpeg, at('bin'));
    const before = (await stat(join(bin, 'ffmpeg'))).mtimeMs;
    await wrapFfmpeg(ffmpeg, at('bin'));
    expect((await stat(join(bin, 'ffmpeg'))).mtimeMs).toBe(before);
    expect(await readFile(join(bin, 'ffmpeg'), 'utf8')).toContain('-codec_whitelist');
  });
});
