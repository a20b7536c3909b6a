import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { run } from '../process/run.ts';
import { resourceLimits, fromMedia, type Ffmpeg } from './ffmpeg.ts';
import { removeFile } from '../files/files.ts';

// The image format is detected from the first bytes, not from the name or Content-Type.
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

/** ffmpeg arguments for an image as input, with the detected format. */
export const renderFromImage = async (path: string) => {
  const format = await formatOf(path);
  return ['-f', format, ...resourceLimits(format), '-i', `file:${path}`];
};

/** Writes one JPEG to a temporary file, then renames it. */
async function writeJpeg({ ffmpeg }: Ffmpeg, input: string[], filter: string, target: string, signal: AbortSignal) {
  const tempPath = `${target}.part`;
  const args = ['-nostdin', '-hide_banner', '-v', 'error', '-threads', '1', ...input];
  try {
    await run(
      ffmpeg,
      [...args, '-map', '0:v:0', '-frames:v', '1', '-vf', filter, '-q:v', '3', '-f', 'mjpeg', '-y', `file:${tempPath}`],
      { cwd: dirname(target), signal, timeMs: 60_000, limits: { memoryBytes: 4 * 1024 ** 3 } },
    );
    await rename(tempPath, target);
  } finally {
    await removeFile(tempPath);
  }
}

// Crops to 16:9, at most 1280 pixels wide, without upscaling; all browsers support yuvj420p.
const thumbnailFilter = "crop='min(iw,ih*16/9)':'min(ih,iw*9/16)',scale='min(1280,iw)':-2:flags=area,format=yuvj420p";

/**
 * Re-encodes an image as a video thumbnail: 16:9, at most 1280 pixels wide.
 * @throws if it is no image
 */
export const makeThumbnail = async (ffmpeg: Ffmpeg, source: string, target: string, signal: AbortSignal) =>
  writeJpeg(ffmpeg, await renderFromImage(source), thumbnailFilter, target, signal);

/** Creates a thumbnail from a frame of the video. */
export const extractFrame = (ffmpeg: Ffmpeg, media: string, seconds: number, target: string, signal: AbortSignal) =>
  writeJpeg(ffmpeg, ['-ss', String(Math.max(0, seconds)), ...fromMedia(media)], thumbnailFilter, target, signal);

/** The whole picture in the middle of a blurred, darker and enlarged copy of itself. The copy is blurred while it is small. */
const framed = (width: number, height: number) => {
  const size = `${width}:${height}`;
  const behind = `scale=${size}:force_original_aspect_ratio=increase,crop=${size},scale=iw/20:-2:flags=area,gblur=sigma=4,scale=${size}:flags=bicubic,lutyuv=y=val*0.7`;
  const front = `scale=${size}:force_original_aspect_ratio=decrease:flags=lanczos`;
  return `format=yuv444p,split[a][b];[a]${behind}[behind];[b]${front}[front];[behind][front]overlay=(W-w)/2:(H-h)/2,setsar=1,format=yuvj420p`;
};

// Formats that API clients expect: a square avatar, a wide banner. Podcast directories require a square of 1400 to 3000 pixels,
// and media servers posters of 2:3 and backgrounds of 16:9.
const artwork = {
  square: "crop='min(iw,ih)':'min(iw,ih)',scale='min(600,iw)':-2:flags=area,format=yuvj420p",
  preview: "scale=-2:'min(144,ih)':flags=area,format=yuvj420p",
  banner: "scale='min(2048,iw)':-2:flags=area,format=yuvj420p",
  cover:
    'scale=1400:1400:force_original_aspect_ratio=decrease:flags=lanczos,pad=1400:1400:-1:-1:color=0x14161a,setsar=1,format=yuvj420p',
  poster: framed(1000, 1500),
  fanart: framed(1920, 1080),
};

/** Re-encodes an image of a channel, as the cover of a podcast, as the artwork of a show, or as a small preview. */
export const makeArtwork = async (
  ffmpeg: Ffmpeg,
  shape: keyof typeof artwork,
  source: string,
  target: string,
  signal: AbortSignal,
) => writeJpeg(ffmpeg, await renderFromImage(source), artwork[shape], target, signal);
