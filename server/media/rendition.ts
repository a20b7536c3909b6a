import { dirname, extname } from 'node:path';
import { run } from '../child/run.ts';
import type { AudioTrack, Sounds } from './audio-tracks.ts';
import { fromMedia, type Ffmpeg } from './ffmpeg.ts';
import { Incomplete, probe } from './probe.ts';

/** What a part of a file is packed into. */
export interface Packing {
  /** Of its file, with the dot. */
  ending: string;
  format: string;
  /** The sound is encoded anew: nothing that browsers play holds it as it is. */
  encodes: boolean;
}

const packing = (ending: string, format: string, encodes = false): Packing => ({ ending, format, encodes });
const m4a = packing('.m4a', 'ipod');
const webm = packing('.webm', 'webm');

// What holds which sound as it is, and is played by browsers.
const soundPackings: Record<string, Packing> = {
  aac: m4a,
  alac: m4a,
  opus: webm,
  vorbis: webm,
  mp3: packing('.mp3', 'mp3'),
  flac: packing('.flac', 'flac'),
};

// The same as the file was: what can stand in it stands in the other as well.
const picturePackings: Record<string, Packing> = {
  '.mp4': packing('.mp4', 'mp4'),
  '.m4v': packing('.mp4', 'mp4'),
  '.mov': packing('.mov', 'mov'),
  '.webm': webm,
  '.mkv': packing('.mkv', 'matroska'),
};

/** What a sound of a file is packed into, by itself or with the picture; null for files that browsers play no picture of. */
export function packingFor(path: string, { codec }: AudioTrack, { withPicture }: { withPicture: boolean }): Packing | null {
  if (withPicture) return picturePackings[extname(path).toLowerCase()] ?? null;
  return soundPackings[codec] ?? { ...m4a, encodes: true };
}

const encodedBitrate = 160_000;

/** The most that a sound by itself will take, in bytes; null where the file does not tell. */
export function bytesOfSound({ bitrate }: AudioTrack, { encodes }: Packing, durationSeconds: number): number | null {
  const bits = encodes ? encodedBitrate : bitrate;
  return bits > 0 ? Math.ceil((bits / 8) * durationSeconds * 1.2) + 1_000_000 : null;
}

interface Wanted {
  source: string;
  /** A new file. */
  target: string;
  track: AudioTrack;
  /** The picture that goes with it; null for the sound alone. */
  picture: Sounds['picture'];
  packing: Packing;
  mostBytes: number;
}

/**
 * Writes a new file with one sound of another file, and its picture when that is wanted. Packets stay what they are, unless no
 * container that browsers play holds the sound. Throws Incomplete when what came of it is not what was asked for.
 */
export async function makeRendition(ffmpeg: Ffmpeg, wanted: Wanted, signal: AbortSignal): Promise<void> {
  const { source, target, track, picture, packing: into, mostBytes } = wanted;
  const from = ['-nostdin', '-hide_banner', '-v', 'error', '-threads', '1', '-n', ...fromMedia(source)];
  const maps = [...(picture ? ['-map', `0:${picture.index}`] : []), '-map', `0:${track.index}`];
  const as = ['-map_chapters', '-1', '-c', 'copy', '-disposition:a:0', 'default'];
  if (into.encodes) as.push('-c:a', 'aac', '-b:a', String(encodedBitrate), '-ac', '2');
  if (picture?.codec === 'hevc' && into.ending !== '.mkv') as.push('-tag:v', 'hvc1'); // Safari wants the name
  const isMp4 = /^(ipod|mp4|mov)$/.test(into.format);
  const to = [...(isMp4 ? ['-movflags', '+faststart'] : []), '-f', into.format, `file:${target}`];
  // A large file is read for a while, in which nothing is said.
  const patience = { silenceMs: 3_600_000, limits: { memoryBytes: 4 * 1024 ** 3, fileBytes: mostBytes } };
  await run(ffmpeg.ffmpeg, [...from, ...maps, ...as, ...to], { cwd: dirname(target), signal, ...patience });
  const made = await probe(ffmpeg, target, signal);
  const kinds = made.streams.map(({ type, codec }) => `${type} ${codec}`).sort();
  const expected = [`audio ${into.encodes ? 'aac' : track.codec}`, ...(picture ? [`video ${picture.codec}`] : [])];
  const least = track.durationSeconds === null ? 0.01 : Math.max(0.01, track.durationSeconds - 2);
  if (kinds.join() !== expected.join() || made.durationSeconds < least)
    throw new Incomplete('What was made of the file is not what is in it: it may be damaged.');
}
