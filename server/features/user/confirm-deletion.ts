import { message } from '#contract/messages.ts';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import type { Confirmation } from '#contract/user.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { HttpError, badRequest, tooMany } from '../../platform/http/http-error.ts';
import type { CreateLimiter } from '../../platform/http/limiter.ts';
import type { User } from '../../platform/http/route.ts';
import type { SelectionSize } from '../../archive/queries/total-size.ts';
import { hasPassword, isCurrentPassword, passwordFrom, type Caller } from './login/reauthentication.ts';

// Larger deletions can be a mistake or a wrong filter, so they need a confirmation: docs/decisions/confirm-large-deletions.md.
const maxVideos = 100;
const maxBytes = 100e9;
const hour = 3600;

/** Returns how a user confirms: by password or, without a local password, by the number of videos. */
const wayOf = async (app: AppContext, user: User): Promise<Confirmation['by']> =>
  (await hasPassword(app, user)) ? 'password' : 'number';

/** Returns how, and from which size, this user has to confirm deletions. */
export const confirmationFor = async (app: AppContext, user: User): Promise<Confirmation> => ({
  by: await wayOf(app, user),
  videos: maxVideos,
  media_size: maxBytes,
});

declare module '../../platform/context/app-state.ts' {
  interface AppState {
    /** Counts the deletions without confirmation per API token. */
    deletionLimits: { videos: RateLimiterAbstract; bytes: RateLimiterAbstract };
  }
}

export const createDeletionLimits = (createLimiter: CreateLimiter) => ({
  videos: createLimiter({ keyPrefix: 'deleted videos', points: maxVideos, duration: hour }),
  bytes: createLimiter({ keyPrefix: 'deleted bytes', points: maxBytes, duration: hour }),
});

/** Limits the deletions of an API token per hour to the size that needs no confirmation, for scripts that delete one by one. */
async function countForToken({ state }: AppContext, tokenHash: string, { videos, sizeBytes }: SelectionSize) {
  const limits = state.deletionLimits;
  const [byCount, bySize] = await Promise.all([
    limits.videos.penalty(tokenHash, videos),
    limits.bytes.penalty(tokenHash, sizeBytes),
  ]);
  if (byCount.consumedPoints <= maxVideos && bySize.consumedPoints <= maxBytes) return;
  await Promise.all([limits.videos.reward(tokenHash, videos), limits.bytes.reward(tokenHash, sizeBytes)]);
  const wait = Math.max(byCount.msBeforeNext, bySize.msBeforeNext) / 1000;
  const minutes = Math.ceil(wait / 60);
  throw tooMany(message('confirm.token', { minutes }), wait);
}

/**
 * Accepts a small deletion, or a large deletion that the user confirmed in the header `X-Reelkeep-Confirm`. Call it before any
 * change. @throws with the required confirmation
 */
export async function confirmDeletion(app: AppContext, caller: Caller, going: SelectionSize): Promise<void> {
  const { videos, sizeBytes } = going;
  if (videos === 0) return;
  const { user, request } = caller;
  const confirmation = passwordFrom(request);
  const isMuch = videos > maxVideos || sizeBytes > maxBytes;
  if (confirmation === undefined && !isMuch) {
    if (user.tokenHash !== null) await countForToken(app, user.tokenHash, going);
    return;
  }
  const by = await wayOf(app, user);
  if (by === 'password' && confirmation !== undefined) {
    if (!(await isCurrentPassword(app, caller, confirmation))) throw badRequest('error.current-password');
  } else if (confirmation !== String(videos)) {
    const size = Math.round(sizeBytes / 1e9);
    throw new HttpError(
      400,
      by === 'password' ? message('confirm.password', { videos, size }) : message('confirm.number', { videos, size }),
      { more: { confirm: { by, videos, media_size: sizeBytes } } },
    );
  }
  app.log.info({ by: user.name, videos, sizeBytes }, 'large deletion confirmed');
}
