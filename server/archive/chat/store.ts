import { z } from 'zod';
import { chatSources } from '#contract/chat.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import { scheduleDeletion } from '../storage/pending-deletions.ts';

/** End of the name of a chat next to its media file. */
export const chatEnding = '.chat.jsonl.gz';

const count = z.int().min(0);

/** A chat whose file is in place. Also part of a manifest. */
export const StoredChat = z.object({
  path: z.string(),
  source: z.enum(chatSources),
  sizeBytes: count,
  sha256: z.string(),
  messages: count,
  isComplete: z.boolean(),
  chunks: z.array(z.object({ n: count, fromMs: count, toMs: count, messages: count, byteOffset: count, bytes: count })),
});
export type StoredChat = z.infer<typeof StoredChat>;

export const findChat = (db: Db, videoId: string) =>
  db.selectFrom('chat').selectAll().where('videoId', '=', videoId).executeTakeFirst();

/** Videos whose chat is to be fetched, the longest waiting first. */
export const dueChats = (db: Db, now: number) =>
  db.selectFrom('chat').select('videoId').where('nextAt', '<=', now).orderBy('nextAt').orderBy('videoId');

/** Lists the parts of a chat in the order of time. */
export const listChunks = (db: Db, videoId: string) =>
  db
    .selectFrom('chatChunk')
    .select(['n', 'fromMs', 'toMs', 'messages', 'byteOffset', 'bytes'])
    .where('videoId', '=', videoId)
    .orderBy('n')
    .execute();

const maxRowsAtOnce = 100;

/** Writes the rows of a chat. The file that it replaces is deleted. `nextAt`: when the site is asked for its replay, epoch seconds. */
export async function saveChat(
  tx: Tx,
  videoId: string,
  { chunks, isComplete, ...chat }: StoredChat,
  { now, attempts, nextAt }: { now: number; attempts: number; nextAt: number | null },
): Promise<void> {
  const before = await findChat(tx, videoId);
  const row = { ...chat, isComplete: isComplete ? (1 as const) : (0 as const), fetchedAt: now, attempts, nextAt };
  await tx
    .insertInto('chat')
    .values({ videoId, ...row })
    .onConflict((c) => c.column('videoId').doUpdateSet(row))
    .execute();
  await tx.deleteFrom('chatChunk').where('videoId', '=', videoId).execute();
  for (let from = 0; from < chunks.length; from += maxRowsAtOnce)
    await tx
      .insertInto('chatChunk')
      .values(chunks.slice(from, from + maxRowsAtOnce).map((chunk) => ({ videoId, ...chunk })))
      .execute();
  if (before?.path && before.path !== chat.path) await scheduleDeletion(tx, [before.path]);
}

/** Has the replay of a chat fetched at a time, in epoch seconds, unless that was decided before. */
export async function wantReplay(tx: Tx, videoId: string, nextAt: number): Promise<void> {
  await tx
    .insertInto('chat')
    .values({ videoId, source: null, path: null, fetchedAt: null, nextAt })
    .onConflict((c) => c.doNothing())
    .execute();
}

/** Has the replay of a chat fetched at a time, in epoch seconds; never if it is null. A chat that is there stays. */
export async function setNextFetch(
  db: Db,
  videoId: string,
  { nextAt, attempts }: { nextAt: number | null; attempts: number },
): Promise<void> {
  await db
    .insertInto('chat')
    .values({ videoId, source: null, path: null, fetchedAt: null, nextAt, attempts })
    .onConflict((c) => c.column('videoId').doUpdateSet({ nextAt, attempts }))
    .execute();
}
