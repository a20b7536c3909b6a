import type { FailureKind } from '#contract/download.ts';
import { message, messages, type Message } from '#contract/messages.ts';

/** Why a video was archived in a lower quality than the site has: formats were skipped. Stored as JSON with the video. */
export interface Limitation {
  failure: FailureKind;
  /** Shorter side of the picture, in pixels. */
  height: number;
  /** Version of yt-dlp of the last download. */
  ytdlp: string;
  /** Time of the last download, epoch seconds. */
  at: number;
  /** Automatic downloads since. */
  tries: number;
}

// Without zod, which the threads that read the database do not load.
export function isLimitation(value: unknown): value is Limitation {
  const { failure, ytdlp, height, at, tries } = (value ?? {}) as Record<keyof Limitation, unknown>;
  return `failure.${String(failure)}` in messages && typeof ytdlp === 'string' && [height, at, tries].every(Number.isInteger);
}

/** Parses the stored JSON; null if it is none, as from an edited backup. */
export function parseLimitation(json: string | null): Limitation | null {
  if (json === null) return null;
  try {
    const value: unknown = JSON.parse(json);
    return isLimitation(value) ? value : null;
  } catch {
    return null;
  }
}

/** Most automatic downloads of a video that was limited. */
export const maxTries = 3;

const reasons: Partial<Record<FailureKind, Message>> = {
  challenge: message('failure.challenge'),
  token: message('failure.token'),
  sabr: message('limited.sabr'),
};

export function limitationMessages({ failure, height, tries }: Limitation): Message[] {
  return [
    message('limited.height', { height }),
    reasons[failure] ?? message('failure.unknown'),
    ...(tries > 0 ? [message('limited.tried', { tries })] : []),
    tries < maxTries ? message('limited.again') : message('limited.no-more'),
  ];
}
