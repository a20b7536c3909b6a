import type { ChannelOverwrites } from '#contract/channel.ts';
import type { Db } from '../db/db.ts';

/** What of a channel goes before the settings; empty for a channel that is not known. */
export async function overwritesOf(db: Db, channelId: string): Promise<Partial<ChannelOverwrites>> {
  const row = await db.selectFrom('channel').select('overwrites').where('id', '=', channelId).executeTakeFirst();
  return row?.overwrites ? (JSON.parse(row.overwrites) as Partial<ChannelOverwrites>) : {};
}
