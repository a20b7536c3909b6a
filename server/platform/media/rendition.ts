import { message } from '#contract/messages.ts';
import { writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { removeFile } from '../files/files.ts';
import { run } from '../process/run.ts';
import { encodedBitrate, type AudioPacking } from './audio-packing.ts';
import type { AudioTrack, AudioTracks } from './audio-tracks.ts';
import { chapterText, fromChapters, type Embedding } from './embed.ts';
import { fromMedia, type Ffmpeg } from './ffmpeg.ts';
import { IncompleteFileError, probe } from './probe.ts';

/** Returns the maximum size of an audio rendition in bytes; null if the bitrate is unknown. */
export function estimateAudioBytes({ bitrate }: AudioTrack, { encodes }: AudioPacking, durationSeconds: number): number | null {
  const bits = encodes ? encodedBitrate : bitrate;
  return bits > 0 ? Math.ceil((bits / 8) * durationSeconds * 1.2) + 1_000_000 : null;
}

/** What players show of a file. */
export interface MediaTags {
  title: string;
  artist: string;
  album?: string;
  /** A year. */
  date?: string;
}

/** Options of a new file for players and browsers; its path follows them. */
export function containerOptions({ format }: AudioPacking, tags: MediaTags, videoCodec?: string): string[] {
  const options = Object.entries(tags).flatMap(([name, text]) => ['-metadata', `${name}=${text}`]);
  if (videoCodec === 'hevc' && format !== 'matroska') options.push('-tag:v', 'hvc1'); // required by Safari
  if (/^(ipod|mp4|mov)$/.test(format)) options.push('-movflags', '+faststart');
  return [...options, '-f', format];
}

interface RenditionOptions {
  source: string;
  /** Path of the new file. */
  target: string;
  /** Null for a video without audio. */
  track: AudioTrack | null;
  /** Video stream to include; null for audio only. */
  picture: AudioTracks['picture'];
  packing: AudioPacking;
  tags: MediaTags;
  /** Written into M4A files, for podcast apps. */
  chapters: Embedding['chapters'];
  maxBytes: number;
}

/**
 * Writes a file with one audio track, and the video if requested. Streams are copied unless no container that browsers play
 * supports the audio codec.
 * @throws Incomplete if the result is not as expected
 */
export async function makeRendition(ffmpeg: Ffmpeg, options: RenditionOptions, signal: AbortSignal): Promise<void> {
  const { source, target, track, picture, packing: into, tags, maxBytes } = options;
  const chapters = into.ending === '.m4a' ? options.chapters : [];
  const chapterFile = `${target}.chapters`;
  const from = ['-nostdin', '-hide_banner', '-v', 'error', '-threads', '1', '-n', ...fromMedia(source)];
  if (chapters.length > 0) from.push(...fromChapters(chapterFile));
  const maps = [picture, track].flatMap((stream) => (stream ? ['-map', `0:${stream.index}`] : []));
  const as = ['-map_chapters', chapters.length > 0 ? '1' : '-1', '-c', 'copy'];
  if (track) as.push('-disposition:a:0', 'default');
  if (into.encodes) as.push('-c:a', 'aac', '-b:a', String(encodedBitrate), '-ac', '2');
  const to = [...containerOptions(into, tags, picture?.codec), `file:${target}`];
  // A large file takes long without output.
  const runOptions = { silenceMs: 3_600_000, limits: { memoryBytes: 4 * 1024 ** 3, fileBytes: maxBytes } };
  try {
    if (chapters.length > 0) await writeFile(chapterFile, chapterText(chapters));
    await run(ffmpeg.ffmpeg, [...from, ...maps, ...as, ...to], { cwd: dirname(target), signal, ...runOptions });
  } finally {
    await removeFile(chapterFile);
  }
  const created = await probe(ffmpeg, target, signal);
  const kinds = created.streams.map(({ type, codec }) => `${type} ${codec}`).sort();
  const expected = [
    ...(track ? [`audio ${into.encodes ? 'aac' : track.codec}`] : []),
    ...(picture ? [`video ${picture.codec}`] : []),
  ];
  const minDuration = Math.max(0.01, (track?.durationSeconds ?? 0) - 2);
  if (kinds.join() !== expected.join() || created.durationSeconds < minDuration)
    throw new IncompleteFileError(message('rendition.differs'));
}
