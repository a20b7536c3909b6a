import type { Message } from '#contract/messages.ts';
import type { Tx } from '../../platform/db/db.ts';
import { storeMessages } from '../../platform/messages/stored.ts';

interface TrashEntry {
  videoId: string;
  folder: string;
  now: number;
  /** Only the file goes to the trash; the video stays. */
  isReplacedFile?: 1;
  addedToIgnoreList?: boolean;
  /** User name; null for a rule or a download. */
  by: string | null;
  why: Message | Message[] | null;
}

/** Adds the entry of a video to the trash, and returns its number. Its rows and files are added to it. */
export async function addTrashEntry(
  tx: Tx,
  { videoId, folder, now, isReplacedFile, addedToIgnoreList = false, by, why }: TrashEntry,
): Promise<number> {
  const video = await tx
    .selectFrom('video')
    .innerJoin('channel', 'channel.id', 'video.channelId')
    .select(['video.title', 'video.sizeBytes', 'video.channelId', 'channel.name as channelName'])
    .where('video.id', '=', videoId)
    .executeTakeFirstOrThrow();
  const { number } = await tx
    .insertInto('trash')
    .values({
      ...video,
      videoId,
      ...(isReplacedFile && { isReplacedFile }),
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
  return number;
}

/** Stores rows of a table with an entry of the trash. A table with many rows has several parts, from 0. */
export const storeRows = (tx: Tx, trashNumber: number, tableName: string, part: number, rows: readonly object[]) =>
  tx
    .insertInto('trashRows')
    .values({ trashNumber, tableName, part, rows: JSON.stringify(rows) })
    .execute();
