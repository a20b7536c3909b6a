import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { run } from '../child/run.ts';
import { bounds, fromMedia, type Ffmpeg } from './ffmpeg.ts';
import { removeFile } from './shelf.ts';

// What a picture is, is told by its first bytes; what it calls itself is not believed.
const magic: [format: string, isIt: (bytes: Buffer) => boolean][] = [
  ['jpeg_pipe', (bytes) => bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))],
  ['png_pipe', (bytes) => bytes.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))],
  [
    'webp_pipe',
    (bytes) => bytes.subarray(0, 4).toString('latin1') === 'RIFF' && bytes.subarray(8, 12).toString('latin1') === 'WEBP',
  ],
];

async function formatOf(path: string): Promise<string> {
  const file = await open(path, 'r');
  try {
    const bytes = Buffer.alloc(16);
    await file.read(bytes, 0, 16, 0);
    const known = magic.find(([, isIt]) => isIt(bytes));
    if (!known) throw new Error('The picture is neither JPEG, PNG nor WebP.');
    return known[0];
  } finally {
    await file.close();
  }
}

/** A picture as an input of ffmpeg, by what its first bytes say that it is. */
export const fromPicture = async (path: string) => {
  const format = await formatOf(path);
  return ['-f', format, ...bounds(format), '-i', `file:${path}`];
};

/** Makes one JPEG from an input: beside its place, then renamed. */
async function writeJpeg({ ffmpeg }: Ffmpeg, input: string[], filter: string, target: string, signal: AbortSignal) {
  const beside = `${target}.part`;
  const args = ['-nostdin', '-hide_banner', '-v', 'error', '-threads', '1', ...input];
  try {
    await run(
      ffmpeg,
      [...args, '-map', '0:v:0', '-frames:v', '1', '-vf', filter, '-q:v', '3', '-f', 'mjpeg', '-y', `file:${beside}`],
      { cwd: dirname(target), signal, timeMs: 60_000, limits: { memoryBytes: 4 * 1024 ** 3 } },
    );
    await rename(beside, target);
  } finally {
    await removeFile(beside);
  }
}

// The middle of the picture in 16:9, at most 1280 wide, never larger than it is; yuvj420p is what every browser shows.
const wide = "crop='min(iw,ih*16/9)':'min(ih,iw*9/16)',scale='min(1280,iw)':-2:flags=area,format=yuvj420p";

/** Re-encodes a picture as the thumbnail of a video: 16:9, at most 1280 pixels wide. Throws when it is no picture. */
export const makeThumbnail = async (ffmpeg: Ffmpeg, source: string, target: string, signal: AbortSignal) =>
  writeJpeg(ffmpeg, await fromPicture(source), wide, target, signal);

/** Takes a thumbnail from the video itself. */
export const stillOf = (ffmpeg: Ffmpeg, media: string, seconds: number, target: string, signal: AbortSignal) =>
  writeJpeg(ffmpeg, ['-ss', String(Math.max(0, seconds)), ...fromMedia(media)], wide, target, signal);

// What the API's clients expect of artwork: a square face, a wide banner.
const artwork = {
  square: "crop='min(iw,ih)':'min(iw,ih)',scale='min(600,iw)':-2:flags=area,format=yuvj420p",
  banner: "scale='min(2048,iw)':-2:flags=area,format=yuvj420p",
};

/** Re-encodes a channel's picture. */
export const makeArtwork = async (
  ffmpeg: Ffmpeg,
  shape: keyof typeof artwork,
  source: string,
  target: string,
  signal: AbortSignal,
) => writeJpeg(ffmpeg, await fromPicture(source), artwork[shape], target, signal);
