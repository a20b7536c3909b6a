import { reading } from '../db/reading.ts';
import type { CommentTable } from '../db/tables.ts';
import { shapeComment } from './shape.ts';
import { findDuration } from './store.ts';

const utf8 = new TextEncoder();

/**
 * Comments as a tree, in JSON; replies whose parent is not there are left out. Written one after the other: answers may be as deep
 * as anybody went on answering, deeper than calls may be.
 */
function treeOf(rows: CommentTable[]): string {
  const repliesTo = Map.groupBy(rows, (row) => row.parent);
  // Each list once: a comment that answers itself would go round for ever.
  const take = (parent: string) => {
    const some = repliesTo.get(parent) ?? [];
    repliesTo.delete(parent);
    return { some, at: 0 };
  };
  const open = [take('root')];
  const pieces = ['['];
  for (let last = open[0]; last; last = open.at(-1)) {
    const row = last.some[last.at++];
    if (row) {
      pieces.push(last.at > 1 ? ',' : '', JSON.stringify(shapeComment(row)).slice(0, -1), ',"comment_replies":[');
      open.push(take(row.id));
    } else {
      open.pop();
      pieces.push(open.length > 0 ? ']}' : ']');
    }
  }
  return pieces.join('');
}

/** The comments of a video as JSON, in UTF-8; null where there is no such video. There may be thousands: bytes are quicker to carry. */
export const writtenComments = reading('comments', async (db, videoId: string): Promise<Uint8Array | null> => {
  if (!(await findDuration(db, videoId))) return null;
  const rows = await db.selectFrom('comment').selectAll().where('videoId', '=', videoId).orderBy('position').execute();
  return utf8.encode(treeOf(rows));
});
