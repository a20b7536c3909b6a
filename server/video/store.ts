import type { Db } from '../db/db.ts';
import { writtenOnce } from '../db/written-once.ts';

const videoColumns = [
  'video.id',
  'video.channelId',
  'video.title',
  'video.description',
  'video.kind',
  'video.url',
  'video.publishedAt',
  'video.downloadedAt',
  'video.refreshedAt',
  'video.isActive',
  'video.durationSeconds',
  'video.sizeBytes',
  'video.mediaPath',
  'video.categories',
  'video.tags',
  'video.chapters',
  'video.sponsorblock',
  'video.viewCount',
  'video.likeCount',
  'video.dislikeCount',
  'video.averageRating',
  'video.commentCount',
  'video.isKept',
  'video.damage',
] as const;

const channelColumns = [
  'channel.name as channelName',
  'channel.description as channelDescription',
  'channel.tags as channelTags',
  'channel.tabs as channelTabs',
  'channel.subscriberCount as channelSubscriberCount',
  'channel.isActive as channelIsActive',
  'channel.isSubscribed as channelIsSubscribed',
  'channel.hasThumb as channelHasThumb',
  'channel.hasBanner as channelHasBanner',
  'channel.hasTvart as channelHasTvart',
  'channel.overwrites as channelOverwrites',
  'channel.refreshedAt as channelRefreshedAt',
] as const;

// Of a row all that is shown, and nothing else: of a page these are half a thousand values.
const rowsOf = writtenOnce((db, ids) =>
  db
    .selectFrom('video')
    .innerJoin('channel', 'channel.id', 'video.channelId')
    .leftJoin('storyboard', (on) => on.onRef('storyboard.videoId', '=', 'video.id').onRef('madeOf', '=', 'video.sha256'))
    .select(videoColumns)
    .select('storyboard.sheets as storyboardSheets')
    .select(channelColumns)
    .where('video.id', 'in', ids),
);
const streamRowsOf = writtenOnce((db, ids) =>
  db
    .selectFrom('stream')
    .select(['videoId', 'position', 'type', 'codec', 'bitrate', 'width', 'height'])
    .where('videoId', 'in', ids)
    .orderBy('position'),
);
const subtitleRowsOf = writtenOnce((db, ids) =>
  db.selectFrom('subtitle').select(['videoId', 'lang', 'source', 'name', 'path']).where('videoId', 'in', ids).orderBy('lang'),
);
const playlistsOfAny = writtenOnce((db, ids) =>
  db.selectFrom('playlistEntry').select(['videoId', 'playlistId']).distinct().where('videoId', 'in', ids).orderBy('playlistId'),
);

/** Videos by id with all that belongs to them. One question a kind of row, all asked together. */
export async function findVideos(db: Db, ids: string[]) {
  const [rows, streams, subtitles, entries] = await Promise.all([
    rowsOf(db, ids),
    streamRowsOf(db, ids),
    subtitleRowsOf(db, ids),
    playlistsOfAny(db, ids),
  ]);
  const streamsOf = Map.groupBy(streams, (row) => row.videoId);
  const subtitlesOf = Map.groupBy(subtitles, (row) => row.videoId);
  const playlistsOf = Map.groupBy(entries, (row) => row.videoId);
  return rows.map((row) => ({
    ...row,
    streams: streamsOf.get(row.id) ?? [],
    subtitles: subtitlesOf.get(row.id) ?? [],
    playlists: (playlistsOf.get(row.id) ?? []).map((entry) => entry.playlistId),
  }));
}
export type VideoRow = Awaited<ReturnType<typeof findVideos>>[number];

/** Which of these ids are videos of the archive. */
export async function knownIds(db: Db, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db.selectFrom('video').select('id').where('id', 'in', ids).execute();
  return new Set(rows.map((row) => row.id));
}

export const findDuration = (db: Db, id: string) =>
  db.selectFrom('video').select(['id', 'durationSeconds', 'mediaPath', 'channelId']).where('id', '=', id).executeTakeFirst();

/** The ids of a video, or of all videos of a channel or playlist: whichever the id names. */
export function idsNamed(db: Db, id: string) {
  return db
    .selectFrom('video')
    .select('id')
    .where((w) =>
      w.or([
        w('id', '=', id),
        w('channelId', '=', id),
        w('id', 'in', w.selectFrom('playlistEntry').select('videoId').where('playlistId', '=', id)),
      ]),
    )
    .execute();
}

/** Whether this is the id of a channel or playlist, with or without videos. */
export async function isSource(db: Db, id: string): Promise<boolean> {
  for (const table of ['channel', 'playlist'] as const)
    if (await db.selectFrom(table).select('id').where('id', '=', id).executeTakeFirst()) return true;
  return false;
}
