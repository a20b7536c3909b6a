import type { ExpressionBuilder } from 'kysely';
import type { VideoFilter } from '#contract/video.ts';
import type { Db } from '../db/db.ts';
import type { Tables } from '../db/tables.ts';

/** Videos with the given person's watch state. Everything that lists videos starts here. */
function videosSeenBy(db: Db, accountId: number) {
  return db
    .selectFrom('video')
    .innerJoin('channel', 'channel.id', 'video.channelId')
    .leftJoin('watch', (on) => on.onRef('watch.videoId', '=', 'video.id').on('watch.accountId', '=', accountId));
}
type Listing = ReturnType<typeof videosSeenBy>;

function matching(videos: Listing, filter: VideoFilter): Listing {
  if (filter.channel) videos = videos.where('video.channelId', '=', filter.channel);
  if (filter.type) videos = videos.where('video.kind', '=', filter.type);
  if (filter.height !== undefined) videos = videos.where('video.height', '=', filter.height);
  if (filter.watch === 'watched') videos = videos.where('watch.watchedAt', 'is not', null);
  if (filter.watch === 'unwatched') videos = videos.where('watch.watchedAt', 'is', null);
  if (filter.watch === 'continue') videos = videos.where('watch.watchedAt', 'is', null).where('watch.positionSeconds', '>', 0);
  if (filter.playlist)
    videos = videos.where((w) =>
      w.exists(
        w
          .selectFrom('playlistEntry')
          .select('position')
          .whereRef('videoId', '=', 'video.id')
          .where('playlistId', '=', filter.playlist!),
      ),
    );
  return videos;
}

const sortColumn = {
  published: 'video.publishedAt',
  downloaded: 'video.downloadedAt',
  views: 'video.viewCount',
  likes: 'video.likeCount',
  duration: 'video.durationSeconds',
  mediasize: 'video.sizeBytes',
  width: 'video.width',
  height: 'video.height',
} as const satisfies Record<VideoFilter['sort'], string>;

const watchColumns = ['watch.watchedAt', 'watch.positionSeconds'] as const;
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

const placeIn = (playlistId: string) => (w: ExpressionBuilder<Tables, 'video'>) =>
  w
    .selectFrom('playlistEntry')
    .select((e) => e.fn.min('position').as('position'))
    .whereRef('videoId', '=', 'video.id')
    .where('playlistId', '=', playlistId);

/** One page of the videos that match; within a playlist in its own order, of "continue" the newest position first. */
export async function listVideos(db: Db, accountId: number, filter: VideoFilter, page: { size: number; from: number }) {
  const found = matching(videosSeenBy(db, accountId), filter);
  let sorted = found;
  if (filter.playlist) sorted = sorted.orderBy(placeIn(filter.playlist));
  else if (filter.watch === 'continue') sorted = sorted.orderBy('watch.updatedAt', 'desc');
  else sorted = sorted.orderBy(sortColumn[filter.sort], filter.order);
  const rows = await sorted
    .selectAll('video')
    .select(watchColumns)
    .select(channelColumns)
    .orderBy('video.id', filter.order) // equal dates must not swap between pages
    .limit(page.size)
    .offset(page.from)
    .execute();
  return withParts(db, rows);
}

export async function countVideos(db: Db, accountId: number, filter: VideoFilter): Promise<number> {
  const row = await matching(videosSeenBy(db, accountId), filter)
    .select((e) => e.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return row.total;
}

/** One video, as the given person sees it. */
export async function findVideo(db: Db, accountId: number, id: string) {
  return (await findVideos(db, accountId, [id]))[0];
}

/** Videos by id, in the order of the ids; those that do not exist are left out. */
export async function findVideos(db: Db, accountId: number, ids: string[]) {
  if (ids.length === 0) return [];
  const rows = await videosSeenBy(db, accountId)
    .selectAll('video')
    .select(watchColumns)
    .select(channelColumns)
    .where('video.id', 'in', ids)
    .execute();
  rows.sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
  return withParts(db, rows);
}

/** Fetches what each video has several of, one query a kind for the whole page. */
async function withParts<Row extends { id: string }>(db: Db, rows: Row[]) {
  const ids = rows.map((row) => row.id);
  if (ids.length === 0) return [];
  const [streams, subtitles, entries] = await Promise.all([
    db.selectFrom('stream').selectAll().where('videoId', 'in', ids).orderBy('position').execute(),
    db.selectFrom('subtitle').selectAll().where('videoId', 'in', ids).orderBy('lang').execute(),
    db
      .selectFrom('playlistEntry')
      .select(['videoId', 'playlistId'])
      .distinct()
      .where('videoId', 'in', ids)
      .orderBy('playlistId')
      .execute(),
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
export type VideoRow = NonNullable<Awaited<ReturnType<typeof findVideo>>>;

/** Which of these ids are videos of the archive. */
export async function knownIds(db: Db, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db.selectFrom('video').select('id').where('id', 'in', ids).execute();
  return new Set(rows.map((row) => row.id));
}

export const findDuration = (db: Db, id: string) =>
  db.selectFrom('video').select(['id', 'durationSeconds', 'mediaPath', 'channelId']).where('id', '=', id).executeTakeFirst();

export const commentsOf = (db: Db, videoId: string) =>
  db.selectFrom('comment').selectAll().where('videoId', '=', videoId).orderBy('position').execute();

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
