import type { Db } from '../db/db.ts';

/** Whether there is a playlist of this id. */
export const playlistExists = async (db: Db, id: string) =>
  (await db.selectFrom('playlist').select('id').where('id', '=', id).executeTakeFirst()) !== undefined;
