import { workerQuery } from '../../platform/db/worker-query.ts';
import type { CommentTable } from '../../platform/db/schema/tables.ts';
import { serializeComment } from '../video/shape.ts';
import { findDuration } from '../video/store.ts';

const utf8 = new TextEncoder();

/**
 * Serializes comments as a tree. Replies without a parent are left out. Iterative, because replies may be nested deeper than the
 * call stack allows.
 */
function treeOf(rows: CommentTable[]): string {
  const repliesTo = Map.groupBy(rows, (row) => row.parent);
  // Each list is taken once, so that a comment that replies to itself causes no endless loop.
  const take = (parent: string) => {
    const replies = repliesTo.get(parent) ?? [];
    repliesTo.delete(parent);
    return { replies, next: 0 };
  };
  const open = [take('root')];
  const pieces = ['['];
  for (let last = open[0]; last; last = open.at(-1)) {
    const row = last.replies[last.next++];
    if (row) {
      pieces.push(last.next > 1 ? ',' : '', JSON.stringify(serializeComment(row)).slice(0, -1), ',"comment_replies":[');
      open.push(take(row.id));
    } else {
      open.pop();
      pieces.push(open.length > 0 ? ']}' : ']');
    }
  }
  return pieces.join('');
}

/**
 * Returns the comments of a video as UTF-8 JSON, or null if there is no such video. Bytes, because thousands of objects are slow
 * to transfer between threads.
 */
export const serializedComments = workerQuery('comments', async (db, videoId: string): Promise<Uint8Array | null> => {
  if (!(await findDuration(db, videoId))) return null;
  const rows = await db.selectFrom('comment').selectAll().where('videoId', '=', videoId).orderBy('position').execute();
  return utf8.encode(treeOf(rows));
});
