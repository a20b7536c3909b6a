import type { MeaningModel } from '#contract/meaning-models.ts';
import type { Video } from '#contract/video.ts';
import { readSettings } from '../../archive/settings/store.ts';
import type { Db } from '../../platform/db/db.ts';
import { workerQuery } from '../../platform/db/worker-query.ts';
import type { RawJson } from '../../platform/http/raw-json.ts';
import { asRawVideos, serializeVideos } from '../../archive/video-json/load-videos.ts';
import { relatedVideos } from '../meaning/related-store.ts';
import { findSimilar, type SimilarVideo } from '../search/query/similar.ts';

const maxSimilar = 6;
const maxOfChannel = 2;
// Reciprocal rank fusion, as in search/query/find-moments.ts.
const rankOffset = 60;

/** Merges lists, and takes at most two videos of a channel as long as there are others. */
export function mergeSimilar(lists: readonly (readonly SimilarVideo[])[]): string[] {
  const scores = new Map<string, number>();
  for (const list of lists)
    for (const [rank, { id }] of list.entries()) scores.set(id, (scores.get(id) ?? 0) + 1 / (rankOffset + rank + 1));
  const videos = new Map(lists.flat().map((video) => [video.id, video]));
  // Equal scores keep their order: the first list comes first.
  const ranked = [...videos.values()].sort((a, b) => scores.get(b.id)! - scores.get(a.id)!);
  const ofChannel = new Map<string, number>();
  const isOneTooMany = ({ channelId }: SimilarVideo) => {
    const count = (ofChannel.get(channelId) ?? 0) + 1;
    ofChannel.set(channelId, count);
    return count > maxOfChannel;
  };
  const { true: others = [], false: first = [] } = Object.groupBy(ranked, (video) => String(isOneTooMany(video)));
  return [...first, ...others].slice(0, maxSimilar).map(({ id }) => id);
}

interface Sought {
  id: string;
  accountId: number;
  /** Also by what is said in them, by the vectors of this model. */
  model: MeaningModel | null;
}

export const readSimilar = workerQuery('similar videos', async (db, { id, accountId, model }: Sought) => {
  const [named, said] = await Promise.all([findSimilar(db, id), model === null ? [] : relatedVideos(db, model, id)]);
  const ids = said.length > 0 ? mergeSimilar([said, named]) : named.slice(0, maxSimilar).map((video) => video.id);
  return serializeVideos(db, { accountId, ids });
});

/** Returns up to six videos similar to this one, best match first. */
export async function listSimilarVideos(db: Db, accountId: number, id: string): Promise<RawJson<Video>[]> {
  const { enabled } = (await readSettings(db)).meaning;
  const model = enabled ? await (await import('../meaning/active-model.ts')).activeModel(db) : null;
  return asRawVideos(await readSimilar(db, { id, accountId, model }));
}
