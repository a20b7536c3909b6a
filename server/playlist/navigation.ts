import type { ExpressionBuilder } from 'kysely';
import type { PlaylistNav } from '#contract/video.ts';
import type { Db } from '../db/db.ts';
import { reading } from '../db/reading.ts';
import type { Tables } from '../db/tables.ts';
import { thumbnailUrl } from '../video/thumbnail-path.ts';

type Here = { playlistId: string; videoId: string; position: number };

/** The place of the nearest archived entry before or after a video's own, in its playlist. */
const nearest = (side: 'before' | 'after') => (w: ExpressionBuilder<Tables & { here: Here }, 'here'>) =>
  w
    .selectFrom('playlistEntry as near')
    .innerJoin('video', 'video.id', 'near.videoId')
    .select('near.position')
    .whereRef('near.playlistId', '=', 'here.playlistId')
    .whereRef('near.position', side === 'before' ? '<' : '>', 'here.position')
    .whereRef('near.videoId', '!=', 'here.videoId')
    .orderBy('near.position', side === 'before' ? 'desc' : 'asc')
    .limit(1);

/** The place of each entry of somebody's own playlists, by position: these have gaps where a video was deleted. */
async function ranksIn(db: Db, playlistIds: string[]): Promise<Map<string, Map<number, number>>> {
  if (playlistIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('playlistEntry')
    .select(['playlistId', 'position'])
    .where('playlistId', 'in', playlistIds)
    .orderBy('position')
    .execute();
  const of = Map.groupBy(rows, ({ playlistId }) => playlistId);
  return new Map([...of].map(([id, entries]) => [id, new Map(entries.map(({ position }, place) => [position, place]))]));
}

/** The archived neighbours of a video in each playlist that holds it and at least one other archived video. */
export const neighboursOf = reading('neighbours', async (db, videoId: string): Promise<PlaylistNav[]> => {
  // However long a playlist is, only the way to the next archived entry is walked.
  const places = await db
    .with('here', (q) =>
      q
        .selectFrom('playlistEntry')
        .select(['playlistId', 'videoId'])
        .select((e) => e.fn.min<number>('position').as('position'))
        .where('videoId', '=', videoId)
        .groupBy(['playlistId', 'videoId']),
    )
    .selectFrom('here')
    .innerJoin('playlist', 'playlist.id', 'here.playlistId')
    .select(['here.playlistId', 'here.position', 'playlist.name', 'playlist.channelName', 'playlist.kind'])
    .select((e) => [nearest('before')(e as never).as('before'), nearest('after')(e as never).as('after')])
    .orderBy('here.playlistId')
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
            .filter((place) => place !== null)
            .map((place) => w.and([w('playlistEntry.playlistId', '=', playlistId), w('playlistEntry.position', '=', place)])),
        ),
      ),
    )
    .execute();
  const ranked = await ranksIn(
    db,
    lists.filter(({ kind }) => kind === 'custom').map(({ playlistId }) => playlistId),
  );
  const idxOf = (playlistId: string, position: number) => ranked.get(playlistId)?.get(position) ?? position;
  const neighbour = (playlistId: string, place: number | null) => {
    const entry = entries.find((one) => one.playlistId === playlistId && one.position === place);
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
