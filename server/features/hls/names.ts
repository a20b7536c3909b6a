import type { HlsStream } from './stream-of-video.ts';

// Addresses of HLS below `/hls/<video>/<stamp>/`, and the files of the cache. The stamp is that of the media file, so that a file that
// was replaced is never mixed with the new one.

/** What is encoded on its own. */
export interface Layer {
  kind: 'video' | 'sound';
  /** Height of a video in pixels, stream index of a sound track. */
  which: number;
}

/** A segment by its number, or the headers of all segments of a layer. */
export type Part = number | 'init';

export const folderOf = ({ id, stamp }: Pick<HlsStream, 'id' | 'stamp'>) => `/hls/${encodeURIComponent(id)}/${stamp}/`;

/** Name of the main playlist: with all heights, or with one of them and a default sound (a stream index; null: without sound). */
export const mainName = (only?: { height: number; track: number | null }) =>
  only ? `main-${only.height}${only.track === null ? '' : `-${only.track}`}.m3u8` : 'main.m3u8';
export const mediaName = ({ kind, which }: Layer) => `${kind}-${which}.m3u8`;
export const partName = ({ kind, which }: Layer, part: Part) => `${kind}-${which}-${part}.${part === 'init' ? 'mp4' : 'm4s'}`;

type Requested =
  | { kind: 'main'; height: number | null; track: number | null }
  | { kind: 'media'; layer: Layer }
  | { kind: 'part'; layer: Layer; part: Part };

const main = /^main(?:-(\d{1,4})(?:-(\d{1,5}))?)?\.m3u8$/;
const media = /^(video|sound)-(\d{1,5})\.m3u8$/;
const part = /^(video|sound)-(\d{1,5})-(?:(init)\.mp4|(0|[1-9]\d{0,5})\.m4s)$/;

const layerOf = ([, kind, which]: RegExpExecArray): Layer => ({ kind: kind as Layer['kind'], which: Number(which) });
const numberOr = <T>(text: string | undefined, other: T) => (text === undefined ? other : Number(text));

/** Returns what a file name of an address means; null for other names. */
export function parseName(name: string): Requested | null {
  let found = main.exec(name);
  if (found) return { kind: 'main', height: numberOr(found[1], null), track: numberOr(found[2], null) };
  if ((found = media.exec(name))) return { kind: 'media', layer: layerOf(found) };
  if ((found = part.exec(name))) return { kind: 'part', layer: layerOf(found), part: numberOr(found[4], 'init') };
  return null;
}

/** Returns the name of a segment in the cache of renditions. */
export const cachedPartName = (stamp: string, { kind, which }: Layer, part: Part) =>
  `${stamp}-${kind === 'video' ? 'h' : 'a'}${which}-${part}.m4s`;
