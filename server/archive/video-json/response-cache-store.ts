import { sql } from 'kysely';
import type { Db } from '../../platform/db/db.ts';
import { serializedFormat } from './serialize-video.ts';

/** Loads cached JSON of videos and their channels in the current format, and the watch states of a user (0: none). */
export const cachedParts = (db: Db, ids: string[], accountId = 0) =>
  db
    .selectFrom('serializedVideo')
    .innerJoin('serializedChannel', 'serializedChannel.channelId', 'serializedVideo.channelId')
    .leftJoin('watch', (on) => on.onRef('watch.videoId', '=', 'serializedVideo.videoId').on('watch.accountId', '=', accountId))
    .select([
      'serializedVideo.videoId as id',
      'serializedVideo.json as video',
      'serializedChannel.json as channel',
      'watch.watchedAt',
      'watch.positionSeconds',
    ])
    .where('serializedVideo.videoId', 'in', ids)
    // "+ 0" disables the index: nearly all rows have the current format.
    .where(sql<boolean>`${sql.ref('serializedVideo.format')} + 0 = ${sql.lit(serializedFormat)}`)
    .where(sql<boolean>`${sql.ref('serializedChannel.format')} + 0 = ${sql.lit(serializedFormat)}`)
    .execute();
