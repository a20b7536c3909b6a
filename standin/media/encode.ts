/** Media files of the stand-in: made once by the real ffmpeg, kept in a folder under a name that says how they were made. */
import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { access, mkdir, rename } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Look } from '#standin/catalogue.ts';

const run = promisify(execFile);

/** Raise it when what is made changes, so that old files are not found any more. */
const VERSION = 1;

export type Encoding = 'h264' | 'h264-small' | 'vp9' | 'aac' | 'opus';

export interface Recipe {
  look: Look;
  durationSeconds: number;
  width: number;
  height: number;
  encoding: Encoding;
}

export function ffmpegPath(): string {
  return process.env['REELKEEP_FFMPEG'] ?? 'ffmpeg';
}

const making = new Map<string, Promise<string>>();
let turn: Promise<unknown> = Promise.resolve();

/**
 * The file named after `key` in `folder`, made by `make` when it is not there. One is made at a time; the file appears
 * under its name only when it is whole, so several processes may share the folder.
 */
export function once(folder: string, key: unknown, extension: string, make: (file: string) => Promise<void>): Promise<string> {
  const name = createHash('sha256')
    .update(JSON.stringify([VERSION, key]))
    .digest('hex')
    .slice(0, 24);
  const file = path.join(folder, `${name}.${extension}`);
  const known = making.get(file);
  if (known) return known;
  const made = (async () => {
    const there = await access(file).then(
      () => true,
      () => false,
    );
    if (there) return file;
    const mine = turn.then(async () => {
      await mkdir(folder, { recursive: true });
      const unfinished = path.join(folder, `${name}.${randomUUID()}.${extension}`);
      await make(unfinished);
      await rename(unfinished, file);
    });
    turn = mine.catch(() => undefined);
    await mine;
    return file;
  })();
  making.set(file, made);
  made.catch(() => making.delete(file));
  return made;
}

/** Runs ffmpeg without questions; fails with its last words. */
export async function ffmpeg(args: string[]): Promise<void> {
  await run(ffmpegPath(), ['-hide_banner', '-loglevel', 'error', '-nostdin', '-y', ...args], { maxBuffer: 1 << 20 });
}

export function mediaFile(recipe: Recipe, folder: string): Promise<string> {
  const { look, durationSeconds, width, height, encoding } = recipe;
  const audio = encoding === 'aac' || encoding === 'opus';
  const extension = encoding === 'aac' ? 'm4a' : encoding === 'vp9' ? 'webm' : encoding === 'opus' ? 'webm' : 'mp4';
  const size = audio ? [] : [width, height];
  return once(folder, [look, durationSeconds, size, encoding], extension, async (file) => {
    const source = audio
      ? `sine=f=220:d=${durationSeconds}`
      : `gradients=s=${width}x${height}:d=${durationSeconds}:seed=${look.seed}`;
    await ffmpeg(['-f', 'lavfi', '-i', source, ...codecs[encoding], file]);
  });
}

const codecs: Record<Encoding, string[]> = {
  h264: ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '27', '-pix_fmt', 'yuv420p', '-movflags', '+faststart'],
  'h264-small': [
    '-vf',
    'scale=iw/2:-2',
    '-c:v',
    'libx264',
    '-preset',
    'veryfast',
    '-crf',
    '30',
    '-pix_fmt',
    'yuv420p',
    '-movflags',
    '+faststart',
  ],
  vp9: ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-crf', '38', '-b:v', '0', '-pix_fmt', 'yuv420p'],
  aac: ['-c:a', 'aac', '-b:a', '64k', '-ac', '2', '-ar', '44100', '-movflags', '+faststart'],
  opus: ['-c:a', 'libopus', '-b:a', '48k', '-ac', '2'],
};
