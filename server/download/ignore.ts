import type { Tx } from '../db/db.ts';
import { foldText } from '../fold-text.ts';
import { knownItems } from './known-item.ts';

/**
 * Puts a video that leaves the archive on the ignore list, so that no scan brings it back. Answers whether it was not there
 * before.
 */
export async function ignoreVideo(tx: Tx, id: string, now: number): Promise<boolean> {
  const [video] = await knownItems(tx, [id]);
  if (!video) return false;
  const before = await tx.selectFrom('download').select('status').where('id', '=', id).executeTakeFirst();
  await tx
    .insertInto('download')
    .values({
      ...video,
      url: video.url ?? '',
      foldedTitle: foldText(video.title),
      thumbnailUrl: null,
      status: 'ignore',
      autoStart: 0,
      queuedAt: now,
    })
    .onConflict((c) => c.column('id').doUpdateSet({ status: 'ignore', autoStart: 0 }))
    .execute();
  return before?.status !== 'ignore';
}
