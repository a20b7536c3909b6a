import type { Video } from '#contract/video.ts';
import type { Db } from '../../platform/db/db.ts';
import { workerQuery } from '../../platform/db/worker-query.ts';
import type { RawJson } from '../../platform/http/raw-json.ts';
import { asRawVideos, serializeVideos } from '../../archive/video-json/load-videos.ts';
import { findSimilar } from '../search/query/similar.ts';

export const readSimilar = workerQuery('similar videos', async (db, { id, accountId }: { id: string; accountId: number }) =>
  serializeVideos(db, { accountId, ids: await findSimilar(db, id) }),
);

/** Returns up to six videos similar to this one, best match first. */
export const listSimilarVideos = async (db: Db, accountId: number, id: string): Promise<RawJson<Video>[]> =>
  asRawVideos(await readSimilar(db, { id, accountId }));
