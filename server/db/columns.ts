import { sql, type ColumnDefinitionBuilder, type CreateTableBuilder } from 'kysely';
import type { Engine } from './db.ts';

/** The few words in which the engines' tables differ; migrations use only these. */
export const columns = (engine: Engine) => ({
  autoId: (c: ColumnDefinitionBuilder) =>
    engine === 'sqlite' ? c.primaryKey().autoIncrement() : c.primaryKey().generatedAlwaysAsIdentity(),
  /** Ids, whole seconds, bytes, flags. */
  integer: (engine === 'sqlite' ? 'integer' : 'bigint') as 'integer' | 'bigint',
  real: (engine === 'sqlite' ? 'real' : 'double precision') as 'real' | 'double precision',
  bytes: (engine === 'sqlite' ? 'blob' : 'bytea') as 'blob' | 'bytea',
  /** Of each text: compares by code point on both; PostgreSQL would else follow the database's language (migration 0034 says it of those before). */
  sorted: (c: ColumnDefinitionBuilder) => (engine === 'sqlite' ? c : c.modifyEnd(sql`collate "C"`)),
  /** SQLite then refuses a text in a number's column, as PostgreSQL does. */
  strict: <T extends string, C extends string>(table: CreateTableBuilder<T, C>) =>
    engine === 'sqlite' ? table.modifyEnd(sql`strict`) : table,
  /** The same for a table that is little more than its key: SQLite then keeps it once, and not an index beside it. */
  keyed: <T extends string, C extends string>(table: CreateTableBuilder<T, C>) =>
    engine === 'sqlite' ? table.modifyEnd(sql`strict, without rowid`) : table,
});
