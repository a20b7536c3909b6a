import { CompiledQuery, sql } from 'kysely';
import { asTx, inTransaction, type Db, type Tx } from '../db.ts';
import { viewSqlite } from '../sqlite/sqlite.ts';
import { keyOfTable, type DataTable } from '../schema/table-policies.ts';

// Bulk reading of rows from a consistent snapshot, and bulk writing.

/** A row of a backup, with the names of tables.ts. */
export type PlainRow = Record<string, string | number | null>;

/** Runs `work` on a consistent snapshot of the database without blocking writers. */
export async function inOneSnapshot<T>(db: Db, work: (view: Db | Tx) => Promise<T>): Promise<T> {
  if (db.engine === 'postgres')
    return db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute((tx) => work(asTx(tx, db)));
  const { view, end } = await viewSqlite(db);
  try {
    return await work(view);
  } finally {
    await end();
  }
}

/** Yields all rows of a table, or those of one video, in the order of its key, in pages. */
export async function* pagesOf(
  db: Db | Tx,
  table: DataTable,
  size: number,
  { videoId }: { videoId?: string } = {},
): AsyncGenerator<PlainRow[]> {
  const condition = videoId === undefined ? sql`true` : sql`video_id = ${videoId}`;
  const key = keyOfTable[table].map((name) => sql.ref(name));
  const inOrder = sql.join(key);
  for (let last: PlainRow | undefined; ;) {
    const after = last && sql`and (${inOrder}) > (${sql.join(keyOfTable[table].map((name) => last![name]))})`;
    const { rows } =
      await sql<PlainRow>`select * from ${sql.table(table)} where ${condition} ${after ?? sql``} order by ${inOrder} limit ${size}`.execute(
        db,
      );
    if (rows.length > 0) yield rows;
    if (rows.length < size) return;
    last = rows.at(-1)!;
  }
}

export async function countRows(db: Db | Tx, table: DataTable): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(db);
  return rows[0]!.count;
}

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const camel = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Returns the columns of every table with the names of tables.ts; `schema` selects a PostgreSQL schema. */
export async function columnsOf(db: Db, schema?: string): Promise<Map<string, { name: string; isCounted: boolean }[]>> {
  const tables = await db.introspection.getTables();
  const inSchema = tables.filter((table) => !schema || table.schema === schema);
  return new Map(
    inSchema.map(({ name, columns }) => [
      camel(name),
      columns.map((column) => ({ name: camel(column.name), isCounted: column.isAutoIncrementing })),
    ]),
  );
}

// SQLite allows 32,766 parameters in a statement, PostgreSQL 65,535.
const maxValues = 30_000;

const quoted = (name: string) => `"${snake(name).replaceAll('"', '""')}"`;

/** Inserts rows with all values as given, including generated numbers. All have the columns of the first row. */
export async function insertExactly(db: Db | Tx, table: string, rows: PlainRow[]): Promise<void> {
  if (rows.length === 0) return;
  const names = Object.keys(rows[0]!);
  const isPostgres = db.engine === 'postgres';
  const overriding = isPostgres ? 'overriding system value' : '';
  const size = Math.max(1, Math.min(500, Math.floor(maxValues / names.length)));
  for (let from = 0; from < rows.length; from += size) {
    const some = rows.slice(from, from + size);
    let parameter = 0;
    // SQL text, because building query nodes takes several times as long as the insert.
    const marks = some.map(() => `(${names.map(() => (isPostgres ? `$${++parameter}` : '?')).join(',')})`).join(',');
    const text = `insert into ${quoted(table)} (${names.map(quoted).join(',')}) ${overriding} values ${marks}`;
    const values = some.flatMap((row) => names.map((name) => row[name] ?? null));
    await db.executeQuery(CompiledQuery.raw(text, values));
  }
}

/** PostgreSQL: replaces the rows of the current schema by those of another one, in one transaction. */
export function replaceFromSchema(db: Db, schema: string, tables: string[], last: (tx: Tx) => Promise<void>): Promise<void> {
  return inTransaction(db, async (tx) => {
    const columns = await columnsOf(db, schema);
    await sql`lock table ${sql.join(tables.map((table) => sql.table(table)))} in exclusive mode`.execute(tx);
    for (const table of tables.toReversed()) await sql`delete from ${sql.table(table)}`.execute(tx);
    for (const table of tables) {
      const columnsOfTable = columns.get(table) ?? [];
      const names = sql.join(columnsOfTable.map(({ name }) => sql.ref(name)));
      await sql`insert into ${sql.table(table)} (${names}) overriding system value
        select ${names} from ${sql.table(`${schema}.${table}`)}`.execute(tx);
      for (const { name } of columnsOfTable.filter(({ isCounted }) => isCounted))
        await sql`select setval(pg_get_serial_sequence(${snake(table)}, ${snake(name)}),
          (select coalesce(max(${sql.ref(name)}), 0) + 1 from ${sql.table(table)}), false)`.execute(tx);
    }
    await last(tx);
  });
}

/** Returns the approximate size of the database in bytes. */
export async function databaseBytes(db: Db): Promise<number> {
  const size =
    db.engine === 'postgres'
      ? sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`
      : sql<{ bytes: number }>`select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`;
  return (await size.execute(db)).rows[0]!.bytes;
}
