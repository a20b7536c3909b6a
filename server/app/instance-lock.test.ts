import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import pg from 'pg';
import { createDatabase, engines, testTimeouts } from '../test-support/app.ts';
import { acquireInstanceLock } from './instance-lock.ts';

test.runIf(engines.length > 1)('tells when the connection with the lock is lost', async () => {
  const [{ url, drop }, folder] = [await createDatabase(), await mkdtemp(join(tmpdir(), 'reelkeep-lock-'))];
  const lock = await acquireInstanceLock({ dataFolder: folder, databaseUrl: url });
  let lost = 0;
  lock.onLost(() => lost++);
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  await admin.query(`select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'
    and database = (select oid from pg_database where datname = current_database())`);
  await admin.end();
  await expect.poll(() => lost, testTimeouts).toBe(1);
  await lock.release();
  await drop();
  await rm(folder, { recursive: true });
});
