import { message } from '#contract/messages.ts';
import { storeMessages } from '../../platform/messages/stored.ts';
import type { Db } from '../../platform/db/db.ts';
import { findChannel } from '../channel/store.ts';
import { playlistExists } from '../playlist/store.ts';
import { isVisibleTo, type Viewer } from '../../platform/db/schema/playlist-access.ts';
import { channelColumns, columnsWith, videoColumns } from '../../platform/db/schema/tables.ts';

/** Value of `damage` of a video without a file. */
export const missingFileDamage = storeMessages(message('files.missing'));

export const isMissingFile = (damage: string | null): boolean => damage === missingFileDamage;

const selectedOfVideo = columnsWith(videoColumns, 'value').map((name) => `video.${name}` as const);

type OfChannel = ReturnType<typeof columnsWith<typeof channelColumns, 'value'>>[number];
/** `channel.name as channelName` and so on. */
type SelectedOfChannel = { [C in OfChannel]: `channel.${C} as channel${Capitalize<C>}` }[OfChannel];
const selectedOfChannel = columnsWith(channelColumns, 'value').map(
  (name) => `channel.${name} as channel${name[0]!.toUpperCase()}${name.slice(1)}` as SelectedOfChannel,
);

// Selects only the columns that are serialized: about 500 values per page.
const rowsOf = (db: Db, ids: string[]) =>
  db
    .selectFrom('video')
    .innerJoin('channel', 'channel.id', 'video.channelId')
    .leftJoin('storyboard', (on) => on.onRef('storyboard.videoId', '=', 'video.id').onRef('sourceSha256', '=', 'video.sha256'))
    .leftJoin('generatedChapters', 'generatedChapters.videoId', 'video.id')
    .leftJoin('chat', 'chat.videoId', 'video.id')
    .select(selectedOfVideo)
    .select(['chat.source as chatSource', 'chat.messages as chatMessages', 'chat.isComplete as chatIsComplete'])
    .select(['storyboard.sheets as storyboardSheets', 'generatedChapters.chapters as generatedChapters'])
    .select(selectedOfChannel)
    .where('video.id', 'in', ids)
    .execute();
const streamRowsOf = (db: Db, ids: string[]) =>
  db
    .selectFrom('stream')
    .select(['videoId', 'position', 'type', 'codec', 'bitrate', 'width', 'height', 'lufs', 'truePeak'])
    .where('videoId', 'in', ids)
    .orderBy('position')
    .execute();
const subtitleRowsOf = (db: Db, ids: string[]) =>
  db
    .selectFrom('subtitle')
    .leftJoin('transcription', (on) =>
      on.onRef('transcription.videoId', '=', 'subtitle.videoId').on('subtitle.source', '=', 'generated'),
    )
    .select(['subtitle.videoId', 'subtitle.lang', 'source', 'name', 'path', 'model'])
    .where('subtitle.videoId', 'in', ids)
    .orderBy('subtitle.lang')
    .execute();
// The JSON is the same for all users, so it contains no private playlists.
const playlistsOfAny = (db: Db, ids: string[]) =>
  db
    .selectFrom('playlistEntry')
    .innerJoin('playlist', 'playlist.id', 'playlistEntry.playlistId')
    .select(['videoId', 'playlistId'])
    .where('videoId', 'in', ids)
    .where('playlist.isShared', '=', 1)
    .groupBy(['videoId', 'playlistId'])
    .orderBy((e) => e.fn.min('addedOrder'))
    .orderBy('playlistId')
    .execute();

/** Returns the private playlists of a video that are visible to a user, which the stored JSON of the video lacks. */
export async function privatePlaylistsOf(db: Db, viewer: Viewer, videoId: string): Promise<string[]> {
  const rows = await db.lookups
    .selectFrom('playlistEntry')
    .innerJoin('playlist', 'playlist.id', 'playlistEntry.playlistId')
    .select('playlistId')
    .distinct()
    .where('videoId', '=', videoId)
    .where('playlist.isShared', '=', 0)
    .where(isVisibleTo(viewer) as never)
    .orderBy('playlistId')
    .execute();
  return rows.map(({ playlistId }) => playlistId);
}

/** Returns videos by id with streams, subtitles and playlists, from four parallel queries. */
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

/** Returns which ids are archived videos. */
export async function existingIds(db: Db, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db.selectFrom('video').select('id').where('id', 'in', ids).execute();
  return new Set(rows.map((row) => row.id));
}

/** Returns whether a video was archived or refreshed at or after this time. */
export const isSavedSince = async (db: Db, id: string, since: number): Promise<boolean> =>
  (await db.selectFrom('video').select('id').where('id', '=', id).where('refreshedAt', '>=', since).executeTakeFirst()) !==
  undefined;

export const hasVideos = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('video').select('id').limit(1).executeTakeFirst()) !== undefined;

export const findDuration = (db: Db, id: string) =>
  db.lookups
    .selectFrom('video')
    .select(['id', 'durationSeconds', 'mediaPath', 'channelId'])
    .where('id', '=', id)
    .executeTakeFirst();

/** Returns the id of a video, or the ids of all videos of a channel or of a playlist that is visible to the user. */
export function resolveIds(db: Db, viewer: Viewer, id: string) {
  return db
    .selectFrom('video')
    .select('id')
    .where((w) =>
      w.or([
        w('id', '=', id),
        w('channelId', '=', id),
        w(
          'id',
          'in',
          w
            .selectFrom('playlistEntry')
            .innerJoin('playlist', 'playlist.id', 'playlistEntry.playlistId')
            .select('videoId')
            .where('playlistId', '=', id)
            .where(isVisibleTo(viewer) as never),
        ),
      ]),
    )
    .execute();
}

/** Returns whether this is the id of a channel, or of a playlist that is visible to the user. */
export const isSource = async (db: Db, viewer: Viewer, id: string): Promise<boolean> =>
  (await findChannel(db, id)) !== undefined || playlistExists(db, viewer, id);
