import { copyFile, link, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { sql } from 'kysely';
import { columnsOf, replaceFromSchema } from './bulk-copy.ts';
import type { Db, Tx } from '../db.ts';
import { dataTables } from '../schema/table-policies.ts';
import { migrate } from '../migrations/migrate.ts';
import { copyInto, openSqliteAlone, replaceContent } from '../sqlite/sqlite.ts';

/** A second database that is prepared and then replaces the current one atomically. See docs/decisions/atomic-restore.md. */
export interface Staging {
  db: Db;
  /** Applies migrations up to a step, or all. */
  migrate(upTo?: string): Promise<void>;
  /** Returns the current column names of each table. */
  columns(): Promise<Map<string, Set<string>>>;
  /** Returns integrity errors; empty if valid. */
  complaints(): Promise<string[]>;
  /**
   * Replaces the current database atomically, even if killed. `last` runs in the final transaction, if it was not run in `db`
   * before.
   */
  replace(last: (tx: Db | Tx) => Promise<void>): Promise<void>;
  /** Deletes the staging database, also after `replace`. */
  discard(): Promise<void>;
}

/** The current database. `db` is null if it is not open or cannot be opened (newer version). */
export interface CurrentDatabase {
  db: Db | null;
  /** Path of the SQLite file. */
  path: string;
  /** New path of a damaged file that is replaced; no process has it open. */
  aside?: string;
  databaseUrl: string | undefined;
}

const schema = 'reelkeep_restoring';
const pathOf = (present: CurrentDatabase) => `${present.path}.restoring`;
const namesIn = async (db: Db, of?: string) =>
  new Map([...(await columnsOf(db, of))].map(([table, columns]) => [table, new Set(columns.map(({ name }) => name))]));

/** Deletes the staging database of a killed restore. */
export async function removeStaging(present: CurrentDatabase): Promise<void> {
  if (present.databaseUrl) {
    if (present.db) await sql`drop schema if exists ${sql.id(schema)} cascade`.execute(present.db.withoutPlugins());
    return;
  }
  for (const extension of ['', '-wal', '-shm', '-journal']) await rm(pathOf(present) + extension, { force: true });
}

/** Ignores errors with this code. */
const unless = (code: string) => (error: NodeJS.ErrnoException) => {
  if (error.code !== code) throw error;
};

/**
 * Replaces a damaged file, which is kept under another name. At any moment one of them exists. The WAL of the damaged file is
 * moved too, or SQLite would apply it to the new one.
 */
async function takePlace(from: string, { path, aside }: { path: string; aside: string }) {
  await link(path, aside).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    // file system without hard links
    return ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(error.code ?? '') ? rename(path, aside) : Promise.reject(error);
  });
  for (const extension of ['-wal', '-shm', '-journal']) await rename(path + extension, aside + extension).catch(unless('ENOENT'));
  await rename(from, path);
  const folder = await open(dirname(path));
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function onSqlite(present: CurrentDatabase, copyOf: string | undefined): Promise<Staging> {
  const path = pathOf(present);
  if (copyOf) await copyFile(copyOf, path);
  const db = await openSqliteAlone(path).catch(async (error: unknown) => {
    await removeStaging(present);
    throw error;
  });
  let isOpen = true;
  const close = async () => {
    if (isOpen) await db.destroy();
    isOpen = false;
  };
  return {
    db,
    migrate: async (upTo) => void (await migrate(db, upTo)),
    columns: () => namesIn(db),
    async complaints() {
      const { rows: damage } = await sql<{ integrityCheck: string }>`pragma integrity_check`.execute(db);
      const { rows: orphans } = await sql<{ table: string; parent: string }>`pragma foreign_key_check`.execute(db);
      return [
        ...damage.map((row) => row.integrityCheck).filter((words) => words !== 'ok'),
        ...orphans.slice(0, 5).map(({ table, parent }) => `A row of ${table} belongs to no ${parent}.`),
      ];
    },
    async replace(last) {
      await last(db);
      await sql`pragma wal_checkpoint(truncate)`.execute(db);
      await close();
      const { aside } = present;
      if (aside) await takePlace(path, { path: present.path, aside });
      else await (present.db ? replaceContent(present.db, path) : copyInto(path, present.path));
    },
    async discard() {
      await close();
      await removeStaging(present);
    },
  };
}

async function onPostgres(present: CurrentDatabase): Promise<Staging> {
  const live = present.db!;
  await sql`create schema ${sql.id(schema)}`.execute(live.withoutPlugins()).catch((error: unknown) => {
    throw new Error(
      'This account of PostgreSQL may not make a schema, and a restore is made ready in one. Let it: grant create on database … to …',
      { cause: error },
    );
  });
  const { openPostgres } = await import('../postgres/postgres.ts');
  const db = openPostgres(present.databaseUrl!, { schema });
  return {
    db,
    migrate: async (upTo) => void (await migrate(db, upTo, { schema })),
    columns: () => namesIn(db, schema),
    complaints: async () => [], // every insert was checked
    replace: (last) => replaceFromSchema(live, schema, [...dataTables, 'session', 'pendingDeletion'], last),
    async discard() {
      await db.destroy();
      await removeStaging(present);
    },
  };
}

/** Creates an empty staging database, or on SQLite a copy of a file that is not in use. An earlier one is deleted first. */
export async function openStaging(present: CurrentDatabase, copyOf?: string): Promise<Staging> {
  await removeStaging(present);
  return present.databaseUrl ? onPostgres(present) : onSqlite(present, copyOf);
}
