import type { Video } from '#contract/video.ts';
import type { Db } from '../db/db.ts';
import { reading } from '../db/reading.ts';
import { similarTo } from '../search/similar.ts';
import { readAlready, withVideos, writtenVideos } from './show.ts';

export const readSimilar = reading('similar videos', async (db, { id, accountId }: { id: string; accountId: number }) =>
  withVideos(db, await similarTo(db, id), accountId),
);

/** Up to six videos that are most like this one, best first, to be sent. */
export async function similarVideos(db: Db, accountId: number, id: string): Promise<Video[]> {
  const read = await readAlready(db, () => readSimilar(db, { id, accountId }));
  return writtenVideos(db, accountId, read.ids, { read });
}
