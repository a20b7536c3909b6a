import type { Tx } from '../db/db.ts';

/** What the queue wants to know of videos that are in the archive. One that is not is left out. */
export const knownItems = (tx: Tx, ids: string[]) =>
  tx
    .selectFrom('video')
    .innerJoin('channel', 'channel.id', 'video.channelId')
    .select(['video.id', 'video.site', 'video.siteId', 'video.url', 'video.title', 'video.kind', 'video.channelId'])
    .select(['video.durationSeconds', 'video.publishedAt', 'channel.name as channelName'])
    .where('video.id', 'in', ids)
    .execute();
