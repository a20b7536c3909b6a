/** Media files of the stand-in: made once by the real ffmpeg, kept in a folder under a name that says how they were made. */
import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { access, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Look } from '#standin/catalogue.ts';
import { paintLayer } from './layer.ts';
import { layersOf, sourceOf } from './scenes.ts';

const run = promisify(execFile);

/** Raise it when what is made changes, so that old files are not found any more. */
const VERSION = 2;

export type Encoding = 'h264' | 'h264-small' | 'vp9' | 'aac' | 'opus' | 'both';

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

const rate = 12;

/** A soft chord whose notes follow from the seed, swelling slowly. */
function soundOf(look: Look, durationSeconds: number): string {
  const root = 110 * 2 ** ((look.seed % 12) / 12);
  const notes = [1, 1.5, look.seed % 2 === 0 ? 2.5 : 2.4, 3].map(
    (step, place) =>
      `${(0.16 / (place + 1)).toFixed(3)}*sin(2*PI*${(root * step).toFixed(2)}*t)*(0.6+0.4*sin(${0.4 + place * 0.23}*t+${place}))`,
  );
  return `aevalsrc='${notes.join('+')}:s=44100:d=${durationSeconds}',lowpass=f=1800,afade=t=in:d=1`;
}

/** Paints each sheet of a scene into a file of raw pictures and puts them over one another, each moving at its own pace. */
async function paintedInputs(
  look: Look,
  width: number,
  height: number,
  folder: string,
): Promise<{ inputs: string[]; filter: string } | null> {
  const aspect = width / height;
  const period = aspect * 1.5;
  const layers = layersOf(look, aspect, period);
  if (!layers) return null;
  const sheetWidth = Math.round(period * height);
  const inputs: string[] = [];
  const steps: string[] = [];
  for (const [place, layer] of layers.entries()) {
    const phases = Math.min(layer.phases ?? 1, 12);
    const pictures = Array.from({ length: phases }, (_, phase) => paintLayer(layer, sheetWidth, height, phase / phases));
    const file = path.join(folder, `${randomUUID()}.raw`);
    await writeFile(file, Buffer.concat(pictures));
    const pictureRate = phases > 1 ? rate / (layer.hold ?? 1) : 1;
    inputs.push(
      '-f',
      'rawvideo',
      '-pix_fmt',
      'rgba',
      '-s',
      `${sheetWidth}x${height}`,
      '-r',
      String(pictureRate),
      '-stream_loop',
      '-1',
      '-i',
      file,
    );
    // A share of the sheet's width that passes with every picture of the film.
    const pace = (layer.drift / period / rate) % 1;
    const scroll = layer.drift === 0 ? '' : `,scroll=horizontal=${pace.toFixed(6)}`;
    steps.push(`[${place}:v]fps=${rate}${scroll},crop=${width}:${height}:0:0[l${place}]`);
    if (place > 0) steps.push(`[${place === 1 ? 'l0' : `o${place - 1}`}][l${place}]overlay=format=auto[o${place}]`);
  }
  const last = layers.length > 1 ? `o${layers.length - 1}` : 'l0';
  return { inputs, filter: `${steps.join(';')};[${last}]format=yuv420p[v]` };
}

export function mediaFile(recipe: Recipe, folder: string): Promise<string> {
  const { look, durationSeconds, width, height, encoding } = recipe;
  const isSound = encoding === 'aac' || encoding === 'opus';
  const extension = encoding === 'aac' ? 'm4a' : encoding === 'vp9' || encoding === 'opus' ? 'webm' : 'mp4';
  const size = isSound ? [] : [width, height];
  return once(folder, [look, durationSeconds, size, encoding], extension, async (file) => {
    const length = ['-t', String(durationSeconds)];
    if (isSound) return ffmpeg(['-f', 'lavfi', '-i', soundOf(look, durationSeconds), ...codecs[encoding], ...length, file]);
    const sheets = await mkdtemp(path.join(folder, 'sheets-'));
    try {
      const painted = await paintedInputs(look, width, height, sheets);
      const picture = painted?.inputs ?? ['-f', 'lavfi', '-i', sourceOf(look, { width, height, rate, durationSeconds })];
      const count = picture.filter((word) => word === '-i').length;
      await ffmpeg([
        ...picture,
        ...(encoding === 'both' ? ['-f', 'lavfi', '-i', soundOf(look, durationSeconds)] : []),
        ...(painted ? ['-filter_complex', painted.filter, '-map', '[v]'] : ['-map', '0:v']),
        ...(encoding === 'both' ? ['-map', `${count}:a`] : []),
        ...codecs[encoding],
        ...length,
        file,
      ]);
    } finally {
      await rm(sheets, { recursive: true, force: true });
    }
  });
}

const h264 = [
  '-c:v',
  'libx264',
  '-preset',
  'veryfast',
  '-crf',
  '26',
  '-pix_fmt',
  'yuv420p',
  '-g',
  '48',
  '-movflags',
  '+faststart',
];
const aac = ['-c:a', 'aac', '-b:a', '64k', '-ac', '2', '-ar', '44100', '-movflags', '+faststart'];

const codecs: Record<Encoding, string[]> = {
  h264,
  'h264-small': [...h264, '-s', '320x180'],
  vp9: ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-crf', '38', '-b:v', '0', '-pix_fmt', 'yuv420p'],
  aac,
  opus: ['-c:a', 'libopus', '-b:a', '48k', '-ac', '2'],
  both: [...h264, ...aac],
};
