import type { Archive } from '../archive.ts';
import { whatWouldGo } from '../bin/make-room.ts';
import { downloadPending } from './download-pending.ts';
import { whyNoRoom } from './room-left.ts';
import { isAnyDue } from './store.ts';

/** Begins to download when something is due: what failed and is to be tried again, or what waited for its site. */
export async function wakeQueue(archive: Archive): Promise<void> {
  const { db, now, tasks, tools } = archive;
  if (!tools.ytdlp || !tools.ffmpeg) return;
  if (!(await isAnyDue(db, now())) || (await tasks.underWay('download_pending')).length > 0) return;
  if ((await whyNoRoom(archive)) && (await whatWouldGo(archive)).length === 0) return;
  await tasks.start(downloadPending, { autoOnly: true });
}
