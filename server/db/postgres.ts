import { Kysely, PostgresDialect, PostgresQueryCompiler, type Driver } from 'kysely';
import pg from 'pg';
import { asideOn, asideOver, type Aside } from './aside.ts';
import type { Db } from './db.ts';
import { names } from './names.ts';
import { tellingAway } from './postgres-away.ts';
import { openRecall, recallNothing, telling, type Recall } from './recall.ts';
import type { Tables } from './tables.ts';

const int8 = 20;
const numeric = 1700;

const types = {
  getTypeParser: ((type: number, format?: 'text' | 'binary') =>
    type === int8 || type === numeric ? Number : pg.types.getTypeParser(type, format as 'text')) as typeof pg.types.getTypeParser,
};

class Compiler extends PostgresQueryCompiler {
  protected override sanitizeIdentifier(name: string): string {
    return super.sanitizeIdentifier(names.inDatabase(name));
  }
}

class Dialect extends PostgresDialect {
  readonly #recall: Recall;
  constructor(pool: pg.Pool, recall: Recall) {
    super({ pool });
    this.#recall = recall;
  }
  override createDriver(): Driver {
    return tellingAway(telling(super.createDriver(), this.#recall));
  }
  override createQueryCompiler(): Compiler {
    return new Compiler();
  }
}

function over(options: pg.PoolConfig, aside: (db: () => Db) => Aside, recall = recallNothing): Db {
  const pool = new pg.Pool({ ...options, types });
  // An idle connection that breaks is replaced at the next query, which then says what is wrong; unheard it would end us.
  pool.on('error', () => {});
  // Nor must one that breaks while it is used: whoever uses it is told by the statement that fails.
  pool.on('connect', (client) => client.on('error', () => {}));
  const kysely = new Kysely<Tables>({ dialect: new Dialect(pool, recall), plugins: [names] });
  const db: Db = Object.assign(kysely, { engine: 'postgres' as const, aside: aside(() => db), recall });
  const destroy = kysely.destroy.bind(kysely);
  return Object.assign(db, { destroy: async () => void (await Promise.all([destroy(), db.aside.close()])) });
}

// What is given up ends here by itself.
const longestStatementMs = 5_000;

/**
 * Connects to a PostgreSQL database; it must exist. Counts and sums come back as numbers, as from SQLite. With a `schema`,
 * tables without one are those in there.
 */
export function openPostgres(url: string, { schema }: { schema?: string } = {}): Db {
  if (schema) return over({ connectionString: url, max: 2, options: `-c search_path=${schema},public` }, asideOn);
  const beside: pg.PoolConfig = {
    connectionString: url,
    max: 2,
    statement_timeout: longestStatementMs,
    // Compiling a statement takes longer than these take.
    options: '-c jit=off',
  };
  const besideThat = () =>
    asideOver(() => {
      const db = over(beside, asideOn);
      return { db, close: () => db.destroy(), end: () => db.destroy() };
    });
  return over({ connectionString: url, max: 8 }, besideThat, openRecall());
}
