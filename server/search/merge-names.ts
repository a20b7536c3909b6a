import { sql } from 'kysely';
import { inTransaction, type Db } from '../db/db.ts';

// SQLite keeps an index in as many pieces as it was written in, joins some of them as it goes, and has to look into each for every word:
// names in one piece are found in two thirds of the time (bench/README.md). PostgreSQL keeps its index in one.

// What is written to it from here on makes a piece each time, so that it is not joined anew with each video that comes.
const mostPieces = 6;
/** A step writes about so many pages, and holds up others for some milliseconds. */
const pagesAtOnce = 200;

/** One step of joining; answers whether it was the last. */
const step = (db: Db, isFirst: boolean) =>
  inTransaction(db, async (tx) => {
    const changes = async () => (await sql<{ count: number }>`select total_changes() as count`.execute(tx)).rows[0]!.count;
    const before = await changes();
    // A negative number begins to join all there is; what is no step any more changes less than two rows (sqlite.org/fts5.html#the_merge_command).
    await sql`insert into search_thing (search_thing, rank) values ('merge', ${sql.lit(isFirst ? -pagesAtOnce : pagesAtOnce)})`.execute(
      tx,
    );
    return (await changes()) - before < 2;
  });

/** Joins the pieces of the index of names where there are many, for about `longestMs`; answers whether nothing is left to join. */
export async function mergeNames(db: Db, longestMs = Number.POSITIVE_INFINITY): Promise<boolean> {
  if (db.engine === 'postgres') return true;
  const { rows } = await sql<{ pieces: number }>`select count(distinct segid) as pieces from search_thing_idx`.execute(db);
  if (rows[0]!.pieces <= mostPieces) return true;
  const begun = performance.now();
  for (let isFirst = true; !(await step(db, isFirst)); isFirst = false) if (performance.now() - begun > longestMs) return false;
  return true;
}
