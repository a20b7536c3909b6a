import { extname } from 'node:path';
import type { VideoFilter } from '#contract/video.ts';
import { chunks, type Db } from '../../platform/db/db.ts';
import { isLanguage } from '../../platform/lib/is-language.ts';
import { workerQuery } from '../../platform/db/worker-query.ts';
import { findVideoIds } from '../video/list/find-video-ids.ts';

interface EpisodesRequest {
  accountId: number;
  filter: VideoFilter;
  page: { size: number; from: number };
  /** Wanted language of the sound. */
  sound?: string | undefined;
}

const columns = [
  'video.id',
  'video.title',
  'video.description',
  'video.url',
  'video.publishedAt',
  'video.downloadedAt',
  'video.durationSeconds',
  'video.sizeBytes',
  'video.sha256',
  'video.mediaPath',
  'video.chapters',
  'video.music',
  'video.musicEdit',
  'channel.name as channelName',
] as const;

/**
 * Returns videos with what feeds and share pages show of them, in the order of the ids, without unknown ids. Their audio is the track in
 * the language `sound` where there is one, else the first.
 */
export async function loadEpisodes(db: Db, ids: string[], sound?: string) {
  const found = new Map<string, Awaited<ReturnType<typeof loadChunk>>[number]>();
  for (const part of chunks(ids)) for (const episode of await loadChunk(db, part, sound)) found.set(episode.id, episode);
  return ids.flatMap((id) => found.get(id) ?? []);
}

async function loadChunk(db: Db, ids: string[], sound: string | undefined) {
  const [rows, subtitles] = await Promise.all([
    db
      .selectFrom('video')
      .innerJoin('channel', 'channel.id', 'video.channelId')
      .leftJoin('stream', (on) => on.onRef('stream.videoId', '=', 'video.id').on('stream.type', '=', 'audio'))
      .select(columns)
      .select(['stream.position', 'stream.codec', 'stream.bitrate', 'stream.language'])
      .select((w) =>
        w
          .exists(
            w
              .selectFrom('stream as picture')
              .select('picture.type')
              .whereRef('picture.videoId', '=', 'video.id')
              .where('picture.type', '=', 'video'),
          )
          .$castTo<unknown>()
          .as('hasPicture'),
      )
      .where('video.id', 'in', ids)
      .execute(),
    db.selectFrom('subtitle').select(['videoId', 'lang', 'name', 'path']).where('videoId', 'in', ids).orderBy('lang').execute(),
  ]);
  const subtitlesOf = Map.groupBy(subtitles, ({ videoId }) => videoId);
  // A video has a row for each of its audio streams.
  return [...Map.groupBy(rows, ({ id }) => id).values()].map((ofVideo) => {
    const inOrder = ofVideo.toSorted((a, b) => a.position! - b.position!);
    const first = inOrder[0]!;
    const chosen = (sound && inOrder.find(({ language }) => language && isLanguage(language, sound))) || first;
    const { hasPicture, position, codec, bitrate, language, ...video } = chosen;
    return {
      ...video,
      audio: position === null ? null : { position, codec: codec!, bitrate: bitrate!, isFirst: chosen === first, language },
      // Without known streams it counts as a video.
      isAudioOnly: position !== null && !hasPicture,
      subtitles: subtitlesOf.get(video.id) ?? [],
    };
  });
}
export type Episode = Awaited<ReturnType<typeof loadEpisodes>>[number];

/** Extension of the original file, with the dot. */
export const extensionOf = ({ mediaPath }: Pick<Episode, 'mediaPath'>) => extname(mediaPath).toLowerCase();

/** Returns one page of the videos of a list, and the number of all. */
export const findEpisodes = workerQuery('episodes', async (db, { accountId, filter, page, sound }: EpisodesRequest) => {
  const { total, ids } = await findVideoIds(db, accountId, filter, page);
  return { total, episodes: await loadEpisodes(db, ids, sound) };
});

/** Returns the first videos of a list with what a playlist for players contains. */
export const findMedia = workerQuery('media of a list', async (db, { accountId, filter, page }: EpisodesRequest) => {
  const { ids } = await findVideoIds(db, accountId, filter, page);
  const found = new Map<string, Awaited<ReturnType<typeof loadMedia>>[number]>();
  for (const part of chunks(ids)) for (const video of await loadMedia(db, part)) found.set(video.id, video);
  return ids.flatMap((id) => found.get(id) ?? []);
});

const loadMedia = (db: Db, ids: string[]) =>
  db
    .selectFrom('video')
    .innerJoin('channel', 'channel.id', 'video.channelId')
    .select(['video.id', 'video.title', 'video.durationSeconds', 'video.mediaPath', 'channel.name as channelName'])
    .where('video.id', 'in', ids)
    .execute();
