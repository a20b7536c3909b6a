import type { Tx } from '../../platform/db/db.ts';
import { normalizeText } from '../../platform/lib/normalize-text.ts';
import { knownItems } from '../sites/resolve-known-urls.ts';

/** Adds a deleted video to the ignore list, so that no scan adds it again. Returns whether it was not ignored before. */
export async function ignoreVideo(tx: Tx, id: string, now: number): Promise<boolean> {
  const [video] = await knownItems(tx, [id]);
  if (!video) return false;
  const before = await tx.selectFrom('download').select('status').where('id', '=', id).executeTakeFirst();
  await tx
    .insertInto('download')
    .values({
      ...video,
      url: video.url ?? '',
      normalizedTitle: normalizeText(video.title),
      thumbnailUrl: video.site === 'youtube' ? `https://i.ytimg.com/vi/${video.siteId}/hqdefault.jpg` : null,
      status: 'ignore',
      autoStart: 0,
      queuedAt: now,
    })
    .onConflict((c) => c.column('id').doUpdateSet({ status: 'ignore', autoStart: 0 }))
    .execute();
  return before?.status !== 'ignore';
}
