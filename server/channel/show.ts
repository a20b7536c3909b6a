import type { Channel } from '#contract/channel.ts';
import type { Db } from '../db/db.ts';
import { shapeFoundChannel } from './embed.ts';

/** Channels as the API shows them, in the order of the ids; those that do not exist are left out. */
export async function showChannels(db: Db, ids: string[]): Promise<Channel[]> {
  if (ids.length === 0) return [];
  const rows = await db.selectFrom('channel').selectAll().where('id', 'in', ids).execute();
  return rows.sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id)).map(shapeFoundChannel);
}
