import type { ChannelOverwrites, SomeOverwrites } from '#contract/channel.ts';
import type { Archive } from '../archive.ts';
import { inTransaction } from '../db/db.ts';
import { indexPlaylists } from '../playlist/index-playlists.ts';
import { currentSettings } from '../settings/read.ts';
import { overwritesOf } from './overwrites.ts';
import { looksFurther, sizesOf } from './sizes.ts';

/** Chooses what holds for one channel alone; null takes a choice back, what is not named stays. */
export async function setOverwrites(archive: Archive, id: string, some: SomeOverwrites): Promise<void> {
  const { db, tasks } = archive;
  const { subscriptions } = await currentSettings(archive);
  // What is not named stays as whoever was there a moment before left it.
  await inTransaction(db, async (tx) => {
    const before = await overwritesOf(tx, id);
    const chosen = Object.entries({ ...before, ...some }).filter(([, value]) => value !== null);
    const now = Object.fromEntries(chosen) as Partial<ChannelOverwrites>;
    const overwrites = chosen.length > 0 ? JSON.stringify(now) : null;
    const isMore = looksFurther(sizesOf(now, subscriptions), sizesOf(before, subscriptions));
    await tx
      .updateTable('channel')
      .set({ overwrites, ...(isMore && { listedAt: null }) })
      .where('id', '=', id)
      .execute();
  });
  if (some.index_playlists) await tasks.start(indexPlaylists, { channels: [id] });
}
