import type { PlaylistNav } from '#contract/video.ts';
import type { Db } from '../db/db.ts';
import { thumbnailUrl } from '../video/thumbnail-path.ts';

/** The archived neighbours of a video in each playlist that holds it and at least one other archived video. */
export async function neighboursOf(db: Db, videoId: string): Promise<PlaylistNav[]> {
  const entries = await db
    .selectFrom('playlistEntry as here')
    .innerJoin('playlistEntry as entry', 'entry.playlistId', 'here.playlistId')
    .innerJoin('playlist', 'playlist.id', 'entry.playlistId')
    .innerJoin('video', 'video.id', 'entry.videoId')
    .select(['entry.playlistId', 'entry.position', 'entry.videoId', 'entry.uploader', 'video.title'])
    .select(['playlist.name as playlistName', 'playlist.channelName'])
    .where('here.videoId', '=', videoId)
    .distinct()
    .orderBy('entry.playlistId')
    .orderBy('entry.position')
    .execute();

  return [...Map.groupBy(entries, (entry) => entry.playlistId).values()]
    .filter((list) => list.length >= 2)
    .map((list) => {
      const place = list.findIndex((entry) => entry.videoId === videoId);
      const neighbour = (entry: (typeof list)[number] | undefined) =>
        entry === undefined
          ? null
          : {
              youtube_id: entry.videoId,
              title: entry.title,
              uploader: entry.uploader,
              idx: entry.position,
              downloaded: true,
              vid_thumb: thumbnailUrl(entry.videoId),
            };
      const here = list[place]!;
      return {
        playlist_meta: {
          current_idx: here.position,
          playlist_id: here.playlistId,
          playlist_name: here.playlistName,
          playlist_channel: here.channelName,
        },
        playlist_previous: neighbour(list[place - 1]),
        playlist_next: neighbour(list[place + 1]),
      };
    });
}
