import { extname } from 'node:path';
import type { AudioTrack } from './audio-tracks.ts';

/** Container of a rendition. */
export interface AudioPacking {
  /** File extension, with the dot. */
  ending: string;
  format: string;
  /** The audio is re-encoded, because no container that browsers play supports its codec. */
  encodes: boolean;
}

const packing = (extension: string, format: string, encodes = false): AudioPacking => ({ ending: extension, format, encodes });
const m4a = packing('.m4a', 'ipod');
const webm = packing('.webm', 'webm');

// Containers for audio codecs that browsers play.
const soundPackings: Record<string, AudioPacking> = {
  aac: m4a,
  alac: m4a,
  opus: webm,
  vorbis: webm,
  mp3: packing('.mp3', 'mp3'),
  flac: packing('.flac', 'flac'),
};

// The same container type as the original, which supports the same codecs.
const picturePackings: Record<string, AudioPacking> = {
  '.mp4': packing('.mp4', 'mp4'),
  '.m4v': packing('.mp4', 'mp4'),
  '.mov': packing('.mov', 'mov'),
  '.webm': webm,
  '.mkv': packing('.mkv', 'matroska'),
};

/**
 * Returns the container for an audio track alone or with video; null if browsers do not play video of this file type. `onlyM4a`:
 * for podcast apps, which play no other audio everywhere.
 */
export function audioPackingFor(
  path: string,
  { codec }: Pick<AudioTrack, 'codec'>,
  { withPicture, onlyM4a = false }: { withPicture: boolean; onlyM4a?: boolean },
): AudioPacking | null {
  if (withPicture) return picturePackings[extname(path).toLowerCase()] ?? null;
  const copied = soundPackings[codec];
  return copied && (copied === m4a || !onlyM4a) ? copied : { ...m4a, encodes: true };
}

/** Returns the container with this extension for a copy of a video. `encodes`: its audio becomes AAC. */
export function picturePackingFor(ending: string, encodes: boolean): AudioPacking | null {
  const found = picturePackings[ending];
  return found ? { ...found, encodes } : null;
}

/** Returns the container for encoded video (H.264) and audio (AAC), or for encoded audio alone. */
export const encodedPacking = (withPicture: boolean): AudioPacking =>
  withPicture ? packing('.mp4', 'mp4', true) : { ...m4a, encodes: true };

/** Bits per second of encoded audio. */
export const encodedBitrate = 160_000;
