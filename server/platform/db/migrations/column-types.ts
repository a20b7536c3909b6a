import { sql, type ColumnDefinitionBuilder, type CreateTableBuilder, type RawBuilder } from 'kysely';

// Frozen like the migrations that use it: a change would alter databases that are created later.

/** Column types and table options that differ between the engines. */
export const columnTypes = (engine: 'sqlite' | 'postgres') => ({
  autoId: (c: ColumnDefinitionBuilder) =>
    engine === 'sqlite' ? c.primaryKey().autoIncrement() : c.primaryKey().generatedAlwaysAsIdentity(),
  /** Compares by code point on both engines; PostgreSQL would otherwise use the locale of the database. */
  text: (engine === 'sqlite' ? 'text' : sql`text collate "C"`) as 'text' | RawBuilder<string>,
  /** Ids, whole seconds, bytes, flags. */
  integer: (engine === 'sqlite' ? 'integer' : 'bigint') as 'integer' | 'bigint',
  real: (engine === 'sqlite' ? 'real' : 'double precision') as 'real' | 'double precision',
  bytes: (engine === 'sqlite' ? 'blob' : 'bytea') as 'blob' | 'bytea',
  /** SQLite then rejects texts in number columns, like PostgreSQL. */
  strict: <T extends string, C extends string>(table: CreateTableBuilder<T, C>) =>
    engine === 'sqlite' ? table.modifyEnd(sql`strict`) : table,
  /** For tables that are mostly key: SQLite stores it once, without a separate index. */
  keyed: <T extends string, C extends string>(table: CreateTableBuilder<T, C>) =>
    engine === 'sqlite' ? table.modifyEnd(sql`strict, without rowid`) : table,
});
