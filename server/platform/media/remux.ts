import { message } from '#contract/messages.ts';
import { dirname } from 'node:path';
import { run } from '../process/run.ts';
import { fromMedia, type Ffmpeg } from './ffmpeg.ts';
import type { ContainerMetadata } from './container-metadata.ts';
import { IncompleteFileError, probe, type Probe } from './probe.ts';

// Codecs that browsers play in an MP4 if they can decode them at all.
export const mp4Codecs = new Set(['h264', 'hevc', 'av1', 'aac', 'mp3', 'ac3', 'eac3', 'opus', 'alac']);
const mp4SubtitleCodecs = new Set(['mov_text', 'subrip', 'webvtt']);
const isPicture = ({ name, type }: ContainerMetadata['attachments'][number]) =>
  type.startsWith('image/') || /\.(jpe?g|png|webp)$/i.test(name);

/** Returns whether all streams of a file fit into an MP4. `taken`: attachments that were extracted before. */
export const fitsMp4 = ({ streams }: Probe, { subtitles, attachments }: ContainerMetadata, taken: number[]): boolean =>
  streams.length > 0 &&
  streams.every(({ codec }) => mp4Codecs.has(codec)) &&
  subtitles.every(({ codec }) => mp4SubtitleCodecs.has(codec)) &&
  attachments.every((one) => taken.includes(one.index) || isPicture(one));

const streamKinds = ({ streams }: Probe) => streams.map(({ type, codec }) => `${type} ${codec}`).join(', ');

/**
 * Remuxes video, audio, subtitles and chapters of a file to MP4 without re-encoding, and verifies the result.
 * @throws Incomplete if the streams or the duration differ
 */
export async function remuxToMp4(
  ffmpeg: Ffmpeg,
  { source, target, found, inside }: { source: string; target: string; found: Probe; inside: ContainerMetadata },
  signal: AbortSignal,
): Promise<Probe> {
  const kept = [...found.streams.map(({ index }) => index), ...inside.subtitles.map(({ index }) => index)];
  const isHevc = found.streams.some(({ codec }) => codec === 'hevc');
  const from = ['-nostdin', '-hide_banner', '-v', 'error', '-threads', '1', '-n', ...fromMedia(source)];
  const maps = kept.flatMap((index) => ['-map', `0:${index}`]);
  const as = ['-map_metadata', '0', '-map_chapters', '0', '-c', 'copy', '-c:s', 'mov_text'];
  if (isHevc) as.push('-tag:v', 'hvc1'); // required by Safari
  const to = ['-movflags', '+faststart', '-f', 'mp4', `file:${target}`];
  // A large file takes long without output.
  const runOptions = { silenceMs: 3_600_000, limits: { memoryBytes: 4 * 1024 ** 3 } };
  await run(ffmpeg.ffmpeg, [...from, ...maps, ...as, ...to], { cwd: dirname(target), signal, ...runOptions });
  const created = await probe(ffmpeg, target, signal);
  if (streamKinds(created) !== streamKinds(found) || Math.abs(created.durationSeconds - found.durationSeconds) > 2)
    throw new IncompleteFileError(message('remux.differs'));
  return created;
}
