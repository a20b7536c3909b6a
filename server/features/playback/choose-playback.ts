import { message, type Message } from '#contract/messages.ts';
import type { Capabilities, MediaContainer, TriedMethod } from '#contract/playback.ts';
import type { PictureFormat } from '../../platform/media/probe.ts';

// Which form of a video a browser plays: a pure function of the file and of what the browser says that it can.

/** What decides whether a browser plays a file. */
export interface MediaFormat {
  /** File extension, with the dot, in lower case. */
  ending: string;
  /** Null for audio files. `format`: null if unknown. */
  video: { codec: string; width: number | null; height: number | null; format: PictureFormat | null } | null;
  /** In the order of the file. */
  audio: { index: number; codec: string }[];
}

/** A copy to play instead of the file. `track`: a stream index; null without sound. */
export interface CopyForm {
  ending: '.mp4' | '.webm' | '.m4a';
  track: number | null;
}

export type Choice =
  | { method: 'direct'; reasons: Message[] }
  | { method: 'repack' | 'convert_sound'; copy: CopyForm; reasons: Message[] }
  | { method: 'small'; reasons: Message[] }
  | { method: 'hls'; height: number; track: number | null; reasons: Message[] }
  | { method: 'none'; reasons: Message[] };

const containerByEnding: Record<string, MediaContainer> = {
  '.mp4': 'mp4',
  '.m4v': 'mp4',
  '.m4a': 'mp4',
  '.mov': 'mp4',
  '.webm': 'webm',
  '.mkv': 'x-matroska',
  '.mka': 'x-matroska',
  '.ogg': 'ogg',
  '.opus': 'ogg',
  '.mp3': 'mpeg',
  '.flac': 'flac',
};

// Containers of copies, the most common first, with the codecs that ffmpeg writes into them and browsers expect there.
const copyForms = [
  {
    ending: '.mp4',
    container: 'mp4',
    video: ['h264', 'hevc', 'av1', 'vp9'],
    audio: ['aac', 'mp3', 'ac3', 'eac3', 'opus', 'flac', 'alac'],
  },
  { ending: '.webm', container: 'webm', video: ['vp8', 'vp9', 'av1'], audio: ['opus', 'vorbis'] },
] as const;

const unusualNames: Record<string, string> = {
  h264: 'H.264',
  hevc: 'H.265',
  ac3: 'AC-3',
  eac3: 'E-AC-3',
  opus: 'Opus',
  vorbis: 'Vorbis',
};
const nameOf = (codec: string) => unusualNames[codec] ?? codec.toUpperCase();

type Video = NonNullable<MediaFormat['video']>;

/** Name of a picture's codec with what is unusual of it: `H.264 (High 10, 10 bit)`. */
function nameOfVideo({ codec, format }: Video): string {
  const isUsual = !format || (format.bitDepth === 8 && /^(|main|high|(constrained )?baseline|profile 0)$/i.test(format.profile));
  if (isUsual) return nameOf(codec);
  return `${nameOf(codec)} (${[format.profile, `${format.bitDepth} bit`].filter(Boolean).join(', ')})`;
}

/** Returns the test for the codec strings (RFC 6381) of browsers that can decode a picture; null if there are none. */
function videoTest({ codec, format }: Video): RegExp | null {
  const { profile, bitDepth } = format ?? { profile: '', bitDepth: 8 };
  switch (codec) {
    case 'h264':
      if (/4:4:4/.test(profile)) return /^avc1\.f4/i;
      if (/4:2:2/.test(profile)) return /^avc1\.7a/i;
      return bitDepth > 8 ? /^avc1\.6e/i : /^avc1\.64/i;
    case 'hevc':
      if (profile === 'Main 10') return /^hvc1\.2\./i;
      if (profile === 'Main') return /^hvc1\.1\./i;
      return profile === '' ? (bitDepth > 8 ? /^hvc1\.2\./i : /^hvc1\.1\./i) : /^hvc1\.4\./i;
    case 'av1':
      if (/^(high|professional)$/i.test(profile)) return /^av01\.[12]\./i;
      return bitDepth > 8 ? /^av01\.0\.\w+\.10/i : /^av01\.0\.\w+\.08/i;
    case 'vp9':
      return new RegExp(`^vp09\\.0${/^Profile ([0-3])$/.exec(profile)?.[1] ?? (bitDepth > 8 ? 2 : 0)}`, 'i');
    case 'vp8':
      return /^vp8$/i;
    default:
      return null;
  }
}

