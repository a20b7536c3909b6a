import type { AppContext } from '../../platform/context/app-context.ts';
import { purgeableForSpace } from '../trash/purge-for-space.ts';
import { readSettings } from '../../archive/settings/store.ts';
import { downloadPending } from './download-pending.ts';
import { placeOf } from './slots.ts';
import { whyNoSpace } from '../../archive/storage/disk-space.ts';
import { isAnyClaimable } from '../../archive/queue/claims.ts';

/** Starts downloading if an item is due for a retry or the cooldown of its site has ended. */
export async function startQueueIfDue(app: AppContext): Promise<void> {
  const { db, nodes, tasks, tools } = app;
  if (!tools.ytdlp || !tools.ffmpeg) return;
  if ((await tasks.activeInputs('download_pending')).length > 0) return;
  const settings = await readSettings(db);
  const places = (await nodes.workerEgresses()).map((egress) => placeOf(app, egress, settings));
  if (!(await isAnyClaimable(db, { autoOnly: true }, places))) return;
  if ((await whyNoSpace(app)) && (await purgeableForSpace(app)).length === 0) return;
  await tasks.start(downloadPending, { autoOnly: true });
}
