/** Thumbnails, faces and banners, painted once and kept. */
import { writeFile, rm } from 'node:fs/promises';
import type { Channel, Look, Video } from '#standin/catalogue.ts';
import { ffmpeg, once } from './encode.ts';
import { paintStill } from './layer.ts';
import { layersOf, sourceOf } from './scenes.ts';

interface Wish {
  look: Look;
  width: number;
  height: number;
  /** Painted at this size and then enlarged: painting takes its time. */
  paintHeight: number;
  /** Filters of ffmpeg after that. */
  filters: string[];
}

async function paintTo(file: string, { look, width, height, paintHeight, filters }: Wish): Promise<void> {
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

// Text of a filter: everything that means something there is taken out.
const plain = (text: string) => text.replace(/[\\':%,;[\]]/g, '');

const words = (text: string, size: number, at: string) =>
  `drawtext=font='Sans Bold':text='${plain(text)}':fontsize=${size}:fontcolor=white:borderw=${Math.round(size / 14)}:bordercolor=black@0.75:${at}`;

/** Without letters where ffmpeg or the machine has none to draw with. */
async function withWords(wish: Wish, file: string, filter: string | null): Promise<void> {
  if (filter === null) return paintTo(file, wish);
  await paintTo(file, { ...wish, filters: [...wish.filters, filter] }).catch(() => paintTo(file, wish));
}

export function thumbnailFile(video: Pick<Video, 'look' | 'headline'>, folder: string): Promise<string> {
  const { look, headline } = video;
  const wish: Wish = { look, width: 1280, height: 720, paintHeight: 360, filters: ['vignette=PI/5'] };
  const filter = headline ? words(headline.toUpperCase(), 108, 'x=56:y=h-th-56') : null;
  return once(folder, ['thumbnail', look, headline], 'jpg', (file) => withWords(wish, file, filter));
}

export function avatarFile(channel: Pick<Channel, 'look' | 'initials'>, folder: string): Promise<string> {
  const wish: Wish = {
    look: channel.look,
    width: 400,
    height: 400,
    paintHeight: 200,
    filters: ['eq=brightness=-0.08:saturation=1.2'],
  };
  const filter = channel.initials ? words(channel.initials, 190, 'x=(w-tw)/2:y=(h-th)/2') : null;
  return once(folder, ['avatar', channel.look, channel.initials], 'jpg', (file) => withWords(wish, file, filter));
}

export function bannerFile(channel: Pick<Channel, 'look'>, folder: string): Promise<string> {
  const wish: Wish = {
    look: { ...channel.look, seed: channel.look.seed + 2 },
    width: 1707,
    height: 282,
    paintHeight: 176,
    filters: [],
  };
  return once(folder, ['banner', channel.look], 'jpg', (file) => paintTo(file, wish));
}
