import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Db } from './db/db.ts';
import { migrate } from './db/migrate.ts';
import { openPostgres } from './db/postgres.ts';
import { openSqliteInMemory } from './db/sqlite.ts';

// The databases that tests run on.

const postgresUrl = process.env.REELKEEP_TEST_POSTGRES;

export interface TestEngine {
  engine: 'sqlite' | 'postgres';
  /** An empty database without tables; `close` makes it vanish. `url` is that of PostgreSQL. */
  open(): Promise<Opened>;
  /** One with all tables. */
  openWithTables(): Promise<Opened>;
}

interface Opened {
  db: Db;
  url?: string;
  close(): Promise<void>;
}

async function asAdmin<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: postgresUrl });
  await client.connect();
  return work(client).finally(() => client.end());
}

const urlOf = (database: string) => {
  const url = new URL(postgresUrl!);
  url.pathname = `/${database}`;
  return url.href;
};

/** An empty PostgreSQL database that nobody else has, or a copy of another; `drop` makes it vanish. */
export async function anOwnDatabase(like = 'template1') {
  const name = `reelkeep_${randomUUID().replaceAll('-', '')}`;
  await asAdmin((client) => client.query(`create database ${name} template ${like}`));
  return { url: urlOf(name), drop: () => asAdmin((client) => client.query(`drop database ${name} with (force)`)) };
}

/**
 * A PostgreSQL database with all tables, made once in a run of the tests by whoever needs it first: copying it takes a tenth
 * of the time. Goes with the run.
 */
const makeTables = () =>
  asAdmin(async (client) => {
    const name = process.env.REELKEEP_TEST_TABLES!;
    await client.query('select pg_advisory_lock(20)'); // until this connection ends
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (rowCount) return name;
    const { url } = await anOwnDatabase();
    const db = openPostgres(url);
    await migrate(db).finally(() => db.destroy());
    await client.query(`alter database ${new URL(url).pathname.slice(1)} rename to ${name}`);
    return name;
  });
let tables: Promise<string> | undefined;

async function openOwnPostgres(like?: string): Promise<Opened> {
  const { url, drop } = await anOwnDatabase(like);
  const db = openPostgres(url);
  return {
    db,
    url,
    async close() {
      await db.destroy();
      await drop();
    },
  };
}

/** All tables are made in it. */
export async function migrated(db: Db): Promise<Opened> {
  await migrate(db);
  return { db, close: () => db.destroy() };
}

export const sqlite: TestEngine = {
  engine: 'sqlite',
  async open() {
    const db = openSqliteInMemory();
    return { db, close: () => db.destroy() };
  },
  openWithTables: () => migrated(openSqliteInMemory()),
};

const postgres: TestEngine = {
  engine: 'postgres',
  open: () => openOwnPostgres(),
  openWithTables: async () => openOwnPostgres(await (tables ??= makeTables())),
};

/** The engines to run a test on: SQLite always, PostgreSQL where one can be had (REELKEEP_TEST_POSTGRES). */
export const engines: TestEngine[] = postgresUrl ? [sqlite, postgres] : [sqlite];
