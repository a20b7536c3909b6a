import { message } from '#contract/messages.ts';
import { createWriteStream } from 'node:fs';
import { copyFile, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import { pipeline } from 'node:stream/promises';
import { findDamage } from '../../backup/integrity-check.ts';
import { freeBytes } from '../../../platform/files/free-space.ts';
import { MessageError } from '../../../platform/messages/message-error.ts';
import { createTempDir } from '../../../platform/process/temp-dir.ts';
import type { SourceFile } from './source.ts';

/** A SQLite database of another program, opened on a private copy. */
export interface ForeignDatabase {
  /** Names of the tables. */
  tables: ReadonlySet<string>;
  /**
   * Streams rows with the wanted columns that exist; missing optional ones are null. `order` is SQL on existing columns.
   * @throws MessageError if a required column is missing
   */
  rows(
    table: string,
    columns: { required: string[]; optional?: string[] },
    order?: string,
  ): Iterable<Record<string, SQLOutputValue>>;
  has(table: string, column: string): boolean;
  close(): Promise<void>;
}

const maxBytes = 8 * 1024 ** 3;
const sqliteHeader = 'SQLite format 3\0';

/** Returns whether a file is a SQLite database. */
export async function isSqlite(file: SourceFile): Promise<boolean> {
  for await (const piece of file.read()) return piece.subarray(0, 16).toString('latin1') === sqliteHeader;
  return false;
}

const stateOf = (path: string) =>
  stat(path).then(
    ({ size, mtimeMs }) => `${size} ${mtimeMs}`,
    () => 'absent',
  );

/** Copies a database with its write-ahead log. @throws MessageError if it keeps changing meanwhile */
async function copyDatabase(from: string, to: string) {
  const parts = ['', '-wal'];
  for (let attempt = 1; ; attempt++) {
    const states = async () => Promise.all(parts.map((part) => stateOf(from + part)));
    const before = await states();
    for (const part of parts) {
      await rm(to + part, { force: true });
      await copyFile(from + part, to + part).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT' || part === '') throw error;
      });
    }
    if (String(await states()) === String(before)) return;
    if (attempt === 3) throw new MessageError(message('migrate.database-changing', { file: basename(from) }));
  }
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

/**
 * Opens a SQLite file of another program on a copy, so that neither locks nor its write-ahead log matter. The copy is checked
 * first. The schema is untrusted: views and triggers are not used.
 * @throws MessageError
 */
export async function openForeignDatabase(file: SourceFile, signal: AbortSignal): Promise<ForeignDatabase> {
  if (file.bytes > maxBytes)
    throw new MessageError(message('migrate.too-large', { file: file.name, most: maxBytes / 1024 ** 2 }));
  const damaged = (why: string) => new MessageError(message('migrate.database-damaged', { file: file.name, why }));
  if (!(await isSqlite(file))) throw damaged('file is not a database');
  if ((await freeBytes(tmpdir())) < file.bytes * 1.2) throw new MessageError(message('error.disk'));
  const folder = await createTempDir();
  const path = join(folder, 'copy.db');
  let database: DatabaseSync | undefined;
  const close = async () => {
    database?.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    if (file.path) await copyDatabase(file.path, path);
    else await pipeline(file.read(signal), createWriteStream(path), { signal });
    signal.throwIfAborted();
    await makeWritable(path);
    const damage = await findDamage(path, signal);
    if (damage) throw damaged(damage);
    database = new DatabaseSync(path, { allowExtension: false, enableForeignKeyConstraints: false });
    database.exec('pragma trusted_schema = off; pragma query_only = on; pragma cell_size_check = on; pragma cache_size = -8000');
    return { ...wrap(database, file.name), close };
  } catch (error) {
    await close();
    const { errcode, message: why } = error as { errcode?: number; message: string };
    throw errcode === undefined ? error : damaged(why);
  }
}

/** A copy of a read-only file is read-only, but its write-ahead log has to be applied. */
async function makeWritable(path: string) {
  const handle = await open(path, 'r');
  try {
    await handle.chmod(0o600);
  } finally {
    await handle.close();
  }
}

function wrap(database: DatabaseSync, file: string) {
  const tables = new Set(
    database
      .prepare("select name from sqlite_schema where type = 'table'")
      .all()
      .map(({ name }) => String(name)),
  );
  const columns = new Map<string, Set<string>>();
  const columnsOf = (table: string) =>
    columns.getOrInsertComputed(
      table,
      () =>
        new Set(
          tables.has(table)
            ? database
                .prepare(`pragma table_info(${quoted(table)})`)
                .all()
                .map(({ name }) => String(name))
            : [],
        ),
    );
  return {
    tables,
    has: (table: string, column: string) => columnsOf(table).has(column),
    *rows(table: string, { required, optional = [] }: { required: string[]; optional?: string[] }, order?: string) {
      const missing = required.find((column) => !columnsOf(table).has(column));
      if (missing) throw new MessageError(message('migrate.database-column', { file, table, column: missing }));
      const there = [...required, ...optional.filter((column) => columnsOf(table).has(column))];
      const absent = Object.fromEntries(
        optional.filter((column) => !columnsOf(table).has(column)).map((column) => [column, null]),
      );
      const statement = database.prepare(
        `select ${there.map(quoted).join(', ')} from ${quoted(table)}${order ? ` order by ${order}` : ''}`,
      );
      statement.setReadBigInts(true); // larger numbers than JavaScript has would end the reading
      for (const row of statement.iterate()) yield { ...absent, ...row };
    },
  };
}
