import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Db } from './db.ts';
import type { Tables } from './tables.ts';

const int8 = 20;
const numeric = 1700;

/**
 * Connects to a PostgreSQL database; it must exist. Counts and sums come back as numbers, as from SQLite. With a `schema`,
 * tables without one are those in there.
 */
export function openPostgres(url: string, { schema }: { schema?: string } = {}): Db {
  const pool = new pg.Pool({
    connectionString: url,
    max: schema ? 2 : 8,
    ...(schema && { options: `-c search_path=${schema},public` }),
    types: {
      getTypeParser: ((type: number, format?: 'text' | 'binary') =>
        type === int8 || type === numeric
          ? Number
          : pg.types.getTypeParser(type, format as 'text')) as typeof pg.types.getTypeParser,
    },
  });
  // An idle connection that breaks is replaced at the next query, which then says what is wrong; unheard it would end us.
  pool.on('error', () => {});
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }), plugins: [new CamelCasePlugin()] });
  return Object.assign(db, { engine: 'postgres' as const });
}
