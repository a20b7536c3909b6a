import type { Selectable } from 'kysely';
import type { Tx } from '../../platform/db/db.ts';
import type { CommentTable } from '../../platform/db/schema/tables.ts';
import type { Comment } from '../../platform/ytdlp/info.ts';

export type CommentRow = Omit<Selectable<CommentTable>, 'videoId' | 'position'>;

/** Converts comments to rows. */
export const commentRows = (comments: Comment[]): CommentRow[] =>
  comments.map(({ isFavorited, isByUploader, ...comment }) => ({
    ...comment,
    isFavorited: isFavorited ? 1 : 0,
    isByUploader: isByUploader ? 1 : 0,
  }));

/** Replaces the comments of a video. An empty list changes nothing, because comments were probably disabled since. */
export async function saveComments(tx: Tx, videoId: string, comments: Comment[]): Promise<void> {
  if (comments.length === 0) return;
  await writeComments(tx, videoId, commentRows(comments));
}

/** Replaces the comment rows of a video and updates their number. */
export async function writeComments(tx: Tx, videoId: string, rows: CommentRow[]): Promise<void> {
  await tx.deleteFrom('comment').where('videoId', '=', videoId).execute();
  for (let from = 0; from < rows.length; from += 500)
    await tx
      .insertInto('comment')
      .values(rows.slice(from, from + 500).map((comment, place) => ({ ...comment, videoId, position: from + place })))
      .onConflict((c) => c.doNothing()) // a site may return a comment twice
      .execute();
  const { count } = await tx
    .selectFrom('comment')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('videoId', '=', videoId)
    .executeTakeFirstOrThrow();
  await tx.updateTable('video').set({ commentCount: count }).where('id', '=', videoId).execute();
}
