import { sql } from 'kysely';
import pg from 'pg';
import { expect, test } from 'vitest';
import { createDatabase, engines, testTimeouts } from '../../../test-support/app.ts';
import { startPostgresRelay } from '../../../test-support/postgres-relay.ts';
import { DatabaseUnavailableError, inTransaction } from '../db.ts';
import { openPostgres } from './postgres.ts';

test.runIf(engines.length > 1)('a server that freezes in a transaction blocks another one for about ten seconds', async () => {
  const { url, drop } = await createDatabase();
  const [frozen, other] = [openPostgres(url), openPostgres(url)];
  const released = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const first = inTransaction(frozen, async (tx) => {
    begun.resolve();
    await released.promise;
    await sql`select 1`.execute(tx);
  });
  const failed = expect(first).rejects.toThrow();
  await begun.promise;
  const { rows } = await inTransaction(other, (tx) => sql<{ two: number }>`select 2 as two`.execute(tx));
  expect(rows).toEqual([{ two: 2 }]);
  released.resolve();
  await failed;
  await Promise.all([frozen.destroy(), other.destroy()]);
  await drop();
});

test.runIf(engines.length > 1)('queries that wait for a silent server fail when its connections are dropped', async () => {
  const { url, drop } = await createDatabase();
  const relay = await startPostgresRelay(url);
  const db = openPostgres(relay.url);
  await sql`select 1`.execute(db);
  const sent = relay.silence();
  const waiting = expect(sql`select 2`.execute(db)).rejects.toThrow(DatabaseUnavailableError);
  await sent;
  db.dropConnections!();
  await waiting;
  expect((await sql`select 3 as three`.execute(db)).rows).toEqual([{ three: 3 }]);
  await db.destroy();
  relay.close();
  await drop();
});

test.runIf(engines.length > 1)('a lost connection fails only the current statement', async () => {
  const { url, drop } = await createDatabase();
  const db = openPostgres(url);
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  const terminate = () =>
    admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like '%one%'
      and pid <> pg_backend_pid()`);
  const busy = sql`select pg_sleep(600) as one`.execute(db);
  const failed = expect(busy).rejects.toThrow(DatabaseUnavailableError);
  await expect.poll(async () => (await terminate()).rowCount, testTimeouts).toBeGreaterThan(0);
  await failed;
  // The error is also reported between two statements.
  const between = inTransaction(db, async (tx) => {
    await sql`select 1 as one`.execute(tx);
    await expect.poll(async () => (await terminate()).rowCount, testTimeouts).toBeGreaterThan(0);
    await sql`select 2`.execute(tx);
  });
  await expect(between).rejects.toThrow(DatabaseUnavailableError);
  expect((await sql`select 3 as three`.execute(db)).rows).toEqual([{ three: 3 }]);
  await admin.end();
  await db.destroy();
  await drop();
});
