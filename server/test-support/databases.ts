import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Db } from '../platform/db/db.ts';
import { migrate } from '../platform/db/migrations/migrate.ts';
import { openPostgres } from '../platform/db/postgres/postgres.ts';
import { openSqlite, openSqliteInMemory } from '../platform/db/sqlite/sqlite.ts';
import { acquireDatabase, createDatabase, postgresUrl } from './postgres-databases.ts';

export { createDatabase };

// Database engines that tests run on.

export interface TestEngine {
  engine: 'sqlite' | 'postgres';
  /** Opens an empty database without tables; `close` deletes it. `url` is set for PostgreSQL only. */
  open(): Promise<Opened>;
  /** Opens a database with all tables and no rows. */
  openWithTables(): Promise<Opened>;
}

interface Opened {
  db: Db;
  url?: string;
  close(): Promise<void>;
}

let template: Promise<string> | undefined;

/** Path of a SQLite file with all tables and no rows. It is created once per test run, because the migrations take 300 to 500 ms. */
export const sqliteTemplate = () => (template ??= buildTemplate());

async function buildTemplate(): Promise<string> {
  const folder = process.env.REELKEEP_TEST_SHARED ?? (await mkdtemp(join(tmpdir(), 'reelkeep-template-')));
  const path = join(folder, 'template.db');
  if (existsSync(path)) return path;
  const unfinished = join(folder, `${randomUUID()}.db`);
  const db = await openSqlite(unfinished);
  await migrate(db).finally(() => db.destroy());
  const file = new DatabaseSync(unfinished);
  file.exec('pragma journal_mode=delete');
  file.close();
  await rename(unfinished, path);
  return path;
}

export const sqlite: TestEngine = {
  engine: 'sqlite',
  async open() {
    const db = openSqliteInMemory();
    return { db, close: () => db.destroy() };
  },
  async openWithTables() {
    const db = openSqliteInMemory(await readFile(await sqliteTemplate()));
    return { db, close: () => db.destroy() };
  },
};

function openedPostgres(url: string, onClose: () => Promise<unknown>): Opened {
  const db = openPostgres(url);
  return {
    db,
    url,
    async close() {
      await db.destroy();
      await onClose();
    },
  };
}

const postgres: TestEngine = {
  engine: 'postgres',
  async open() {
    const { url, drop } = await createDatabase();
    return openedPostgres(url, drop);
  },
  async openWithTables() {
    const { url, release } = await acquireDatabase();
    return openedPostgres(url, release);
  },
};

/** Engines to run a test on: always SQLite, and PostgreSQL if REELKEEP_TEST_POSTGRES is set. */
export const engines: TestEngine[] = postgresUrl ? [sqlite, postgres] : [sqlite];
