import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { Confirmation } from '#contract/user.ts';
import type { Archive } from '../archive.ts';
import { Problem, refused, tooMany } from '../http/problem.ts';
import type { User } from '../http/route.ts';
import type { Sum } from '../video/sum-of.ts';
import { hasPassword, isTheirPassword, saidIn, type Caller } from './prove.ts';

// What is deleted beyond this at once may be a slip, a wrong filter or somebody else at the keyboard: decision 0019.
const mostVideos = 100;
const mostBytes = 100e9;
const hour = 3600;

/** What somebody confirms with: their password, or where they have none here how many videos they are. */
const wayOf = async (archive: Archive, user: User): Promise<Confirmation['by']> =>
  (await hasPassword(archive, user)) ? 'password' : 'number';

/** With what, and from which size on, this person has to confirm what they delete. */
export const confirmationOf = async (archive: Archive, user: User): Promise<Confirmation> => ({
  by: await wayOf(archive, user),
  videos: mostVideos,
  media_size: mostBytes,
});

const videosOfToken = new RateLimiterMemory({ keyPrefix: 'videos', points: mostVideos, duration: hour });
const bytesOfToken = new RateLimiterMemory({ keyPrefix: 'bytes', points: mostBytes, duration: hour });

/** A script that goes wrong deletes one by one: in an hour no more than what needs no confirmation at once. */
async function countForToken(tokenHash: string, { videos, sizeBytes }: Sum) {
  const [byCount, bySize] = await Promise.all([
    videosOfToken.penalty(tokenHash, videos),
    bytesOfToken.penalty(tokenHash, sizeBytes),
  ]);
  if (byCount.consumedPoints <= mostVideos && bySize.consumedPoints <= mostBytes) return;
  await Promise.all([videosOfToken.reward(tokenHash, videos), bytesOfToken.reward(tokenHash, sizeBytes)]);
  const wait = Math.max(byCount.msBeforeNext, bySize.msBeforeNext) / 1000;
  const minutes = Math.ceil(wait / 60);
  throw tooMany(`This token deletes very much: no more than 100 videos or 100 GB in an hour. Wait ${minutes} minutes.`, wait);
}

/**
 * Lets a deletion go on that is small, or that the person has confirmed in the header `X-Reelkeep-Confirm`. Throws a refusal that
 * says what to send; to be called before anything is changed.
 */
export async function confirmDeletion(archive: Archive, caller: Caller, going: Sum): Promise<void> {
  const { videos, sizeBytes } = going;
  if (videos === 0) return;
  const { user, request } = caller;
  const said = saidIn(request);
  const isMuch = videos > mostVideos || sizeBytes > mostBytes;
  if (said === undefined && !isMuch) {
    if (user.tokenHash !== null) await countForToken(user.tokenHash, going);
    return;
  }
  const by = await wayOf(archive, user);
  if (by === 'password' && said !== undefined) {
    if (!(await isTheirPassword(archive, caller, said))) throw refused('That is not your present password.');
  } else if (said !== String(videos)) {
    const wanted = by === 'password' ? 'your password, percent-encoded,' : 'that number';
    throw new Problem(
      400,
      `This deletes ${videos} videos (${Math.round(sizeBytes / 1e9)} GB) at once. Confirm it: send ${wanted} in the header X-Reelkeep-Confirm.`,
      { more: { confirm: { by, videos, media_size: sizeBytes } } },
    );
  }
  archive.log.info({ by: user.name, videos, sizeBytes }, 'a large deletion was confirmed');
}