const audioTests: Record<string, RegExp> = {
  aac: /^mp4a\.40/i,
  mp3: /^(mp3|mp4a\.6b|mp4a\.69)$/i,
  opus: /^opus$/i,
  vorbis: /^vorbis$/i,
  flac: /^flac$/i,
  ac3: /^ac-3$/i,
  eac3: /^ec-3$/i,
  alac: /^alac$/i,
};

/** Returns why a browser does not play streams in a container; null if it does. */
function whyNot(
  can: Capabilities,
  {
    container,
    ending,
    video,
    audio,
  }: { container: MediaContainer | undefined; ending: string; video: Video | null; audio: string | null },
): Message | null {
  const name = ending.slice(1).toUpperCase();
  if (video) {
    const test = videoTest(video);
    const codec = nameOfVideo(video);
    const known = can.video.filter((one) => test?.test(one.codec));
    if (known.length === 0) return message('playback.video', { codec });
    const here = known.filter(({ containers }) => container && containers.includes(container));
    if (here.length === 0) return message('playback.codec-in-container', { codec, name });
    // Of a portrait the width is what others call the height.
    const height = Math.min(video.width || Infinity, video.height || Infinity);
    const most = Math.max(...here.map(({ max_height }) => max_height ?? Infinity));
    if (Number.isFinite(height) && height > most) return message('playback.size', { codec, most, height });
  }
  if (audio !== null) {
    const codec = nameOf(audio);
    const known = can.audio.filter((one) => audioTests[audio]?.test(one.codec));
    if (known.length === 0) return message('playback.audio', { codec });
    if (!known.some(({ containers }) => container && containers.includes(container)))
      return message('playback.codec-in-container', { codec, name });
  }
  return null;
}

const failures: Record<TriedMethod, Message> = {
  direct: message('playback.file-failed'),
  repack: message('playback.repack-failed'),
  convert_sound: message('playback.convert-failed'),
  small: message('playback.small-failed'),
  hls: message('playback.hls-failed'),
};

/** A copy as H.264 and AAC in MP4. */
export interface SmallCopy {
  width: number;
  height: number;
}

/** Whether a browser plays a small copy. */
function playsSmall(can: Capabilities, { width, height }: SmallCopy, audio: string | null): boolean {
  const format = { profile: 'High', bitDepth: 8, dynamicRange: 'sdr' } as const;
  return !whyNot(can, { container: 'mp4', ending: '.mp4', video: { codec: 'h264', width, height, format }, audio });
}

/** Returns the copies of a file that can be made without encoding its picture, best first. */
function copiesOf({ video }: MediaFormat, sound: { index: number; codec: string } | undefined) {
  const track = sound?.index ?? null;
  if (!video) {
    // M4A is the only form for audio files, as for podcasts.
    const method = sound?.codec === 'aac' || sound?.codec === 'alac' ? ('repack' as const) : ('convert_sound' as const);
    return [
      { method, ending: '.m4a' as const, container: 'mp4' as const, track, audio: method === 'repack' ? sound!.codec : 'aac' },
    ];
  }
  const fitting = copyForms.filter((form) => (form.video as readonly string[]).includes(video.codec));
  const copied = fitting
    .filter((form) => !sound || (form.audio as readonly string[]).includes(sound.codec))
    .map(({ ending, container }) => ({ method: 'repack' as const, ending, container, track, audio: sound?.codec ?? null }));
  const converted = fitting
    .filter(({ ending }) => sound && ending === '.mp4')
    .map(({ ending, container }) => ({ method: 'convert_sound' as const, ending, container, track, audio: 'aac' }));
  return [...copied, ...converted];
}

