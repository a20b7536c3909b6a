import { sql } from 'kysely';
import { inTransaction, type Db } from '../../../platform/db/db.ts';

// FTS5 stores each write as a segment and merges some automatically; each query term is looked up in every segment. Queries of a
// merged name index take two thirds of the time (bench/README.md). PostgreSQL needs no merging.

// Each later write adds a segment. This threshold avoids a merge after every new video.
const maxPieces = 6;
/** Pages written per step, which blocks other writers for some milliseconds. */
const pagesAtOnce = 200;

/** Runs one merge step. Returns whether it was the last. */
const step = (db: Db, isFirst: boolean) =>
  inTransaction(db, async (tx) => {
    const changes = async () => (await sql<{ count: number }>`select total_changes() as count`.execute(tx)).rows[0]!.count;
    const before = await changes();
    // A negative number starts a merge of all segments; a step without work changes fewer than two rows
    // (sqlite.org/fts5.html#the_merge_command).
    await sql`insert into search_name (search_name, rank) values ('merge', ${sql.lit(isFirst ? -pagesAtOnce : pagesAtOnce)})`.execute(
      tx,
    );
    return (await changes()) - before < 2;
  });

/** Merges the segments of the name index if there are many, for about `longestMs`. Returns whether the merge is complete. */
export async function mergeFtsSegments(db: Db, longestMs = Number.POSITIVE_INFINITY): Promise<boolean> {
  if (db.engine === 'postgres') return true;
  const { rows } = await sql<{ pieces: number }>`select count(distinct segid) as pieces from search_name_idx`.execute(db);
  if (rows[0]!.pieces <= maxPieces) return true;
  const begun = performance.now();
  for (let isFirst = true; !(await step(db, isFirst)); isFirst = false) if (performance.now() - begun > longestMs) return false;
  return true;
}
