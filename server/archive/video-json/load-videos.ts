import type { Video } from '#contract/video.ts';
import type { Db } from '../../platform/db/db.ts';
import { workerQuery } from '../../platform/db/worker-query.ts';
import { RawJson } from '../../platform/http/raw-json.ts';
import { concatBytes } from '../../platform/lib/concat-bytes.ts';
import { findVideos } from '../video/store.ts';
import { watchStatesOf } from '../video/watch-store.ts';
import { cachedParts } from './response-cache-store.ts';
import { serializeParts, videoChunks, type SerializedParts, type WatchState } from './serialize-video.ts';

const notWatched: WatchState = { watchedAt: null, positionSeconds: null };

/** Videos in the order of a response, and the user whose watch state is added. */
interface VideoSelection {
  accountId: number;
  ids: string[];
  /** Search scores in the order of the ids; default 0. */
  scores?: number[];
}

/** Returns cached JSON (refresh-response-cache.ts) with the watch states of a user, and serializes videos that are not cached. */
async function partsOf(db: Db, accountId: number, ids: string[]): Promise<(SerializedParts & WatchState)[]> {
  const cached = await cachedParts(db, ids, accountId);
  if (cached.length === ids.length) return cached;
  const known = new Set(cached.map(({ id }) => id));
  const others = ids.filter((id) => !known.has(id));
  const [rows, watches] = await Promise.all([findVideos(db, others), watchStatesOf(db, accountId, others)]);
  return [...cached, ...rows.map((row) => ({ ...serializeParts(row), ...(watches.get(row.id) ?? notWatched) }))];
}

/** Returns the JSON of videos in the order of the ids, without unknown ids. For worker queries, which return bytes. */
export async function serializeVideos(db: Db, { accountId, ids, scores = [] }: VideoSelection): Promise<Uint8Array[]> {
  if (ids.length === 0) return [];
  const parts = await partsOf(db, accountId, ids);
  const partsBy = new Map(parts.map((part) => [part.id, part]));
  return concatBytes(
    ids.flatMap((id, at) => {
      const part = partsBy.get(id);
      return part ? [videoChunks(part, scores[at] ?? 0)] : [];
    }),
  );
}

export const readVideos = workerQuery('videos', serializeVideos);

/** Wraps the result of `serializeVideos`. */
export const asRawVideos = (videos: Uint8Array[]): RawJson<Video>[] =>
  videos.map((bytes) => new RawJson<Video>(bytes, { hasLinks: true }));

/** Returns videos for a user, in the order of the ids, without unknown ids. */
export const loadVideos = async (db: Db, selection: VideoSelection): Promise<RawJson<Video>[]> =>
  asRawVideos(await readVideos(db, selection));

/** Returns one video for a user, or undefined. */
export const loadVideo = async (db: Db, accountId: number, id: string): Promise<RawJson<Video> | undefined> =>
  asRawVideos(await readVideos.read(db.lookups, { accountId, ids: [id] }))[0];
