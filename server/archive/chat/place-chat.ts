import type { ChatSource } from '#contract/chat.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { inTransaction } from '../../platform/db/db.ts';
import { cancelDeletion, deletePendingFiles, scheduleDeletion } from '../storage/pending-deletions.ts';
import { beginUpload, commitUpload, newStem, putFiles, stemOf, uniquePart } from '../storage/upload.ts';
import { chatEnding, findChat, saveChat } from './store.ts';
import type { WrittenChat } from './write-chat.ts';

/** Path of a new file: next to the media file, and never that of the present chat, which stays until its row is changed. */
function pathOfNew(app: AppContext, { id, channelId, mediaPath }: ChattedVideo, present: string | null): string {
  if (app.files.isRemote) return `${newStem(app, channelId, id)}${chatEnding}`;
  const plain = `${stemOf(mediaPath)}${chatEnding}`;
  return plain === present ? `${stemOf(mediaPath)}.${uniquePart()}${chatEnding}` : plain;
}

interface ChattedVideo {
  id: string;
  channelId: string;
  mediaPath: string;
}

/**
 * Puts a chat next to the media file of an archived video and writes its rows, unless the video was deleted meanwhile. After a crash
 * without the rows, the next start deletes the file.
 */
export async function placeChat(
  app: AppContext,
  video: ChattedVideo,
  local: string,
  { source, written, attempts, nextAt }: { source: ChatSource; written: WrittenChat; attempts: number; nextAt: number | null },
  signal: AbortSignal,
): Promise<void> {
  const { db, files, now } = app;
  const { sizeBytes, sha256 } = written;
  const present = (await findChat(db, video.id))?.path ?? null;
  const path = pathOfNew(app, video, present);
  await (files.isRemote
    ? beginUpload(app, { id: path, number: 0, paths: [path] })
    : inTransaction(db, (tx) => scheduleDeletion(tx, [path])));
  await putFiles(app, [{ local, path, sizeBytes, sha256 }], signal);
  await inTransaction(db, async (tx) => {
    if (files.isRemote) await commitUpload(tx, path);
    const isThere = await tx.selectFrom('video').select('id').where('id', '=', video.id).executeTakeFirst();
    if (!isThere) return scheduleDeletion(tx, [path]);
    await saveChat(tx, video.id, { ...written, path, source }, { now: now(), attempts, nextAt });
    await cancelDeletion(tx, [path]);
  });
  await deletePendingFiles(app, present === null ? [path] : [path, present]);
}
