import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

/**
 * Creates what all tests of a run share: a folder, and the name of a PostgreSQL database with all tables, which the first worker
 * that needs it creates (server/test-support/postgres-databases.ts). Removes both, and copies of the database, after the run.
 * Vitest calls this before the first test of each project.
 */
export default function createSharedResources(): (() => Promise<void>) | undefined {
  if (process.env.REELKEEP_TEST_SHARED) return undefined; // another Vitest project of this run has already created them
  const folder = mkdtempSync(join(tmpdir(), 'reelkeep-shared-'));
  process.env.REELKEEP_TEST_SHARED = folder;
  const tables = `reelkeep_tables_${randomUUID().replaceAll('-', '')}`;
  process.env.REELKEEP_TEST_TABLES = tables;
  return async () => {
    rmSync(folder, { recursive: true, force: true });
    const { REELKEEP_TEST_POSTGRES: connectionString } = process.env;
    if (!connectionString) return;
    const client = new pg.Client({ connectionString });
    await client.connect();
    const { rows } = await client.query<{ datname: string }>('select datname from pg_database where starts_with(datname, $1)', [
      tables,
    ]);
    for (const { datname } of rows) await client.query(`drop database if exists ${datname} with (force)`);
    await client.end();
  };
}
