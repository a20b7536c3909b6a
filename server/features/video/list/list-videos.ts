import type { Video, VideoFilter } from '#contract/video.ts';
import type { Db } from '../../../platform/db/db.ts';
import { workerQuery } from '../../../platform/db/worker-query.ts';
import type { RawJson } from '../../../platform/http/raw-json.ts';
import { asRawVideos, serializeVideos } from '../../../archive/video-json/load-videos.ts';
import { findVideoIds } from './find-video-ids.ts';

interface ListRequest {
  accountId: number;
  filter: VideoFilter;
  page: { size: number; from: number };
}

export const readVideoPage = workerQuery('page of videos', async (db, { accountId, filter, page }: ListRequest) => {
  const { total, ids } = await findVideoIds(db, accountId, filter, page);
  return { total, videos: await serializeVideos(db, { accountId, ids }) };
});

/** Returns one page of a list for a user, and the number of matching videos. */
export async function listVideos(db: Db, request: ListRequest): Promise<{ total: number; videos: RawJson<Video>[] }> {
  const { total, videos } = await readVideoPage(db, request);
  return { total, videos: asRawVideos(videos) };
}
