import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import pg from 'pg';

type Value = string | number | null;
/** Columns with their types, t(ext), i(nteger) or r(eal), and rows in that column order. */
interface Table {
  name: string;
  columns: Record<string, 't' | 'i' | 'r'>;
  rows: Iterable<Value[]>;
}

/** Bulk insert at the maximum speed of the engine, without durability: an interrupted run leaves an unusable database. */
export interface Bulk {
  /**
   * Turns triggers off. The next start of the program creates them again and fills the tables that they maintain
   * (apply-triggers.ts) at once instead of row by row.
   */
  skipTriggers(): Promise<void>;
  write(table: Table): Promise<number>;
  run(sql: string): Promise<void>;
  close(): Promise<void>;
}

/** Inserts into a database file that no other process has open. */
export function bulkIntoFile(path: string): Bulk {
  const db = new DatabaseSync(path);
  db.exec('pragma synchronous=off; pragma journal_mode=wal; pragma cache_size=-200000; pragma foreign_keys=off');
  return {
    async skipTriggers() {
      for (const { name } of db.prepare("select name from sqlite_master where type = 'trigger'").all())
        db.exec(`drop trigger "${String(name)}"`);
    },
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
const batchSize = 5_000;

/** Inserts into a PostgreSQL database. */
export async function bulkIntoPostgres(url: string): Promise<Bulk> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('set synchronous_commit = off');
  return {
    async skipTriggers() {
      await client.query('set session_replication_role = replica');
      await client.query("update trigger_group set hash = ''");
    },
    async write({ name, columns, rows }) {
      const names = Object.keys(columns);
      const arrays = Object.values(columns).map((kind, index) => `$${index + 1}::${types[kind]}[]`);
      const sql = `insert into ${name} (${names.join(', ')}) select * from unnest(${arrays.join(', ')})`;
      let count = 0;
      let batch: Value[][] = names.map(() => []);
      const send = async () => {
        if (batch[0]!.length > 0) await client.query(sql, batch);
        batch = names.map(() => []);
      };
      for (const row of rows) {
        row.forEach((value, index) => batch[index]!.push(value));
        if (++count % batchSize === 0) await send();
      }
      await send();
      return count;
    },
    run: async (sql) => void (await client.query(sql)),
    close: () => client.end(),
  };
}
