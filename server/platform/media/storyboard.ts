import { readdir } from 'node:fs/promises';
import { run } from '../process/run.ts';
import { fromMedia, type Ffmpeg } from './ffmpeg.ts';

const tile = { width: 160, height: 90 };
const columns = 10;
const tilesOfSheet = columns * columns;

/** Seconds between two tiles: 2, or more so that there are at most 200 tiles. */
export const secondsBetween = (durationSeconds: number) => Math.max(2, durationSeconds / 200);

/** Number of tiles, at least one. */
const tilesOf = (durationSeconds: number) => Math.max(1, Math.ceil(durationSeconds / secondsBetween(durationSeconds)));

/** Number of sheets. */
export const sheetsOf = (durationSeconds: number) => Math.ceil(tilesOf(durationSeconds) / tilesOfSheet);

// Scales to 16:9 with bars; all browsers support yuvj420p.
const fit = `scale=${tile.width}:${tile.height}:force_original_aspect_ratio=decrease:flags=area,pad=${tile.width}:${tile.height}:-1:-1,setsar=1,format=yuvj420p`;

/**
 * Renders the storyboard of a video from key frames only, with one thread, into `0.jpg`, `1.jpg` … in an empty folder. Returns
 * the number of sheets.
 * @throws if the file has no video
 */
export async function renderStoryboard(
  { ffmpeg }: Ffmpeg,
  { media, durationSeconds, folder }: { media: string; durationSeconds: number; folder: string },
  signal: AbortSignal,
): Promise<number> {
  const count = tilesOf(durationSeconds);
  // Each tile shows the last key frame before it; the last one is repeated for the remaining tiles.
  const pace = `fps=fps=1/${secondsBetween(durationSeconds)}:start_time=0,tpad=stop_mode=clone:stop=${count}`;
  const args = ['-nostdin', '-hide_banner', '-v', 'error', '-threads', '1', '-skip_frame', 'nokey', ...fromMedia(media)];
  const filter = `${pace},trim=end_frame=${count},${fit},tile=${columns}x${columns}`;
  await run(
    ffmpeg,
    [...args, '-map', '0:V:0', '-vf', filter, '-filter_threads', '1', '-fps_mode', 'passthrough', '-q:v', '6'].concat([
      '-threads',
      '1',
      '-f',
      'image2',
      '-start_number',
      '0',
      '%d.jpg',
    ]),
    { cwd: folder, signal, timeMs: 3_600_000, silenceMs: 3_600_000, limits: { memoryBytes: 4 * 1024 ** 3 }, isIdle: true },
  );
  const sheets = (await readdir(folder)).filter((name) => /^\d\.jpg$/.test(name)).length;
  if (sheets === 0) throw new Error('The file gives no pictures.');
  return Math.min(sheets, sheetsOf(durationSeconds));
}

/** A tile: its sheet, its place in it in pixels, and the width of the sheet. */
export interface StoryboardTile {
  sheet: number;
  x: number;
  y: number;
  width: number;
  height: number;
  sheetWidth: number;
}

function tileNumber(index: number): StoryboardTile {
  const at = index % tilesOfSheet;
  const [x, y] = [(at % columns) * tile.width, Math.floor(at / columns) * tile.height];
  return { sheet: Math.floor(index / tilesOfSheet), x, y, ...tile, sheetWidth: columns * tile.width };
}

/** Returns the tile that shows a second of a video. */
export const tileAt = (durationSeconds: number, second: number): StoryboardTile =>
  tileNumber(Math.max(0, Math.min(Math.floor(second / secondsBetween(durationSeconds)), tilesOf(durationSeconds) - 1)));

const clock = (seconds: number) => {
  const at = Math.round(seconds * 1000);
  return `${new Date(at % 86_400_000).toISOString().slice(11, 23)}`.replace(/^\d\d/, (hours) =>
    String(Number(hours) + 24 * Math.floor(at / 86_400_000)).padStart(2, '0'),
  );
};

/** Returns the WebVTT file that maps times to tiles of the sheets. A note contains the checksum of the media file. */
export function storyboardVtt(durationSeconds: number, sheetName: (sheet: number) => string, madeOf: string): string {
  const step = secondsBetween(durationSeconds);
  const cues = Array.from({ length: tilesOf(durationSeconds) }, (_, index) => {
    const { sheet, x, y, width, height } = tileNumber(index);
    const until = Math.max(1, Math.min((index + 1) * step, durationSeconds));
    const part = `${sheetName(sheet)}#xywh=${x},${y},${width},${height}`;
    return `${clock(index * step)} --> ${clock(until)}\n${part}\n`;
  });
  return `WEBVTT\n\nNOTE ${madeOf}\n\n${cues.join('\n')}`;
}