/**
 * Chooses how a browser plays a file: the first of the file itself, its streams in another container, and the same with the sound
 * as AAC, the small copy, then its picture encoded while it is watched, that the browser says it can play and that has not failed there.
 * @param options.track stream index of the sound; the first one if absent
 * @param options.failed methods that failed in this browser
 * @param options.impossible copies that the server cannot make
 * @param options.small the small copy; it has the first sound only
 * @param options.heights what the server can encode, highest first
 * @param options.height wanted height; the nearest lower one if it is not there
 */
export function choosePlayback(
  file: MediaFormat,
  can: Capabilities,
  {
    track,
    failed = [],
    impossible = [],
    small,
    heights = [],
    height,
  }: {
    track?: number | undefined;
    failed?: readonly TriedMethod[];
    impossible?: readonly TriedMethod[];
    small?: SmallCopy | undefined;
    heights?: readonly number[];
    height?: number | undefined;
  } = {},
): Choice {
  const { video, audio, ending } = file;
  const sound = track === undefined ? audio[0] : audio.find(({ index }) => index === track);
  const container = containerByEnding[ending];
  const hasFailed = failed.map((method) => failures[method]);
  const range = video?.format?.dynamicRange ?? 'sdr';
  const notes = range !== 'sdr' && !can.hdr ? [message('playback.hdr')] : [];
  const canEncode = can.hls && video && heights.length > 0 && !failed.includes('hls') && !impossible.includes('hls');
  const encoded = (most: number, reasons: Message[]): Choice => {
    const chosen = heights.find((one) => one <= most) ?? heights.at(-1)!;
    return {
      method: 'hls',
      height: chosen,
      track: sound?.index ?? null,
      reasons: [...reasons, message('playback.hls', { height: chosen })],
    };
  };
  const canPlaySmall = small && sound === audio[0] && !failed.includes('small') && playsSmall(can, small, sound ? 'aac' : null);
  const smallHeight = small ? Math.min(small.width, small.height) : 0;
  if (height !== undefined) {
    const wanted = [message('playback.height', { height })];
    // It costs no encoding.
    if (canPlaySmall && smallHeight <= height && !heights.some((one) => one <= height && one > smallHeight))
      return { method: 'small', reasons: [...wanted, message('playback.small', { height: smallHeight })] };
    if (canEncode) return encoded(height, wanted);
  }
  // Nothing is known of a file that was never read.
  const isUnknown = !video && audio.length === 0;
  const why =
    sound !== audio[0]
      ? message('playback.other-track')
      : isUnknown
        ? null
        : whyNot(can, { container, ending, video, audio: sound?.codec ?? null });
  if (!why && !failed.includes('direct')) return { method: 'direct', reasons: notes };
  const reasons = [...(why ? [why] : []), ...hasFailed];
  for (const { method, audio: codec, ...form } of isUnknown ? [] : copiesOf(file, sound)) {
    if (failed.includes(method) || impossible.includes(method)) continue;
    // The same streams in the same container would fail in the same way.
    if (method === 'repack' && form.container === container && sound === audio[0]) continue;
    if (whyNot(can, { ...form, video, audio: codec })) continue;
    const outcome =
      method === 'repack'
        ? message('playback.repacked', { name: form.ending.slice(1).toUpperCase() })
        : message(video ? 'playback.sound-converted' : 'playback.only-sound-converted');
    return { method, copy: { ending: form.ending, track: form.track }, reasons: [...reasons, outcome, ...notes] };
  }
  if (canPlaySmall) return { method: 'small', reasons: [...reasons, message('playback.small', { height: smallHeight })] };
  if (canEncode) return encoded(Infinity, reasons);
  return { method: 'none', reasons: [...reasons, message('playback.nothing-left')] };
}
