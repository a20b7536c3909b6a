import { readdir } from 'node:fs/promises';
import { run } from '../child/run.ts';
import { fromMedia, type Ffmpeg } from './ffmpeg.ts';

const tile = { width: 160, height: 90 };
const columns = 10;
const tilesOfSheet = columns * columns;

/** How far apart the previews of a video are: two seconds, or what makes two hundred of them. */
export const secondsBetween = (durationSeconds: number) => Math.max(2, durationSeconds / 200);

/** How many there are; a video of a second has one as well. */
const tilesOf = (durationSeconds: number) => Math.max(1, Math.ceil(durationSeconds / secondsBetween(durationSeconds)));

/** How many pictures they stand on. */
export const sheetsOf = (durationSeconds: number) => Math.ceil(tilesOf(durationSeconds) / tilesOfSheet);

// Any shape into 16:9, with bars; yuvj420p is what every browser shows.
const fit = `scale=${tile.width}:${tile.height}:force_original_aspect_ratio=decrease:flags=area,pad=${tile.width}:${tile.height}:-1:-1,setsar=1,format=yuvj420p`;

/**
 * Draws the previews of a video from its key frames alone, with one thread, into `0.jpg`, `1.jpg` … of an empty folder. Answers
 * how many sheets there are. Throws when the file gives no picture.
 */
export async function drawStoryboard(
  { ffmpeg }: Ffmpeg,
  { media, durationSeconds, folder }: { media: string; durationSeconds: number; folder: string },
  signal: AbortSignal,
): Promise<number> {
  const count = tilesOf(durationSeconds);
  // Between two key frames the earlier one stands for all; the last one stands for what is left.
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
    { cwd: folder, signal, timeMs: 3_600_000, silenceMs: 3_600_000, limits: { memoryBytes: 4 * 1024 ** 3 } },
  );
  const sheets = (await readdir(folder)).filter((name) => /^\d\.jpg$/.test(name)).length;
  if (sheets === 0) throw new Error('The file gives no pictures.');
  return Math.min(sheets, sheetsOf(durationSeconds));
}

const clock = (seconds: number) => {
  const at = Math.round(seconds * 1000);
  return `${new Date(at % 86_400_000).toISOString().slice(11, 23)}`.replace(/^\d\d/, (hours) =>
    String(Number(hours) + 24 * Math.floor(at / 86_400_000)).padStart(2, '0'),
  );
};

/** Says which part of which sheet shows which seconds, as players read it. The note tells of which file it is. */
export function storyboardVtt(durationSeconds: number, sheetName: (sheet: number) => string, madeOf: string): string {
  const step = secondsBetween(durationSeconds);
  const cues = Array.from({ length: tilesOf(durationSeconds) }, (_, place) => {
    const at = place % tilesOfSheet;
    const [x, y] = [(at % columns) * tile.width, Math.floor(at / columns) * tile.height];
    const until = Math.max(1, Math.min((place + 1) * step, durationSeconds));
    const part = `${sheetName(Math.floor(place / tilesOfSheet))}#xywh=${x},${y},${tile.width},${tile.height}`;
    return `${clock(place * step)} --> ${clock(until)}\n${part}\n`;
  });
  return `WEBVTT\n\nNOTE ${madeOf}\n\n${cues.join('\n')}`;
}
