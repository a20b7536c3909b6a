import { sql } from 'kysely';
import { writtenOnce } from '../db/written-once.ts';
import { form } from './written-video.ts';

/** What is kept of videos and their channels as it was written, in the present form, by the ids of the videos. */
export const keptParts = writtenOnce((db, ids) =>
  db
    .selectFrom('writtenVideo')
    .innerJoin('writtenChannel', 'writtenChannel.channelId', 'writtenVideo.channelId')
    .select(['writtenVideo.videoId as id', 'writtenVideo.written as video', 'writtenChannel.written as channel'])
    .where('writtenVideo.videoId', 'in', ids)
    // "+ 0": nearly all are of this form, and none is found by it.
    .where(sql<boolean>`${sql.ref('writtenVideo.form')} + 0 = ${sql.lit(form)}`)
    .where(sql<boolean>`${sql.ref('writtenChannel.form')} + 0 = ${sql.lit(form)}`),
);
