import { message } from '#contract/messages.ts';
import type { Tx } from '../../platform/db/db.ts';
import type { FileStore } from '../../platform/storage/file-store.ts';
import { addTrashEntry, storeRows } from './trash-entry.ts';
import { listFiles } from './trash-files.ts';
import { stemOf } from './upload.ts';

/**
 * Puts the file of a video into the trash, in a transaction before another file takes its place: archives the rows that describe the
 * file and records it to be moved. The video and its other files stay. May be repeated with the same folder. Returns the stored paths.
 */
export async function trashReplacedFile(
  tx: Tx,
  files: Pick<FileStore, 'isRemote'>,
  { videoId, folder, now }: { videoId: string; folder: string; now: number },
): Promise<string[]> {
  const listed = await tx.selectFrom('trashFile').select('path').where('folder', '=', folder).execute();
  if (listed.length > 0) return listed.map(({ path }) => path);
  const video = await tx.selectFrom('video').selectAll().where('id', '=', videoId).executeTakeFirst();
  if (!video) return [];
  const number = await addTrashEntry(tx, { videoId, folder, now, isReplacedFile: 1, by: null, why: message('trash.replaced') });
  await storeRows(tx, number, 'video', 0, [video]);
  const streams = await tx.selectFrom('stream').selectAll().where('videoId', '=', videoId).execute();
  await storeRows(tx, number, 'stream', 0, streams);
  // In a bucket each file has an info.json with its unique name; on a disk the next one takes its name.
  const paths = files.isRemote ? [video.mediaPath, `${stemOf(video.mediaPath)}.info.json`] : [video.mediaPath];
  await listFiles(tx, files, { folder, paths });
  return paths;
}
