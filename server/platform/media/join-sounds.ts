import { message } from '#contract/messages.ts';
import { dirname, extname } from 'node:path';
import { iso6392 } from 'iso-639-2';
import { run } from '../process/run.ts';
import { readAudioTracks } from './audio-tracks.ts';
import { fromMedia, type Ffmpeg } from './ffmpeg.ts';
import { IncompleteFileError, probe } from './probe.ts';
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

/** Returns the extension of a file that holds a video and more sounds: MKV if one of them does not fit into its container. */
export function endingWithSounds(media: string, sounds: AddedSound[]): string {
  const ending = extname(media);
  return isMp4(ending) && sounds.every(({ codec }) => mp4Codecs.has(codec)) ? ending : '.mkv';
}

/**
 * Joins sounds to a video without encoding. The sound of the video comes first and is the default; `language` is its language, null
 * if unknown.
 * @throws Incomplete if the result is not as expected
 */
export async function joinSounds(
  ffmpeg: Ffmpeg,
  { media, language, sounds, target }: { media: string; language: string | null; sounds: AddedSound[]; target: string },
  signal: AbortSignal,
): Promise<void> {
  const before = await probe(ffmpeg, media, signal);
  const own = before.streams.filter(({ type }) => type === 'audio').length;
  const inputs = [media, ...sounds.map(({ path }) => path)].flatMap((path) => fromMedia(path));
  const maps = ['-map', '0', ...sounds.flatMap((_, place) => ['-map', `${place + 1}:a:0`])];
  const about = [
    ...(language && own === 1 ? ['-metadata:s:a:0', `language=${longCode(language)}`, '-disposition:a:0', 'default'] : []),
    ...sounds.flatMap((sound, place) => [
      `-metadata:s:a:${own + place}`,
      `language=${longCode(sound.language)}`,
      `-disposition:a:${own + place}`,
      'dub',
    ]),
  ];
  const as = ['-c', 'copy', '-map_metadata', '0', '-map_chapters', '0', ...about];
  if (isMp4(extname(target))) as.push('-movflags', '+faststart');
  const runOptions = { silenceMs: 3_600_000, limits: { memoryBytes: 4 * 1024 ** 3 } };
  const beginning = ['-nostdin', '-hide_banner', '-v', 'error', '-threads', '1', '-y'];
  await run(ffmpeg.ffmpeg, [...beginning, ...inputs, ...maps, ...as, `file:${target}`], {
    cwd: dirname(target),
    signal,
    ...runOptions,
  });
  const { tracks, picture } = await readAudioTracks(ffmpeg, target, signal);
  const { durationSeconds } = await probe(ffmpeg, target, signal);
  const isWhole = Math.abs(durationSeconds - before.durationSeconds) <= maxDifference && (picture !== null) === before.hasVideo;
  if (tracks.length !== own + sounds.length || !isWhole) throw new IncompleteFileError(message('failure.sounds-differ'));
}
