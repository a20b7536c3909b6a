import type { Duplex } from 'node:stream';
import { PostgresDialect, PostgresQueryCompiler, type Driver } from 'kysely';
import pg from 'pg';
import { slowQueriesOn, slowQueriesOver } from '../slow-query-connection.ts';
import { snakeCaseNames } from '../schema/snake-case.ts';
import { withConnectionErrors } from './connection-errors.ts';
import { Database, type DatabaseOptions, type Db } from '../db.ts';

const int8 = 20;
const numeric = 1700;

const types = {
  getTypeParser: ((type: number, format?: 'text' | 'binary') =>
    type === int8 || type === numeric ? Number : pg.types.getTypeParser(type, format as 'text')) as typeof pg.types.getTypeParser,
};

class Compiler extends PostgresQueryCompiler {
  protected override sanitizeIdentifier(name: string): string {
    return super.sanitizeIdentifier(snakeCaseNames.toSnakeCase(name));
  }
}

class Dialect extends PostgresDialect {
  override createDriver(): Driver {
    return withConnectionErrors(super.createDriver());
  }
  override createQueryCompiler(): Compiler {
    return new Compiler();
  }
}

/**
 * The server ends a connection after this time without a response; otherwise the locks of a machine without power would stay for
 * hours.
 */
export const silentSeconds = 12;

/**
 * Ends transactions and connections that have gone silent. A node that freezes within a transaction would otherwise block the
 * transactions of all nodes until TCP gives up, by default after two hours.
 */
const limits = { idle_in_transaction_session_timeout: '10s', lock_timeout: '30s' };

interface ConnectionOptions {
  url: string;
  /** Largest number of connections. */
  max: number;
  /** Settings of each connection. */
  settings?: Record<string, string>;
  /** Gets all open connections. */
  open: Set<pg.PoolClient>;
}

function createDatabase({ url, max, settings, open }: ConnectionOptions, slowQueries: DatabaseOptions['slowQueries']): Db {
  const all = JSON.stringify({ ...limits, ...settings });
  const pool = new pg.Pool({
    connectionString: url,
    max,
    types,
    keepAlive: true,
    connectionTimeoutMillis: 30_000, // also of waiting for a free connection
    onConnect: async (client) => {
      // Not as startup parameters: PgBouncer rejects them, and `options` in the URL would replace them.
      await client.query('select set_config(key, value, false) from json_each_text($1)', [all]);
      // Some systems do not have this setting.
      await client.query(`set tcp_user_timeout = ${silentSeconds * 1000}`).catch(() => {});
    },
  });
  // A broken idle connection is replaced with the next query, which reports errors; without a listener the process would exit.
  pool.on('error', () => {});
  // A connection that breaks during use is reported by the failing statement.
  pool.on('connect', (client) => {
    client.on('error', () => {});
    open.add(client);
  });
  pool.on('remove', (client) => open.delete(client));
  const dropConnections = () => {
    // (@types/pg does not have it.)
    for (const client of open) (client as pg.PoolClient & { connection: { stream: Duplex } }).connection.stream.destroy();
  };
  return new Database(
    { dialect: new Dialect({ pool }), plugins: [snakeCaseNames] },
    { engine: 'postgres', slowQueries, dropConnections },
  );
}

// Server-side timeout of aborted queries.
const maxStatement = '5s';

/**
 * Opens an existing PostgreSQL database. Counts and sums are returned as numbers, as in SQLite. With a `schema`, unqualified
 * tables are in it.
 */
export function openPostgres(url: string, { schema }: { schema?: string } = {}): Db {
  const open = new Set<pg.PoolClient>();
  if (schema) return createDatabase({ url, max: 2, settings: { search_path: `${schema}, public` }, open }, slowQueriesOn);
  // JIT compilation takes longer than these queries.
  const settings = { statement_timeout: maxStatement, jit: 'off' };
  const openSlowQueries = () =>
    slowQueriesOver(() => {
      const db = createDatabase({ url, max: 2, settings, open }, slowQueriesOn);
      return { db, close: () => db.destroy(), end: () => db.destroy() };
    });
  return createDatabase({ url, max: 8, open }, openSlowQueries);
}
