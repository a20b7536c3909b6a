import { message, type Message } from '#contract/messages.ts';
import { MessageError } from '../../../platform/messages/message-error.ts';
import type { Ffmpeg } from '../../../platform/media/ffmpeg.ts';
import { verifyComplete, IncompleteFileError, type Probe } from '../../../platform/media/probe.ts';

const slackSeconds = 2;

interface Expected {
  /** Null if unknown. */
  seconds: number | null;
  /** Length that may have been cut out. */
  cutSeconds: number;
}

/** Whether the duration of a file matches that of the video. */
export const hasExpectedDuration = (found: number, { seconds, cutSeconds }: Expected): boolean =>
  seconds === null || (found <= seconds + slackSeconds && found >= seconds - cutSeconds - slackSeconds);

/** Runs a check of a file and converts errors of unreadable files to messages for the user. */
export async function readable<T>(look: Promise<T>): Promise<T> {
  try {
    return await look;
  } catch (problem) {
    if (!(problem instanceof IncompleteFileError)) throw problem;
    throw new MessageError(message('import.incomplete'), { cause: problem });
  }
}

/** Checks that a file is complete and readable, with at least video or audio. */
export const checkFile = (ffmpeg: Ffmpeg, path: string, signal: AbortSignal): Promise<Probe> =>
  readable(verifyComplete(ffmpeg, path, { announcedSeconds: null, wantsAudio: false, wantsVideo: false }, signal));

/** Returns why the duration of a file prevents its import; null if it matches. */
export const durationMismatch = (found: number, expected: Expected): Message | null =>
  hasExpectedDuration(found, expected)
    ? null
    : message('import.wrong-length', { found: Math.round(found), expected: Math.round(expected.seconds ?? 0) });
