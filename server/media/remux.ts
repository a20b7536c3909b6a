import { dirname } from 'node:path';
import { run } from '../child/run.ts';
import { fromMedia, type Ffmpeg } from './ffmpeg.ts';
import type { Inside } from './inside.ts';
import { Incomplete, probe, type Probe } from './probe.ts';

// What every browser that can decode it also takes from an MP4.
const fitting = new Set(['h264', 'hevc', 'av1', 'aac', 'mp3', 'ac3', 'eac3', 'opus', 'alac']);
const fittingSubtitles = new Set(['mov_text', 'subrip', 'webvtt']);
const isPicture = ({ name, type }: Inside['attachments'][number]) =>
  type.startsWith('image/') || /\.(jpe?g|png|webp)$/i.test(name);

/** Whether everything in a file can stand in an MP4. `taken`: attachments that have been taken out, and need not. */
export const fitsMp4 = ({ streams }: Probe, { subtitles, attachments }: Inside, taken: number[]): boolean =>
  streams.length > 0 &&
  streams.every(({ codec }) => fitting.has(codec)) &&
  subtitles.every(({ codec }) => fittingSubtitles.has(codec)) &&
  attachments.every((one) => taken.includes(one.index) || isPicture(one));

const kinds = ({ streams }: Probe) => streams.map(({ type, codec }) => `${type} ${codec}`).join(', ');

/**
 * Puts picture, sound, subtitles and chapters of a file into a new MP4. Nothing is encoded anew: each packet stays what it is.
 * The new file is looked at afterwards; throws Incomplete when it is not the same.
 */
export async function remuxToMp4(
  ffmpeg: Ffmpeg,
  { source, target, found, inside }: { source: string; target: string; found: Probe; inside: Inside },
  signal: AbortSignal,
): Promise<Probe> {
  const kept = [...found.streams.map(({ index }) => index), ...inside.subtitles.map(({ index }) => index)];
  const isHevc = found.streams.some(({ codec }) => codec === 'hevc');
  const from = ['-nostdin', '-hide_banner', '-v', 'error', '-threads', '1', '-n', ...fromMedia(source)];
  const maps = kept.flatMap((index) => ['-map', `0:${index}`]);
  const as = ['-map_metadata', '0', '-map_chapters', '0', '-c', 'copy', '-c:s', 'mov_text'];
  if (isHevc) as.push('-tag:v', 'hvc1'); // Safari wants the name
  const to = ['-movflags', '+faststart', '-f', 'mp4', `file:${target}`];
  // A large file takes a while, in which nothing is said.
  const patience = { silenceMs: 3_600_000, limits: { memoryBytes: 4 * 1024 ** 3 } };
  await run(ffmpeg.ffmpeg, [...from, ...maps, ...as, ...to], { cwd: dirname(target), signal, ...patience });
  const made = await probe(ffmpeg, target, signal);
  if (kinds(made) !== kinds(found) || Math.abs(made.durationSeconds - found.durationSeconds) > 2)
    throw new Incomplete('The new file is not what the old one is.');
  return made;
}
