import type { Video } from '#contract/video.ts';
import type { Db } from '../db/db.ts';
import { shapePlayer, shapeVideo } from './shape.ts';
import { findVideos } from './store.ts';
import { watchesOf } from './watch-store.ts';

const from = ['video', 'channel', 'stream', 'subtitle', 'playlistEntry', 'storyboard'] as const;

/**
 * Videos as the API shows them to one person, in the order of the ids; those that do not exist are left out. What everybody sees of
 * them is the same and seldom changes.
 */
export async function showVideos(db: Db, accountId: number, ids: string[]): Promise<Video[]> {
  if (ids.length === 0) return [];
  const [videos, watches] = await Promise.all([
    db.recall.each('video', ids, { from }, async (missing) => {
      const rows = await findVideos(db, missing);
      return new Map(rows.map((row) => [row.id, shapeVideo(row)]));
    }),
    watchesOf(db, accountId, ids),
  ]);
  return videos.map((video) => {
    const watch = watches.get(video.youtube_id);
    return watch ? { ...video, player: shapePlayer({ ...watch, durationSeconds: video.player.duration }) } : video;
  });
}

/** One video, as the given person sees it; undefined when there is none. */
export const showVideo = async (db: Db, accountId: number, id: string): Promise<Video | undefined> =>
  (await showVideos(db, accountId, [id]))[0];
