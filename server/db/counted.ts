import { sql } from 'kysely';
import type { Db, Tx } from './db.ts';

/** Has the database number queue items from beyond this one on; numbers that it gave already stay. */
export async function countQueueFrom(db: Db | Tx, number: number): Promise<void> {
  if (db.engine === 'postgres') {
    await sql`select setval(counted, greatest(nextval(counted), ${number}))
      from pg_get_serial_sequence('download', 'number') as counted`.execute(db);
    return;
  }
  // https://sqlite.org/autoinc.html: a table that never had a row has none in there either.
  await sql`update sqlite_sequence set seq = max(seq, ${number}) where name = 'download'`.execute(db);
  await sql`insert into sqlite_sequence (name, seq) select 'download', ${number}
    where not exists (select 1 from sqlite_sequence where name = 'download')`.execute(db);
}
