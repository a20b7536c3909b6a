import type { ExpressionBuilder } from 'kysely';
import type { PlaylistNav } from '#contract/video.ts';
import type { Db } from '../../platform/db/db.ts';
import { isVisibleTo, type Viewer } from '../../platform/db/schema/playlist-access.ts';
import { workerQuery } from '../../platform/db/worker-query.ts';
import type { Tables } from '../../platform/db/schema/tables.ts';
import { thumbnailUrl } from '../storage/thumbnail-path.ts';

type CurrentEntry = { playlistId: string; videoId: string; position: number };

/** Subquery: position of the nearest archived entry before or after a video in its playlist. */
const nearest = (side: 'before' | 'after') => (w: ExpressionBuilder<Tables & { current: CurrentEntry }, 'current'>) =>
  w
    .selectFrom('playlistEntry as near')
    .innerJoin('video', 'video.id', 'near.videoId')
    .select('near.position')
    .whereRef('near.playlistId', '=', 'current.playlistId')
    .whereRef('near.position', side === 'before' ? '<' : '>', 'current.position')
    .whereRef('near.videoId', '!=', 'current.videoId')
    .orderBy('near.position', side === 'before' ? 'desc' : 'asc')
    .limit(1);

/** Index of each entry of custom playlists, by position. Positions of custom playlists have gaps where videos were deleted. */
async function indexesByPosition(db: Db, playlistIds: string[]): Promise<Map<string, Map<number, number>>> {
  if (playlistIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('playlistEntry')
    .select(['playlistId', 'position'])
    .where('playlistId', 'in', playlistIds)
    .orderBy('position')
    .execute();
  const byPlaylist = Map.groupBy(rows, ({ playlistId }) => playlistId);
  return new Map([...byPlaylist].map(([id, entries]) => [id, new Map(entries.map(({ position }, index) => [position, index]))]));
}

interface Wanted {
  videoId: string;
  viewer: Viewer;
}

/**
 * Returns the archived neighbours of a video in each playlist that contains it and at least one other archived video, and is visible
 * to the user.
 */
export const playlistNeighbours = workerQuery('neighbours', async (db, { videoId, viewer }: Wanted): Promise<PlaylistNav[]> => {
  // Reads only the entries up to the next archived one, however long the playlist is.
  const places = await db
    .with('current', (q) =>
      q
        .selectFrom('playlistEntry')
        .select(['playlistId', 'videoId'])
        .select((e) => [e.fn.min<number>('position').as('position'), e.fn.min<number>('addedOrder').as('addedOrder')])
        .where('videoId', '=', videoId)
        .groupBy(['playlistId', 'videoId']),
    )
    .selectFrom('current')
    .innerJoin('playlist', 'playlist.id', 'current.playlistId')
    .where(isVisibleTo(viewer) as never)
    .select(['current.playlistId', 'current.position', 'playlist.name', 'playlist.channelName', 'playlist.kind'])
    .select((e) => [nearest('before')(e as never).as('before'), nearest('after')(e as never).as('after')])
    .orderBy('current.addedOrder')
    .orderBy('current.playlistId')
    .execute();
  const lists = places.filter(({ before, after }) => before !== null || after !== null);
  if (lists.length === 0) return [];

  const entries = await db
    .selectFrom('playlistEntry')
    .innerJoin('video', 'video.id', 'playlistEntry.videoId')
    .select(['playlistEntry.playlistId', 'playlistEntry.position', 'playlistEntry.videoId', 'playlistEntry.uploader'])
    .select('video.title')
    .where((w) =>
      w.or(
        lists.flatMap(({ playlistId, before, after }) =>
          [before, after]
            .filter((index) => index !== null)
            .map((index) => w.and([w('playlistEntry.playlistId', '=', playlistId), w('playlistEntry.position', '=', index)])),
        ),
      ),
    )
    .execute();
  const indexes = await indexesByPosition(
    db,
    lists.filter(({ kind }) => kind === 'custom').map(({ playlistId }) => playlistId),
  );
  const idxOf = (playlistId: string, position: number) => indexes.get(playlistId)?.get(position) ?? position;
  const neighbour = (playlistId: string, index: number | null) => {
    const entry = entries.find((one) => one.playlistId === playlistId && one.position === index);
    if (!entry) return null;
    const { videoId: id, title, uploader, position } = entry;
    return { youtube_id: id, title, uploader, idx: idxOf(playlistId, position), downloaded: true, vid_thumb: thumbnailUrl(id) };
  };
  return lists.map(({ playlistId, position, name, channelName, before, after }) => ({
    playlist_meta: {
      current_idx: idxOf(playlistId, position),
      playlist_id: playlistId,
      playlist_name: name,
      playlist_channel: channelName,
    },
    playlist_previous: neighbour(playlistId, before),
    playlist_next: neighbour(playlistId, after),
  }));
});
