import { sql } from 'kysely';
import type { Db, Tx } from './db.ts';

/** Sets the next number of queue items to a value above `number`. Never decreases it. */
export async function resetQueueSequence(db: Db | Tx, number: number): Promise<void> {
  if (db.engine === 'postgres') {
    await sql`select setval(counted, greatest(nextval(counted), ${number}))
      from pg_get_serial_sequence('download', 'number') as counted`.execute(db);
    return;
  }
  // https://sqlite.org/autoinc.html: sqlite_sequence has no row for a table that never had one.
  await sql`update sqlite_sequence set seq = max(seq, ${number}) where name = 'download'`.execute(db);
  await sql`insert into sqlite_sequence (name, seq) select 'download', ${number}
    where not exists (select 1 from sqlite_sequence where name = 'download')`.execute(db);
}
