import type { Player } from '#contract/video.ts';
import type { AppContext } from '../../../platform/context/app-context.ts';
import { notFound } from '../../../platform/http/http-error.ts';
import { notePlayback } from '../../../platform/http/playback.ts';
import { serializePlayer } from '../../../archive/video/shape.ts';
import { findDuration } from '../../../archive/video/store.ts';
import { findWatch, savePosition, saveWatched } from '../../../archive/video/watch-store.ts';

/**
 * Returns the position in seconds from which a video counts as watched; null if it is never marked automatically. The thresholds
 * come from the API specification.
 */
export function watchedThreshold(durationSeconds: number): number | null {
  if (durationSeconds <= 0) return null;
  if (durationSeconds < 60) return durationSeconds * 0.5;
  return durationSeconds > 900 ? durationSeconds - 180 : durationSeconds * 0.9;
}

// Positions in the first seconds are not stored (API specification), because the user has only had a look.
const leastSeconds = 5;

/** Saves the playback position of a user; near the end, the video is marked as watched. Returns the new state. */
export async function saveProgress(
  app: AppContext,
  accountId: number,
  videoId: string,
  positionSeconds: number,
): Promise<Player> {
  const { db, now, events } = app;
  const [video, before] = await Promise.all([findDuration(db, videoId), findWatch(db, accountId, videoId)]);
  if (!video) throw notFound('error.video');
  notePlayback(app);
  const { durationSeconds } = video;
  const threshold = watchedThreshold(durationSeconds);
  const isOver = threshold !== null && positionSeconds >= threshold;

  const announcePlayer = (player: Player) => {
    events.playerChanged(accountId, { youtube_id: videoId, player });
    return { ...player, position: positionSeconds };
  };
  if (isOver && !before?.watchedAt) {
    await saveWatched(db, accountId, [videoId], now(), now());
    events.announceTo(accountId, 'video');
    return announcePlayer(serializePlayer({ watchedAt: now(), positionSeconds: null, durationSeconds }));
  }
  if (positionSeconds > leastSeconds) await savePosition(db, accountId, videoId, positionSeconds, now());
  return announcePlayer(serializePlayer({ watchedAt: before?.watchedAt ?? null, positionSeconds, durationSeconds }));
}
