import { hlsPackingFor } from '../../platform/media/audio-packing.ts';
import { renditionName } from '../rendition/rendition-name.ts';
import type { HlsStream } from './stream-of-video.ts';

// Addresses of HLS below `/hls/<video>/<stamp>/`, and the files of the cache. The stamp is that of the media file, so that a file that
// was replaced is never mixed with the new one.

/** A segment by its number, or the headers of all segments of a height. */
export type Part = number | 'init';

export const folderOf = ({ id, stamp }: Pick<HlsStream, 'id' | 'stamp'>) => `/hls/${encodeURIComponent(id)}/${stamp}/`;

/** Name of the main playlist: with all heights, or with one of them and a default sound (a stream index; null: without sound). */
export const mainName = (only?: { height: number; track: number | null }) =>
  only ? `main-${only.height}${only.track === null ? '' : `-${only.track}`}.m3u8` : 'main.m3u8';
export const videoName = (height: number) => `video-${height}.m3u8`;
export const partName = (height: number, part: Part) => `video-${height}-${part}.${part === 'init' ? 'mp4' : 'm4s'}`;
export const soundName = (track: number, ending: 'm3u8' | 'mp4') => `sound-${track}.${ending}`;

type Requested =
  | { kind: 'main'; height: number | null; track: number | null }
  | { kind: 'video'; height: number }
  | { kind: 'part'; height: number; part: Part }
  | { kind: 'sound' | 'sound-file'; track: number };

const main = /^main(?:-(\d{1,4})(?:-(\d{1,5}))?)?\.m3u8$/;
const video = /^video-(\d{1,4})\.m3u8$/;
const part = /^video-(\d{1,4})-(?:(init)\.mp4|(0|[1-9]\d{0,5})\.m4s)$/;
const sound = /^sound-(\d{1,5})\.(m3u8|mp4)$/;

const numberOr = <T>(text: string | undefined, other: T) => (text === undefined ? other : Number(text));

/** Returns what a file name of an address means; null for other names. */
export function parseName(name: string): Requested | null {
  let found = main.exec(name);
  if (found) return { kind: 'main', height: numberOr(found[1], null), track: numberOr(found[2], null) };
  if ((found = video.exec(name))) return { kind: 'video', height: Number(found[1]) };
  if ((found = part.exec(name))) return { kind: 'part', height: Number(found[1]), part: numberOr(found[3], 'init') };
  if ((found = sound.exec(name))) return { kind: found[2] === 'mp4' ? 'sound-file' : 'sound', track: Number(found[1]) };
  return null;
}

/** Returns the name of a segment in the cache of renditions. */
export const cachedPartName = (stamp: string, height: number, which: Part) => `${stamp}-h${height}-${which}.m4s`;

/** Returns the name of a sound track in the cache of renditions. */
export const cachedSoundName = ({ stamp, tracks }: HlsStream, index: number) =>
  renditionName({
    stamp,
    track: index,
    withPicture: false,
    packing: hlsPackingFor(tracks.find((track) => track.index === index)!),
  });
