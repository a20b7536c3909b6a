import { sql, type Kysely } from 'kysely';
import type { Engine } from '../db.ts';

interface Named {
  table: string;
  name: string;
}

/**
 * PostgreSQL compares texts sign by sign, as SQLite does. It followed the language of its database before: where that is not C, as in those
 * that its image makes, words that begin alike were not found between two others; and each look into an index took longer.
 * @public
 */
export async function up(db: Kysely<never>, engine: Engine) {
  if (engine === 'sqlite') return;
  const texts = await sql<Named>`select table_name as table, column_name as name from information_schema.columns
    where table_schema = current_schema() and data_type = 'text' and collation_name is distinct from 'C'
      and table_name not like 'kysely%' order by table_name, ordinal_position`.execute(db);
  // A column that a trigger names cannot be changed: they go, and come again as they were.
  const triggers = await sql<
    Named & { does: string }
  >`select relname as table, tgname as name, pg_get_triggerdef(pg_trigger.oid) as does
    from pg_trigger join pg_class on pg_class.oid = tgrelid where relnamespace = current_schema()::regnamespace and not tgisinternal
    order by tgname`.execute(db);
  for (const { table, name } of triggers.rows) await sql`drop trigger ${sql.id(name)} on ${sql.id(table)}`.execute(db);
  for (const [table, columns] of Map.groupBy(texts.rows, (column) => column.table)) {
    const each = columns.map(({ name }) => sql`alter column ${sql.id(name)} type text collate "C"`);
    await sql`alter table ${sql.id(table)} ${sql.join(each)}`.execute(db);
  }
  for (const { does } of triggers.rows) await sql.raw(does).execute(db);
}
