import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import pg from 'pg';

type Value = string | number | null;
/** Columns with their kinds: t(ext), i(nteger), r(eal); and the rows, in that order. */
interface Table {
  name: string;
  columns: Record<string, 't' | 'i' | 'r'>;
  rows: Iterable<Value[]>;
}

/** Writes millions of rows as fast as the engine takes them. What was begun and not ended is worth nothing. */
export interface Bulk {
  write(table: Table): Promise<number>;
  run(sql: string): Promise<void>;
  close(): Promise<void>;
}

/** Into a database file that nobody else has open. */
export function bulkIntoFile(path: string): Bulk {
  const db = new DatabaseSync(path);
  db.exec('pragma synchronous=off; pragma journal_mode=wal; pragma cache_size=-200000; pragma foreign_keys=off');
  return {
    async write({ name, columns, rows }) {
      const names = Object.keys(columns);
      const insert = db.prepare(`insert into ${name} (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`);
      let count = 0;
      db.exec('begin');
      for (const row of rows) {
        insert.run(...(row as SQLInputValue[]));
        if (++count % 100_000 === 0) db.exec('commit; begin');
      }
      db.exec('commit');
      return count;
    },
    run: async (sql) => db.exec(sql),
    close: async () => {
      db.exec('pragma wal_checkpoint(truncate)');
      db.close();
    },
  };
}

const types = { t: 'text', i: 'bigint', r: 'double precision' };
const atOnce = 5_000;

/** Into a PostgreSQL database. */
export async function bulkIntoPostgres(url: string): Promise<Bulk> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('set synchronous_commit = off');
  return {
    async write({ name, columns, rows }) {
      const names = Object.keys(columns);
      const arrays = Object.values(columns).map((kind, place) => `$${place + 1}::${types[kind]}[]`);
      const sql = `insert into ${name} (${names.join(', ')}) select * from unnest(${arrays.join(', ')})`;
      let count = 0;
      let some: Value[][] = names.map(() => []);
      const send = async () => {
        if (some[0]!.length > 0) await client.query(sql, some);
        some = names.map(() => []);
      };
      for (const row of rows) {
        row.forEach((value, place) => some[place]!.push(value));
        if (++count % atOnce === 0) await send();
      }
      await send();
      return count;
    },
    run: async (sql) => void (await client.query(sql)),
    close: () => client.end(),
  };
}
