import { copyFile, link, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { sql } from 'kysely';
import { columnsOf, replaceFromSchema } from './copy.ts';
import type { Db, Tx } from './db.ts';
import { dataTables } from './kept.ts';
import { migrate } from './migrate.ts';
import { copyInto, openSqliteAlone, replaceContent } from './sqlite.ts';

/** A database beside the present one, made ready there and then put in its place at one instant. */
export interface Staging {
  db: Db;
  /** Brings it to a step, or to the newest. */
  migrate(upTo?: string): Promise<void>;
  /** The names of the columns of each table as it is now. */
  columns(): Promise<Map<string, Set<string>>>;
  /** What is not right in it, as words of the database; empty when all is well. */
  complaints(): Promise<string[]>;
  /**
   * Takes the place of the present one: all of it or nothing, also when killed. `last` is the last thing that happens in it,
   * where that is not done in `db` before.
   */
  replace(last: (tx: Db | Tx) => Promise<void>): Promise<void>;
  /** Leaves no trace of it; after `replace` too. */
  discard(): Promise<void>;
}

/** Where the present database is. Without `db` nobody has it open, or nobody can (it is of a newer version). */
export interface Present {
  db: Db | null;
  /** Of the SQLite file. */
  path: string;
  /** Where that file goes when it is replaced, because it is damaged; nobody has it open. */
  aside?: string;
  databaseUrl: string | undefined;
}

const schema = 'reelkeep_restoring';
const pathOf = (present: Present) => `${present.path}.restoring`;
const namesIn = async (db: Db, of?: string) =>
  new Map([...(await columnsOf(db, of))].map(([table, columns]) => [table, new Set(columns.map(({ name }) => name))]));

/** Removes what a killed restore left beside the database. */
export async function removeStaging(present: Present): Promise<void> {
  if (present.databaseUrl) {
    if (present.db) await sql`drop schema if exists ${sql.id(schema)} cascade`.execute(present.db.withoutPlugins());
    return;
  }
  for (const ending of ['', '-wal', '-shm', '-journal']) await rm(pathOf(present) + ending, { force: true });
}

/** Goes on where that is all. */
const unless = (code: string) => (error: NodeJS.ErrnoException) => {
  if (error.code !== code) throw error;
};

/**
 * Puts a finished file in the place of a damaged one, which is kept under another name. Killed anywhere in between, the one or the
 * other is there. What was written ahead of the damaged one goes with it, or SQLite would play it into the new one.
 */
async function takePlace(from: string, { path, aside }: { path: string; aside: string }) {
  await link(path, aside).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    // A file system without links.
    return ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(error.code ?? '') ? rename(path, aside) : Promise.reject(error);
  });
  for (const ending of ['-wal', '-shm', '-journal']) await rename(path + ending, aside + ending).catch(unless('ENOENT'));
  await rename(from, path);
  const folder = await open(dirname(path));
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function onSqlite(present: Present, copyOf: string | undefined): Promise<Staging> {
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

async function onPostgres(present: Present): Promise<Staging> {
  const live = present.db!;
  await sql`create schema ${sql.id(schema)}`.execute(live.withoutPlugins()).catch((error: unknown) => {
    throw new Error(
      'This account of PostgreSQL may not make a schema, and a restore is made ready in one. Let it: grant create on database … to …',
      { cause: error },
    );
  });
  const { openPostgres } = await import('./postgres.ts');
  const db = openPostgres(present.databaseUrl!, { schema });
  return {
    db,
    migrate: async (upTo) => void (await migrate(db, upTo, { schema })),
    columns: () => namesIn(db, schema),
    complaints: async () => [], // every insert was checked as it came
    replace: (last) => replaceFromSchema(live, schema, [...dataTables, 'session', 'removal'], last),
    async discard() {
      await db.destroy();
      await removeStaging(present);
    },
  };
}

/**
 * An empty database beside the present one, or on SQLite a copy of a file that nobody uses. What an earlier one left goes
 * first.
 */
export async function openStaging(present: Present, copyOf?: string): Promise<Staging> {
  await removeStaging(present);
  return present.databaseUrl ? onPostgres(present) : onSqlite(present, copyOf);
}
