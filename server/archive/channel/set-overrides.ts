import type { ChannelOverwrites, SomeOverwrites } from '#contract/channel.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { inTransaction } from '../../platform/db/db.ts';
import { indexPlaylists } from '../playlist/index-playlists.ts';
import { readSettings, readOverridesOf } from '../settings/store.ts';
import { scansFurther, scanLimitsOf } from './scan-limits.ts';

/** Updates the settings of one channel. null removes an override; settings that are not given stay unchanged. */
export async function setOverrides(app: AppContext, id: string, changes: SomeOverwrites): Promise<void> {
  const { db, tasks } = app;
  const { subscriptions } = await readSettings(app.db);
  // In a transaction, so that concurrent changes to other settings are not lost.
  await inTransaction(db, async (tx) => {
    const before = await readOverridesOf(tx, id);
    const chosen = Object.entries({ ...before, ...changes }).filter(([, value]) => value !== null);
    const now = Object.fromEntries(chosen) as Partial<ChannelOverwrites>;
    const overwrites = chosen.length > 0 ? JSON.stringify(now) : null;
    const scansMore = scansFurther(scanLimitsOf(now, subscriptions), scanLimitsOf(before, subscriptions));
    await tx
      .updateTable('channel')
      .set({ overwrites, ...(scansMore && { lastFullScanAt: null }) })
      .where('id', '=', id)
      .execute();
  });
  if (changes.index_playlists) await tasks.start(indexPlaylists, { channels: [id] });
}
