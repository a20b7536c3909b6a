import type { Video } from '#contract/video.ts';
import type { Db } from '../db/db.ts';
import { shapeVideo } from './shape.ts';
import { findVideos } from './store.ts';

/** Videos as the API shows them to one person, in the order of the ids; those that do not exist are left out. */
export const showVideos = async (db: Db, accountId: number, ids: string[]): Promise<Video[]> =>
  (await findVideos(db, accountId, ids)).map(shapeVideo);
