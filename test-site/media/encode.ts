/** Media files of the test site: generated once by ffmpeg and cached under a name derived from their parameters. */
import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { access, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Look } from '../catalogue.ts';
import { paintLayer } from './layer.ts';
import { layersOf, sourceOf } from './scenes.ts';

const run = promisify(execFile);

/** Increase it when generated files change, so that old ones are not used. */
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
 * Returns the file for `key` in `folder`, created by `make` if missing. One at a time; files are renamed when complete, so
 * several processes may share the folder.
 */
export function once(folder: string, key: unknown, extension: string, make: (file: string) => Promise<void>): Promise<string> {
  const name = createHash('sha256')
    .update(JSON.stringify([VERSION, key]))
    .digest('hex')
    .slice(0, 24);
  const file = path.join(folder, `${name}.${extension}`);
  const known = making.get(file);
  if (known) return known;
  const created = (async () => {
    const exists = await access(file).then(
      () => true,
      () => false,
    );
    if (exists) return file;
    const current = turn.then(async () => {
      await mkdir(folder, { recursive: true });
      const unfinished = path.join(folder, `${name}.${randomUUID()}.${extension}`);
      await make(unfinished);
      await rename(unfinished, file);
    });
    turn = current.catch(() => undefined);
    await current;
    return file;
  })();
  making.set(file, created);
  created.catch(() => making.delete(file));
  return created;
}

/** Runs ffmpeg without prompts; errors contain its last output. */
export async function ffmpeg(args: string[]): Promise<void> {
  await run(ffmpegPath(), ['-hide_banner', '-loglevel', 'error', '-nostdin', '-y', ...args], { maxBuffer: 1 << 20 });
}

const rate = 12;

/** A soft chord whose notes depend on the seed, with changing volume. */
function soundOf(look: Look, durationSeconds: number): string {
  const root = 110 * 2 ** ((look.seed % 12) / 12);
  const notes = [1, 1.5, look.seed % 2 === 0 ? 2.5 : 2.4, 3].map(
    (step, index) =>
      `${(0.16 / (index + 1)).toFixed(3)}*sin(2*PI*${(root * step).toFixed(2)}*t)*(0.6+0.4*sin(${0.4 + index * 0.23}*t+${index}))`,
  );
  return `aevalsrc='${notes.join('+')}:s=44100:d=${durationSeconds}',lowpass=f=1800,afade=t=in:d=1`;
}

/** Renders each layer of a scene into a raw video file and overlays them, each moving at its own speed. */
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
  for (const [index, layer] of layers.entries()) {
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
    // Share of the layer width that moves by per frame.
    const pace = (layer.drift / period / rate) % 1;
    const scroll = layer.drift === 0 ? '' : `,scroll=horizontal=${pace.toFixed(6)}`;
    steps.push(`[${index}:v]fps=${rate}${scroll},crop=${width}:${height}:0:0[l${index}]`);
    if (index > 0) steps.push(`[${index === 1 ? 'l0' : `o${index - 1}`}][l${index}]overlay=format=auto[o${index}]`);
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
