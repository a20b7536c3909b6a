import type { SelectionSize } from '../../archive/queries/total-size.ts';
import { deletePendingFiles, scheduleDeletion } from '../../archive/storage/pending-deletions.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { inTransaction, type Db } from '../../platform/db/db.ts';

/** Number and size of all compatible copies. */
export const sumCopies = (db: Db): Promise<SelectionSize> =>
  db
    .selectFrom('smallCopy')
    .select((e) => [e.fn.countAll<number>().as('videos'), e.fn.coalesce(e.fn.sum<number>('sizeBytes'), e.lit(0)).as('sizeBytes')])
    .executeTakeFirstOrThrow();

/** Lists the largest compatible copies with their videos. */
export const largestCopies = (db: Db, limit: number) =>
  db
    .selectFrom('smallCopy')
    .innerJoin('video', 'video.id', 'smallCopy.videoId')
    .innerJoin('channel', 'channel.id', 'video.channelId')
    .select(['video.id', 'video.title', 'channel.name as channelName', 'smallCopy.sizeBytes', 'smallCopy.fetchedAt'])
    .select(['smallCopy.width', 'smallCopy.height'])
    .orderBy('smallCopy.sizeBytes', 'desc')
    .orderBy('video.id')
    .limit(limit)
    .execute();

/** Deletes the compatible copies of these videos permanently; the videos keep their files. Returns number and size of the copies. */
export async function deleteCopies(app: AppContext, ids: string[]): Promise<SelectionSize> {
  const copies = await inTransaction(app.db, async (tx) => {
    const found = await tx.deleteFrom('smallCopy').where('videoId', 'in', ids).returning(['path', 'sizeBytes']).execute();
    await scheduleDeletion(
      tx,
      found.map(({ path }) => path),
    );
    return found;
  });
  await deletePendingFiles(
    app,
    copies.map(({ path }) => path),
  );
  if (copies.length > 0) app.announce('video');
  return { videos: copies.length, sizeBytes: copies.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) };
}
