import type { Video } from '#contract/video.ts';
import { getStored } from '#web/ui/use-local-storage.ts';

// MIME codec strings for the codec names of ffprobe.
const codecNames: Record<string, string> = {
  h264: 'avc1.640028',
  hevc: 'hvc1.1.6.L120.90',
  av1: 'av01.0.08M.08',
  vp9: 'vp09.00.40.08',
  vp8: 'vp8',
  aac: 'mp4a.40.2',
  opus: 'opus',
  vorbis: 'vorbis',
  mp3: 'mp4a.6B',
  flac: 'flac',
  ac3: 'ac-3',
  eac3: 'ec-3',
  alac: 'alac',
};
const containers: Record<string, string> = {
  mp4: 'mp4',
  m4v: 'mp4',
  mov: 'mp4',
  webm: 'webm',
  mkv: 'x-matroska',
  m4a: 'mp4',
  mp3: 'mpeg',
  opus: 'ogg',
  ogg: 'ogg',
  flac: 'flac',
};
export const endingOf = ({ media_url }: Video) => /\.(\w+)$/.exec(media_url)?.[1]?.toLowerCase() ?? '';

/** Subtype of the container's MIME type; undefined for unknown containers. */
export const containerOf = (video: Video): string | undefined => containers[endingOf(video)];

export type CanPlayType = (type: string) => boolean;

/** Returns the codec or container that the browser does not support, or null. */
export function findUnsupported(video: Video, canPlay: CanPlayType): { what: 'codec' | 'container'; name: string } | null {
  const ending = endingOf(video);
  const streams = video.streams.filter(({ codec }) => codecNames[codec]);
  const containerFor = (codec: string) => (/^(vp8|vorbis)$/.test(codec) ? 'webm' : 'mp4');
  const unsupported = streams.find(
    ({ codec, type }) => !canPlay(`${type}/${containerFor(codec)}; codecs="${codecNames[codec]}"`),
  );
  if (unsupported) return { what: 'codec', name: unsupported.codec };
  const unknown = video.streams.find(({ codec }) => !codecNames[codec]);
  if (unknown) return { what: 'codec', name: unknown.codec };
  const container = containerOf(video);
  const kind = video.streams[0] && video.streams.every(({ type }) => type === 'audio') ? 'audio' : 'video';
  if (!container || !canPlay(`${kind}/${container}`)) return { what: 'container', name: ending || '?' };
  return null;
}

/** Name of the failures in the storage of the browser. */
export const failuresKey = 'reelkeep.playback-failures';
/** Names a file in them. */
export const fileKey = ({ media_url, media_size }: Video) => `${media_url} ${media_size}`;

export const canPlay = (type: string) => document.createElement('video').canPlayType(type) !== '';

/** Whether the file plays as far as is known without asking: the browser knows its codecs, and it has not failed here before. */
export const isExpectedToPlay = (video: Video): boolean =>
  findUnsupported(video, canPlay) === null && !getStored(failuresKey)?.includes(JSON.stringify(fileKey(video)));
