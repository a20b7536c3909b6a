import { CompiledQuery, sql } from 'kysely';
import { beside, inTransaction, type Db, type Tx } from './db.ts';
import { viewSqlite } from './sqlite.ts';
import { keyOfTable, type DataTable } from './kept.ts';

// Rows as they are, in bulk: out of a database in one consistent view of it, and into another.

/** A row as it stands in a backup: by the names of tables.ts. */
export type PlainRow = Record<string, string | number | null>;

/** Runs `work` on one consistent view of the database, for as long as it takes; nobody who writes waits for it. */
export async function inOneView<T>(db: Db, work: (view: Db | Tx) => Promise<T>): Promise<T> {
  if (db.engine === 'postgres')
    return db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute((tx) => work(beside(tx, db)));
  const { view, end } = await viewSqlite(db);
  try {
    return await work(view);
  } finally {
    await end();
  }
}

/** All rows of a table, or those of one video, in the order of its key, so many at a time. */
export async function* pagesOf(
  db: Db | Tx,
  table: DataTable,
  size: number,
  { videoId }: { videoId?: string } = {},
): AsyncGenerator<PlainRow[]> {
  const wanted = videoId === undefined ? sql`true` : sql`video_id = ${videoId}`;
  const key = keyOfTable[table].map((name) => sql.ref(name));
  const inOrder = sql.join(key);
  for (let last: PlainRow | undefined; ;) {
    const after = last && sql`and (${inOrder}) > (${sql.join(keyOfTable[table].map((name) => last![name]))})`;
    const { rows } =
      await sql<PlainRow>`select * from ${sql.table(table)} where ${wanted} ${after ?? sql``} order by ${inOrder} limit ${size}`.execute(
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

/** The columns of every table, by the names of tables.ts; `schema` is where they are looked for on PostgreSQL. */
export async function columnsOf(db: Db, schema?: string): Promise<Map<string, { name: string; isCounted: boolean }[]>> {
  const tables = await db.introspection.getTables();
  const here = tables.filter((table) => !schema || table.schema === schema);
  return new Map(
    here.map(({ name, columns }) => [
      camel(name),
      columns.map((column) => ({ name: camel(column.name), isCounted: column.isAutoIncrementing })),
    ]),
  );
}

// SQLite takes 32,766 values in a statement, PostgreSQL 65,535.
const mostValues = 30_000;

const quoted = (name: string) => `"${snake(name).replaceAll('"', '""')}"`;

/** Adds rows with every value as given, numbers that the database would count by itself too. All have the columns of the first. */
export async function addExactly(db: Db | Tx, table: string, rows: PlainRow[]): Promise<void> {
  if (rows.length === 0) return;
  const names = Object.keys(rows[0]!);
  const isPostgres = db.engine === 'postgres';
  const own = isPostgres ? 'overriding system value' : '';
  const size = Math.max(1, Math.min(500, Math.floor(mostValues / names.length)));
  for (let from = 0; from < rows.length; from += size) {
    const some = rows.slice(from, from + size);
    let place = 0;
    // Written out: to build each value as a node of a query takes several times as long as the database takes for it.
    const marks = some.map(() => `(${names.map(() => (isPostgres ? `$${++place}` : '?')).join(',')})`).join(',');
    const text = `insert into ${quoted(table)} (${names.map(quoted).join(',')}) ${own} values ${marks}`;
    const values = some.flatMap((row) => names.map((name) => row[name] ?? null));
    await db.executeQuery(CompiledQuery.raw(text, values));
  }
}

/** On PostgreSQL: puts the rows of a schema's tables in place of those of the present one. All of it happens, or nothing. */
export function replaceFromSchema(db: Db, schema: string, tables: string[], last: (tx: Tx) => Promise<void>): Promise<void> {
  return inTransaction(db, async (tx) => {
    const columns = await columnsOf(db, schema);
    await sql`lock table ${sql.join(tables.map((table) => sql.table(table)))} in exclusive mode`.execute(tx);
    for (const table of tables.toReversed()) await sql`delete from ${sql.table(table)}`.execute(tx);
    for (const table of tables) {
      const of = columns.get(table) ?? [];
      const names = sql.join(of.map(({ name }) => sql.ref(name)));
      await sql`insert into ${sql.table(table)} (${names}) overriding system value
        select ${names} from ${sql.table(`${schema}.${table}`)}`.execute(tx);
      for (const { name } of of.filter(({ isCounted }) => isCounted))
        await sql`select setval(pg_get_serial_sequence(${snake(table)}, ${snake(name)}),
          (select coalesce(max(${sql.ref(name)}), 0) + 1 from ${sql.table(table)}), false)`.execute(tx);
    }
    await last(tx);
  });
}

/** Roughly how many bytes the database takes on its disk. */
export async function databaseBytes(db: Db): Promise<number> {
  const size =
    db.engine === 'postgres'
      ? sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`
      : sql<{ bytes: number }>`select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`;
  return (await size.execute(db)).rows[0]!.bytes;
}
