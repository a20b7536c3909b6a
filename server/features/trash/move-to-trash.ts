import type { Message } from '#contract/messages.ts';
import type { Tx } from '../../platform/db/db.ts';
import type { FileStore } from '../../platform/storage/file-store.ts';
import { storeMessages } from '../../platform/messages/stored.ts';
import { listFiles, newTrashFolder } from '../../archive/storage/trash-files.ts';
import { archiveRows } from './row-archive.ts';

/** The user or rule that deleted a video. */
export interface DeletedBy {
  /** User name; null if a rule deleted the video. */
  by: string | null;
  /** Description of the rule. */
  why: Message | Message[] | null;
}

/**
 * Moves a video to the trash in the transaction that deletes its rows: archives the rows and records the files to move. Returns
 * the target folder.
 */
export async function moveToTrash(
  tx: Tx,
  files: Pick<FileStore, 'isRemote'>,
  videoId: string,
  { by, why, now, paths, addedToIgnoreList }: DeletedBy & { now: number; paths: string[]; addedToIgnoreList: boolean },
): Promise<string> {
  const video = await tx
    .selectFrom('video')
    .innerJoin('channel', 'channel.id', 'video.channelId')
    .select(['video.title', 'video.sizeBytes', 'video.channelId', 'channel.name as channelName'])
    .where('video.id', '=', videoId)
    .executeTakeFirstOrThrow();
  const folder = newTrashFolder();
  const { number } = await tx
    .insertInto('trash')
    .values({
      ...video,
      videoId,
      deletedAt: now,
      deletedBy: by,
      reason: why && storeMessages(why),
      addedToIgnoreList: addedToIgnoreList ? 1 : 0,
      folder,
      retainedSeconds: 0,
      observedAt: now,
    })
    .returning('number')
    .executeTakeFirstOrThrow();
  await archiveRows(tx, number, videoId);
  await listFiles(tx, files, { folder, paths });
  return folder;
}
