import { readOverridesOf, readSettings } from '../../archive/settings/store.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { recordStream, type StreamWanted } from './record-stream-task.ts';

/** More streams at once would need too much of a small server and its connection. Others are tried again later. */
const maxRecordings = 4;

interface Stream {
  site: string;
  channelId: string;
}

/** Whether the settings or the channel say that a stream is recorded. Only YouTube has its streams from the start. */
export async function wantsRecording(app: AppContext, { site, channelId }: Stream): Promise<boolean> {
  if (site !== 'youtube') return false;
  const { downloads } = await readSettings(app.db);
  return ((await readOverridesOf(app.db, channelId)).live ?? downloads.live) === 'record';
}

/** Starts to record a running stream if that is wanted. Returns whether it is recorded. */
export async function recordIfWanted(app: AppContext, stream: Stream & { id: string }): Promise<boolean> {
  if (!(await wantsRecording(app, stream))) return false;
  const recorded = (await app.tasks.activeInputs('record_stream')) as StreamWanted[];
  if (recorded.some(({ id }) => id === stream.id)) return true;
  if (recorded.length >= maxRecordings) return false;
  await app.tasks.start(recordStream, { id: stream.id });
  return true;
}
