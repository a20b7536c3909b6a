import type { Db } from '../../platform/db/db.ts';

/** Returns what the site said of the sound tracks of a video, by their stream indexes. */
export async function soundsOf(db: Db, videoId: string) {
  const rows = await db
    .selectFrom('stream')
    .select(['position', 'language', 'kind'])
    .where('videoId', '=', videoId)
    .where('type', '=', 'audio')
    .execute();
  return new Map(rows.map(({ position, ...sound }) => [position, sound]));
}
