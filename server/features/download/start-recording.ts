import { readOverridesOf, readSettings } from '../../archive/settings/store.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { recordStream, type StreamWanted } from './record-stream-task.ts';

/** More streams at once would need too much of a small server and its connection. Others are tried again later. */
const maxRecordings = 4;

/**
 * Starts to record a running stream if the settings or the channel say so. Only YouTube has its streams from the start. Returns whether it is
 * recorded.
 */
export async function recordIfWanted(
  app: AppContext,
  { id, site, channelId }: { id: string; site: string; channelId: string },
): Promise<boolean> {
  if (site !== 'youtube') return false;
  const { downloads } = await readSettings(app.db);
  if (((await readOverridesOf(app.db, channelId)).live ?? downloads.live) !== 'record') return false;
  const recorded = (await app.tasks.activeInputs('record_stream')) as StreamWanted[];
  if (recorded.some((one) => one.id === id)) return true;
  if (recorded.length >= maxRecordings) return false;
  await app.tasks.start(recordStream, { id });
  return true;
}
