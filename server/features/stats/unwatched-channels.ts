import type { VideoFilter } from '#contract/video.ts';
import { workerQuery } from '../../platform/db/worker-query.ts';
import { facetConditions } from '../video/list/facets.ts';
import { filterVideos } from '../video/list/video-conditions.ts';

/**
 * Channels of which no user has watched or begun a video, with number and size of the videos that the list of the cleanup filter
 * shows: not protected or collected, available at the source, and downloaded until a day (`yyyy-mm-dd`). Largest first.
 */
export const readUnwatchedChannels = workerQuery('unwatched channels', async (db, downloadedTo: string) => {
  const filter = { cleanup: 'unopened', active: true, downloaded_to: downloadedTo } as VideoFilter;
  const conditions = filterVideos(await facetConditions(db, 0, filter));
  return (
    db
      .selectFrom('video')
      .innerJoin('channel', 'channel.id', 'video.channelId')
      .select((e) => [
        'channel.id',
        'channel.name',
        e.fn.countAll<number>().as('videos'),
        e.fn.sum<number>('video.sizeBytes').as('sizeBytes'),
      ])
      .where('video.channelId', 'not in', (e) =>
        e.selectFrom('watchCount').select('watchCount.channelId').where('watchCount.videos', '>', 0),
      )
      // Few videos are in progress, and they have an index.
      .where('video.channelId', 'not in', (e) =>
        e
          .selectFrom('watch')
          .innerJoin('video as begun', 'begun.id', 'watch.videoId')
          .select('begun.channelId')
          .where('watch.watchedAt', 'is', null)
          .where('watch.positionSeconds', 'is not', null),
      )
      .where(conditions)
      .groupBy(['channel.id', 'channel.name'])
      .orderBy('sizeBytes', 'desc')
      .orderBy('channel.id')
      .execute()
  );
});
