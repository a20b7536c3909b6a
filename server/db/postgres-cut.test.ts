import { sql } from 'kysely';
import pg from 'pg';
import { expect, test } from 'vitest';
import { anOwnDatabase, engines, patience } from '../testing.ts';
import { DatabaseAway, inTransaction } from './db.ts';
import { openPostgres } from './postgres.ts';

test.runIf(engines.length > 1)('a connection that is cut while it is used fails what used it, and nothing else', async () => {
  const { url, drop } = await anOwnDatabase();
  const db = openPostgres(url);
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  const cut = () =>
    admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like '%one%'
      and pid <> pg_backend_pid()`);
  const busy = sql`select pg_sleep(600) as one`.execute(db);
  const failed = expect(busy).rejects.toThrow(DatabaseAway);
  await expect.poll(async () => (await cut()).rowCount, patience).toBeGreaterThan(0);
  await failed;
  // Between two statements as well.
  const between = inTransaction(db, async (tx) => {
    await sql`select 1 as one`.execute(tx);
    await expect.poll(async () => (await cut()).rowCount, patience).toBeGreaterThan(0);
    await sql`select 2`.execute(tx);
  });
  await expect(between).rejects.toThrow(DatabaseAway);
  expect((await sql`select 3 as three`.execute(db)).rows).toEqual([{ three: 3 }]);
  await admin.end();
  await db.destroy();
  await drop();
});
