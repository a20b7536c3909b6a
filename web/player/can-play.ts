import type { Video } from '#contract/video.ts';

// What browsers call the codecs that stand in the archive's rows.
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
const containers: Record<string, string> = { mp4: 'mp4', m4v: 'mp4', mov: 'mp4', webm: 'webm', mkv: 'x-matroska' };
const endingOf = ({ media_url }: Video) => /\.(\w+)$/.exec(media_url)?.[1]?.toLowerCase() ?? '';

/** What browsers call the kind of its file, after `video/`; undefined when it is none that they know. */
export const containerOf = (video: Video): string | undefined => containers[endingOf(video)];

type Asker = (type: string) => boolean;

/** What of a file the browser cannot play: a codec, or what holds them; null when nothing speaks against it. */
export function whatCannotPlay(video: Video, canPlay: Asker): { what: 'codec' | 'container'; name: string } | null {
  const ending = endingOf(video);
  const streams = video.streams.filter(({ codec }) => codecNames[codec]);
  const holds = (codec: string) => (/^(vp8|vorbis)$/.test(codec) ? 'webm' : 'mp4');
  const strange = streams.find(({ codec, type }) => !canPlay(`${type}/${holds(codec)}; codecs="${codecNames[codec]}"`));
  if (strange) return { what: 'codec', name: strange.codec };
  const unknown = video.streams.find(({ codec }) => !codecNames[codec]);
  if (unknown) return { what: 'codec', name: unknown.codec };
  const container = containerOf(video);
  if (!container || !canPlay(`video/${container}`)) return { what: 'container', name: ending || '?' };
  return null;
}

// What can stand in an MP4 without being encoded anew.
const fitting = new Set(['h264', 'hevc', 'av1', 'aac', 'mp3', 'ac3', 'eac3', 'opus', 'alac']);

/** Whether packing the file anew, without encoding, would make it play here. */
export const helpsToRemux = (video: Video, canPlay: Asker) =>
  endingOf(video) !== 'mp4' &&
  video.streams.length > 0 &&
  video.streams.every(({ codec }) => fitting.has(codec)) &&
  whatCannotPlay({ ...video, media_url: 'x.mp4' }, canPlay) === null;
