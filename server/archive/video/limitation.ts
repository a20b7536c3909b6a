import { z } from 'zod';
import { FailureKind } from '#contract/download.ts';
import { message, type Message } from '#contract/messages.ts';

/** Why a video was archived in a lower quality than the site has: formats were skipped. Stored as JSON with the video. */
export const Limitation = z.object({
  failure: FailureKind,
  /** Shorter side of the picture, in pixels. */
  height: z.int(),
  /** Version of yt-dlp of the last download. */
  ytdlp: z.string(),
  /** Time of the last download, epoch seconds. */
  at: z.int(),
  /** Automatic downloads since. */
  tries: z.int(),
});
export type Limitation = z.infer<typeof Limitation>;

/** Parses the stored JSON; null if it is none, as from an edited backup. */
export function parseLimitation(json: string | null): Limitation | null {
  if (json === null) return null;
  try {
    return Limitation.parse(JSON.parse(json));
  } catch {
    return null;
  }
}

/** Most automatic downloads of a video that was limited. */
export const mostTries = 3;

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
    tries < mostTries ? message('limited.again') : message('limited.no-more'),
  ];
}
