import { message } from '#contract/messages.ts';
import type { Tx } from '../../platform/db/db.ts';
import type { FileStore } from '../../platform/storage/file-store.ts';
import { storeMessages } from '../../platform/messages/stored.ts';
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
  const { title, channelId, sizeBytes, mediaPath } = video;
  const channel = await tx.selectFrom('channel').select('name').where('id', '=', channelId).executeTakeFirstOrThrow();
  const { number: trashNumber } = await tx
    .insertInto('trash')
    .values({
      videoId,
      title,
      channelId,
      channelName: channel.name,
      sizeBytes,
      isReplacedFile: 1,
      deletedAt: now,
      deletedBy: null,
      reason: storeMessages(message('trash.replaced')),
      addedToIgnoreList: 0,
      folder,
      retainedSeconds: 0,
      observedAt: now,
    })
    .returning('number')
    .executeTakeFirstOrThrow();
  const streams = await tx.selectFrom('stream').selectAll().where('videoId', '=', videoId).execute();
  for (const [tableName, rows] of [
    ['video', [video]],
    ['stream', streams],
  ] as const)
    await tx
      .insertInto('trashRows')
      .values({ trashNumber, tableName, part: 0, rows: JSON.stringify(rows) })
      .execute();
  // In a bucket each file has an info.json with its unique name; on a disk the next one takes its name.
  const paths = files.isRemote ? [mediaPath, `${stemOf(mediaPath)}.info.json`] : [mediaPath];
  await listFiles(tx, files, { folder, paths });
  return paths;
}
