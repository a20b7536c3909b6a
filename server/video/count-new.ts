import type { VideoFilter } from '#contract/video.ts';
import type { Db } from '../db/db.ts';
import { faceted } from './facets.ts';
import { fitting, isBegunBy, isWatchedBy, watchFits } from './find-page.ts';

// So many of the newest are looked at, whatever a list asks for: everybody's lists are counted again and again.
const mostLookedAt = 500;

/** How many videos of a list came after a time that the person has not watched, among the newest of the archive. */
export async function countNew(db: Db, accountId: number, asked: VideoFilter, since: number): Promise<number> {
  const filter = await faceted(db, asked);
  const { playlist, watch } = filter;
  const newest = db
    .selectFrom('video as newest')
    .select('newest.id')
    .where('newest.downloadedAt', '>', since)
    .orderBy('newest.downloadedAt', 'desc')
    .limit(mostLookedAt);
  const { videos } = await db
    .selectFrom('video')
    .where('video.id', 'in', (w) => w.selectFrom(newest.as('latest')).select('latest.id'))
    .where(fitting(filter))
    .where(watchFits(accountId, filter))
    .where((w) => w.not(isWatchedBy(accountId)(w)))
    .$if(playlist !== undefined, (q) =>
      q.where((w) =>
        w.exists(
          w
            .selectFrom('playlistShown')
            .select('playlistShown.videoId')
            .whereRef('playlistShown.videoId', '=', 'video.id')
            .where('playlistShown.playlistId', '=', playlist!),
        ),
      ),
    )
    .$if(watch === 'continue', (q) => q.where(isBegunBy(accountId)))
    .select((e) => e.fn.countAll<number>().as('videos'))
    .executeTakeFirstOrThrow();
  return videos;
}
