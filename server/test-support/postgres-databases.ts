import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { migrate } from '../platform/db/migrations/migrate.ts';
import { openPostgres } from '../platform/db/postgres/postgres.ts';

// PostgreSQL databases for tests. One worker per run creates a template with all tables. Tests get copies of it. The next test of
// the same worker reuses an emptied copy, which takes a fraction of the time of copying and dropping it.

/** URL of the PostgreSQL server for tests, if there is one. */
export const postgresUrl = process.env.REELKEEP_TEST_POSTGRES;

async function connect<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return work(client).finally(() => client.end());
}
const asAdmin = <T>(work: (client: pg.Client) => Promise<T>) => connect(postgresUrl!, work);

const urlOf = (database: string) => {
  const url = new URL(postgresUrl!);
  url.pathname = `/${database}`;
  return url.href;
};

/** Creates a PostgreSQL database, empty or a copy of another one. */
export async function createDatabase(template = 'template1', name = `reelkeep_${randomUUID().replaceAll('-', '')}`) {
  await asAdmin((client) => client.query(`create database ${name} template ${template}`));
  return { url: urlOf(name), drop: () => asAdmin((client) => client.query(`drop database ${name} with (force)`)) };
}

/** Returns the name of the template with all tables. The first worker of a run creates it; global-setup.ts drops it. */
const createTemplate = () =>
  asAdmin(async (client) => {
    const name = process.env.REELKEEP_TEST_TABLES!;
    await client.query('select pg_advisory_lock(20)'); // released when this connection ends
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (rowCount) return name;
    const { url } = await createDatabase();
    const db = openPostgres(url);
    await migrate(db).finally(() => db.destroy());
    await client.query(`alter database ${new URL(url).pathname.slice(1)} rename to ${name}`);
    return name;
  });

// Hash of everything besides rows that tests may change: tables, columns, indexes, functions, triggers and constraints.
const schemaQuery = `
  select md5(string_agg(part, ',' order by part)) as schema from (
    select format('%s.%s %s', relnamespace::regnamespace, relname, relkind) as part from pg_class
      where relnamespace::regnamespace::text not like 'pg_%'
    union all select format('%s.%s %s %s', attrelid::regclass, attname, atttypid, attnotnull) from pg_attribute
      join pg_class on pg_class.oid = attrelid where relnamespace = 'public'::regnamespace and attnum > 0
    union all select format('%s.%s %s', pronamespace::regnamespace, oid::regprocedure, md5(prosrc)) from pg_proc
      where pronamespace::regnamespace::text not in ('pg_catalog', 'information_schema')
    union all select format('%s %s %s', tgrelid::regclass, tgname, tgenabled) from pg_trigger
    union all select format('%s %s', conrelid::regclass, conname) from pg_constraint where connamespace = 'public'::regnamespace
  ) as parts`;

/** The content of the template: its schema, its rows by table, and the values of its sequences. */
interface Content {
  schema: string;
  rows: Map<string, string>;
  sequences: { name: string; value: string; isCalled: boolean }[];
}

async function contentOf(client: pg.Client): Promise<Content> {
  const { rows: tables } = await client.query<{ name: string }>(
    `select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`,
  );
  const rows = new Map<string, string>();
  for (const { name } of tables) {
    const { rows: found } = await client.query<{ json: string | null }>(`select json_agg(t)::text as json from ${name} as t`);
    if (found[0]?.json) rows.set(name, found[0].json);
  }
  const { rows: sequences } = await client.query<Content['sequences'][0]>(
    `select quote_ident(sequencename) as name, coalesce(last_value, start_value)::text as value, last_value is not null as "isCalled"
      from pg_sequences where schemaname = 'public'`,
  );
  const { rows: schemas } = await client.query<{ schema: string }>(schemaQuery);
  return { schema: schemas[0]!.schema, rows, sequences };
}

// Emptying only tables with rows is faster: most tests fill a few of sixty.
const emptyTables = `
  do $$
  declare
    name text;
    filled text[] := '{}';
    is_filled boolean;
  begin
    for name in select quote_ident(tablename) from pg_tables where schemaname = 'public' loop
      execute format('select exists (select from %s)', name) into is_filled;
      if is_filled then filled := filled || name; end if;
    end loop;
    if filled <> '{}' then execute 'truncate ' || array_to_string(filled, ', ') || ' cascade'; end if;
  end $$`;

/** Resets a database to the content of the template. Returns false if its schema has changed. */
const reset = (url: string, content: Content) =>
  connect(url, async (client) => {
    await client.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`);
    const { rows } = await client.query<{ schema: string }>(schemaQuery);
    if (rows[0]!.schema !== content.schema) return false;
    await client.query('begin');
    await client.query('set local session_replication_role = replica'); // disables triggers
    await client.query(emptyTables);
    for (const [table, json] of content.rows)
      await client.query(`insert into ${table} select * from json_populate_recordset(null::${table}, $1)`, [json]);
    for (const { name, value, isCalled } of content.sequences)
      await client.query('select setval($1::regclass, $2, $3)', [name, value, isCalled]);
    await client.query('commit');
    return true;
  });

let template: Promise<{ name: string; content: Content }> | undefined;
const findTemplate = () =>
  (template ??= createTemplate().then(async (name) => ({ name, content: await connect(urlOf(name), contentOf) })));

/** Databases of this worker that no test uses. */
const idleDatabases: string[] = [];

/** Returns a database with all tables and no rows; `release` makes it available to the next test. */
export async function acquireDatabase(): Promise<{ url: string; release(): Promise<void> }> {
  const { name, content } = await findTemplate();
  const found = idleDatabases.pop();
  // The name tells global-setup.ts which databases to drop; names have at most 63 bytes.
  const url = found ?? (await createDatabase(name, `${name}_${randomUUID().slice(0, 8)}`)).url;
  return {
    url,
    async release() {
      if (await reset(url, content)) idleDatabases.push(url);
      else await asAdmin((client) => client.query(`drop database ${new URL(url).pathname.slice(1)} with (force)`));
    },
  };
}
