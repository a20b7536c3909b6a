/** Thumbnails, avatars and banners, generated once and cached. */
import { writeFile, rm } from 'node:fs/promises';
import type { Channel, Look, Video } from '../catalogue.ts';
import { ffmpeg, once } from './encode.ts';
import { paintStill } from './layer.ts';
import { layersOf, sourceOf } from './scenes.ts';

interface PictureOptions {
  look: Look;
  width: number;
  height: number;
  /** Painted at this size and then enlarged, because painting is slow. */
  paintHeight: number;
  /** Additional ffmpeg filters. */
  filters: string[];
}

async function paintTo(file: string, { look, width, height, paintHeight, filters }: PictureOptions): Promise<void> {
  const paintWidth = Math.round((paintHeight * width) / height);
  const layers = layersOf(look, paintWidth / paintHeight, paintWidth / paintHeight);
  const raw = `${file}.raw`;
  const last = ['-vf', [`scale=${width}:${height}:flags=lanczos`, ...filters].join(','), '-frames:v', '1', '-q:v', '3', file];
  try {
    if (layers) {
      await writeFile(raw, paintStill(layers, paintWidth, paintHeight));
      await ffmpeg(['-f', 'rawvideo', '-pix_fmt', 'rgb24', '-s', `${paintWidth}x${paintHeight}`, '-i', raw, ...last]);
    } else {
      const source = sourceOf(look, { width: paintWidth, height: paintHeight, rate: 10, durationSeconds: 10 });
      await ffmpeg(['-f', 'lavfi', '-i', source, '-ss', '3', ...last]);
    }
  } finally {
    await rm(raw, { force: true });
  }
}

// Removes the special characters of ffmpeg filters from a text.
const plain = (text: string) => text.replace(/[\\':%,;[\]]/g, '');

const drawText = (text: string, size: number, at: string) =>
  `drawtext=font='Sans Bold':text='${plain(text)}':fontsize=${size}:fontcolor=white:borderw=${Math.round(size / 14)}:bordercolor=black@0.75:${at}`;

/** Paints without text if ffmpeg cannot draw it or has no font. */
async function paintWithText(options: PictureOptions, file: string, filter: string | null): Promise<void> {
  if (filter === null) return paintTo(file, options);
  await paintTo(file, { ...options, filters: [...options.filters, filter] }).catch(() => paintTo(file, options));
}

export function thumbnailFile(video: Pick<Video, 'look' | 'headline'>, folder: string): Promise<string> {
  const { look, headline } = video;
  const options: PictureOptions = { look, width: 1280, height: 720, paintHeight: 360, filters: ['vignette=PI/5'] };
  const filter = headline ? drawText(headline.toUpperCase(), 108, 'x=56:y=h-th-56') : null;
  return once(folder, ['thumbnail', look, headline], 'jpg', (file) => paintWithText(options, file, filter));
}

export function avatarFile(channel: Pick<Channel, 'look' | 'initials'>, folder: string): Promise<string> {
  const options: PictureOptions = {
    look: channel.look,
    width: 400,
    height: 400,
    paintHeight: 200,
    filters: ['eq=brightness=-0.08:saturation=1.2'],
  };
  const filter = channel.initials ? drawText(channel.initials, 190, 'x=(w-tw)/2:y=(h-th)/2') : null;
  return once(folder, ['avatar', channel.look, channel.initials], 'jpg', (file) => paintWithText(options, file, filter));
}

export function bannerFile(channel: Pick<Channel, 'look'>, folder: string): Promise<string> {
  const options: PictureOptions = {
    look: { ...channel.look, seed: channel.look.seed + 2 },
    width: 1707,
    height: 282,
    paintHeight: 176,
    filters: [],
  };
  return once(folder, ['banner', channel.look], 'jpg', (file) => paintTo(file, options));
}
