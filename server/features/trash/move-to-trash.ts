import type { Message } from '#contract/messages.ts';
import type { Tx } from '../../platform/db/db.ts';
import type { FileStore } from '../../platform/storage/file-store.ts';
import { addTrashEntry } from '../../archive/storage/trash-entry.ts';
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
  const folder = newTrashFolder();
  const number = await addTrashEntry(tx, { videoId, folder, now, addedToIgnoreList, by, why });
  await archiveRows(tx, number, videoId);
  await listFiles(tx, files, { folder, paths });
  return folder;
}
