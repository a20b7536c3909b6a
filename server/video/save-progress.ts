import type { Player } from '#contract/video.ts';
import type { Archive } from '../archive.ts';
import { notFound } from '../http/problem.ts';
import { shapePlayer } from './shape.ts';
import { findDuration } from './store.ts';
import { findWatch, savePosition, saveWatched } from './watch-store.ts';

/** From which second on a video counts as watched: the thresholds of the contract, §4. Null: never by itself. */
export function watchedFrom(durationSeconds: number): number | null {
  if (durationSeconds <= 0) return null;
  if (durationSeconds < 60) return durationSeconds * 0.5;
  return durationSeconds > 900 ? durationSeconds - 180 : durationSeconds * 0.9;
}

// The first seconds are somebody looking what it is, not a place to come back to (contract §4).
const leastSeconds = 5;

/** Saves where a person stopped; near the end the video is watched by itself. Answers their state. */
export async function saveProgress(
  { db, now, events }: Archive,
  accountId: number,
  videoId: string,
  positionSeconds: number,
): Promise<Player> {
  // A player saves every few seconds.
  const [video, before] = await Promise.all([
    db.recall.one(`length ${videoId}`, { from: ['video'] }, () => findDuration(db, videoId)),
    findWatch(db, accountId, videoId),
  ]);
  if (!video) throw notFound('video');
  const { durationSeconds } = video;
  const threshold = watchedFrom(durationSeconds);
  const isOver = threshold !== null && positionSeconds >= threshold;

  const told = (player: Player) => {
    events.playerChanged(accountId, { youtube_id: videoId, player });
    return { ...player, position: positionSeconds };
  };
  if (isOver && !before?.watchedAt) {
    await saveWatched(db, accountId, [videoId], now(), now());
    events.announceTo(accountId, 'video');
    return told(shapePlayer({ watchedAt: now(), positionSeconds: null, durationSeconds }));
  }
  if (positionSeconds > leastSeconds) await savePosition(db, accountId, videoId, positionSeconds, now());
  return told(shapePlayer({ watchedAt: before?.watchedAt ?? null, positionSeconds, durationSeconds }));
}
