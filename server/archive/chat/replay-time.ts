import type { VideoInfo } from '../../platform/ytdlp/info.ts';

const hour = 3600;
const day = 86_400;

/** So many seconds after a failure, or while the site has no replay yet, it is asked again. Then it is not asked any more. */
const retrySeconds = [hour, 6 * hour, day, 7 * day];

/** Returns when a replay is asked for again after so many attempts, epoch seconds; null: not any more. */
export const nextReplayAttempt = (attempts: number, now: number): number | null => {
  const delay = retrySeconds[attempts - 1];
  return delay === undefined ? null : now + delay;
};

/** Returns whether the site may still get the replay of a stream: some hours pass after the end. */
export const mayStillCome = (publishedAt: number | null, now: number): boolean =>
  publishedAt !== null && publishedAt > now - 2 * day;

/** Returns when the replay of the chat of a video can be fetched, epoch seconds; null if it had none. */
export function replayTime(
  { site, hasChat, live, publishedAt }: Pick<VideoInfo, 'site' | 'hasChat' | 'live' | 'publishedAt'>,
  now: number,
): number | null {
  if (site !== 'youtube') return null;
  if (hasChat && live !== 'live') return now;
  return live !== 'no' && mayStillCome(publishedAt, now) ? now + hour : null;
}
