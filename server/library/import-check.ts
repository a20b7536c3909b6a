import type { Ffmpeg } from '../media/ffmpeg.ts';
import { checkWhole, Incomplete, type Probe } from '../media/probe.ts';

const slackSeconds = 2;

interface Expected {
  /** Null where nobody tells. */
  seconds: number | null;
  /** So much of it may have been cut out. */
  cutSeconds: number;
}

/** Whether a file is as long as the video. */
export const isAsLong = (found: number, { seconds, cutSeconds }: Expected): boolean =>
  seconds === null || (found <= seconds + slackSeconds && found >= seconds - cutSeconds - slackSeconds);

/** Runs a question to a file; a file that cannot be read is told in words for who put it there. */
export async function readable<T>(look: Promise<T>): Promise<T> {
  try {
    return await look;
  } catch (problem) {
    if (!(problem instanceof Incomplete)) throw problem;
    throw new Error(
      'It cannot be read as a video to its end: it is damaged, still being written, or of a kind that is not known here.',
      { cause: problem },
    );
  }
}

/** Checks that a file is whole and readable to its end, with at least picture or sound. */
export const checkFile = (ffmpeg: Ffmpeg, path: string, signal: AbortSignal): Promise<Probe> =>
  readable(checkWhole(ffmpeg, path, { announcedSeconds: null, wantsAudio: false, wantsVideo: false }, signal));

const tell = (seconds: number) => `${Math.round(seconds)} s`;

/** Why the length of a file is a reason to leave it; null when it is right. */
export const whyNotAsLong = (found: number, expected: Expected): string | null =>
  isAsLong(found, expected)
    ? null
    : `The file lasts ${tell(found)}, but the video ${tell(expected.seconds ?? 0)}: it is another one, or not all of it. If it is right all the same, import it with ignore_error.`;
