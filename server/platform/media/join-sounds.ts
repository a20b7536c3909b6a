import { message } from '#contract/messages.ts';
import { dirname, extname } from 'node:path';
import { iso6392 } from 'iso-639-2';
import { lines, run } from '../process/run.ts';
import { fromMedia, type Ffmpeg } from './ffmpeg.ts';
import { IncompleteFileError, probe, type ProbedStream } from './probe.ts';
import { mp4Codecs } from './remux.ts';

/** A sound to add to a video. */
export interface AddedSound {
  path: string;
  /** Such as `de` or `pt-BR`. */
  language: string;
  /** Name of its codec in ffprobe. */
  codec: string;
}

/** Seconds by which a sound may be shorter or longer than its video. */
const maxDifference = 0.5;
/** A large file takes long without output. */
const silenceMs = 3_600_000;

/** Containers store languages with three letters. */
function longCode(language: string): string {
  const code = language.toLowerCase().split('-')[0]!;
  const found = iso6392.find(({ iso6391, iso6392B }) => iso6391 === code || iso6392B === code);
  return found ? (found.iso6392T ?? found.iso6392B) : 'und';
}

/**
 * Verifies that a file is a sound as long as its video. Returns its codec.
 * @throws Incomplete with a message for users
 */
export async function verifySound(ffmpeg: Ffmpeg, path: string, videoSeconds: number, signal: AbortSignal): Promise<string> {
  const { durationSeconds, streams } = await probe(ffmpeg, path, signal);
  const sound = streams.find(({ type }) => type === 'audio');
  if (!sound) throw new IncompleteFileError(message('failure.no-audio-track'));
  if (Math.abs(durationSeconds - videoSeconds) > maxDifference)
    throw new IncompleteFileError(
      message('failure.sound-length', { sound: durationSeconds.toFixed(1), video: videoSeconds.toFixed(1) }),
    );
  return sound.codec;
}

const isMp4 = (ending: string) => /^\.m(p4|4v|4a)$/.test(ending);
const webmCodecs = new Set(['opus', 'vorbis']);

/** Returns the extension of a file that holds a video and more sounds: MKV if one of them does not fit into its container. */
export function endingWithSounds(media: string, sounds: AddedSound[]): string {
  const ending = extname(media).toLowerCase();
  const codecs = isMp4(ending) ? mp4Codecs : ending === '.webm' ? webmCodecs : null;
  return codecs && sounds.every(({ codec }) => codecs.has(codec)) ? ending : '.mkv';
}

/** Returns a hash of the packets of each video and audio stream, which do not depend on the container. */
async function packetHashes({ ffmpeg }: Ffmpeg, path: string, signal: AbortSignal): Promise<string[]> {
  const output = ['-map', '0:V?', '-map', '0:a?', '-c', 'copy', '-f', 'streamhash', '-hash', 'murmur3', '-'];
  const args = ['-nostdin', '-hide_banner', '-v', 'error', ...fromMedia(path), ...output];
  const hashes: string[] = [];
  // Each line: index, type, hash.
  for await (const line of lines(ffmpeg, args, { cwd: dirname(path), signal, silenceMs }))
    hashes.push(line.slice(line.indexOf(',') + 1));
  return hashes;
}

interface Join {
  media: string;
  /** Language of its sound; null if unknown. */
  language: string | null;
  sounds: AddedSound[];
  target: string;
  /** The first of the sounds is the original, and comes before those of the video. */
  isOriginalAdded?: boolean;
}

/**
 * Joins sounds to a video without encoding. The original comes first and is the default, and the other sounds follow those of the
 * video. Returns the streams of the result, in which every stream of the video is unchanged.
 * @throws Incomplete if the result is not as expected
 */
export async function joinSounds(
  ffmpeg: Ffmpeg,
  { media, language, sounds, target, isOriginalAdded = false }: Join,
  signal: AbortSignal,
): Promise<ProbedStream[]> {
  const before = await probe(ffmpeg, media, signal);
  const own = before.streams.filter(({ type }) => type === 'audio').length;
  const inputs = [media, ...sounds.map(({ path }) => path)].flatMap((path) => fromMedia(path));
  const mapOf = (place: number) => ['-map', `${place + 1}:a:0`];
  const [first, rest] = isOriginalAdded ? [mapOf(0), sounds.slice(1)] : [[], sounds];
  const maps = [
    '-map',
    '0:v?',
    ...first,
    '-map',
    '0:a?',
    ...rest.flatMap((sound) => mapOf(sounds.indexOf(sound))),
    '-map',
    '0:s?',
    '-map',
    '0:t?',
  ];
  const about = (place: number, of: string | null, disposition: string) => [
    ...(of === null ? [] : [`-metadata:s:a:${place}`, `language=${longCode(of)}`]),
    `-disposition:a:${place}`,
    disposition,
  ];
  const firstOwn = isOriginalAdded ? 1 : 0;
  const ownLanguage = own === 1 ? language : null;
  const tags = [
    ...(isOriginalAdded ? about(0, sounds[0]!.language, 'default') : []),
    ...(isOriginalAdded
      ? Array.from({ length: own }, (_, place) => about(1 + place, ownLanguage, 'dub')).flat()
      : ownLanguage
        ? about(0, ownLanguage, 'default')
        : []),
    ...rest.flatMap((sound, place) => about(firstOwn + own + place, sound.language, 'dub')),
  ];
  const as = ['-c', 'copy', '-map_metadata', '0', '-map_chapters', '0', ...tags];
  if (isMp4(extname(target))) as.push('-movflags', '+faststart');
  const beginning = ['-nostdin', '-hide_banner', '-v', 'error', '-threads', '1', '-y'];
  await run(ffmpeg.ffmpeg, [...beginning, ...inputs, ...maps, ...as, `file:${target}`], {
    cwd: dirname(target),
    signal,
    silenceMs,
    limits: { memoryBytes: 4 * 1024 ** 3 },
  });
  const { durationSeconds, streams } = await probe(ffmpeg, target, signal);
  const [had, has] = [await packetHashes(ffmpeg, media, signal), await packetHashes(ffmpeg, target, signal)];
  const isWhole = Math.abs(durationSeconds - before.durationSeconds) <= maxDifference && had.every((hash) => has.includes(hash));
  if (streams.length !== before.streams.length + sounds.length || !isWhole)
    throw new IncompleteFileError(message('failure.sounds-differ'));
  return streams;
}
