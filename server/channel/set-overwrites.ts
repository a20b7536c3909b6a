import type { ChannelOverwrites, SomeOverwrites } from '#contract/channel.ts';
import type { Archive } from '../archive.ts';
import { indexPlaylists } from '../playlist/index-playlists.ts';
import { overwritesOf } from './overwrites.ts';

/** Chooses what holds for one channel alone; null takes a choice back, what is not named stays. */
export async function setOverwrites({ db, tasks }: Archive, id: string, some: SomeOverwrites): Promise<void> {
  const chosen = Object.entries({ ...(await overwritesOf(db, id)), ...some }).filter(([, value]) => value !== null);
  const overwrites = chosen.length > 0 ? JSON.stringify(Object.fromEntries(chosen) as Partial<ChannelOverwrites>) : null;
  await db.updateTable('channel').set({ overwrites }).where('id', '=', id).execute();
  if (some.index_playlists) await tasks.start(indexPlaylists, { channels: [id] });
}
