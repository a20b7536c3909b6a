import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

/**
 * What all tests of a run share: a folder, and the name of a PostgreSQL database that whoever needs it first makes
 * (server/testing.ts). Both go with the run. Vitest calls this once, before the first test.
 */
export default function shareThings(): () => Promise<void> {
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
    await client.query(`drop database if exists ${tables}`).finally(() => client.end());
  };
}
