import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Engine, Tx } from '../db.ts';
import type { TriggerGroup } from './triggers.ts';

// Triggers are repeatable: the table `trigger_group` has a hash of the SQL of each group. A group whose SQL has changed is
// dropped before the migrations and created again after them, in the same transaction.

interface StoredGroup {
  name: string;
  hash: string;
  /** JSON: names of the triggers and functions. */
  objects: string;
}

interface GroupSql {
  name: string;
  hash: string;
  triggers: string[];
  functions: string[];
  statements: string[];
}

const namesOf = (type: 'trigger' | 'function', statements: string[]) =>
  statements.flatMap((statement) => new RegExp(`^create ${type} (\\w+)`).exec(statement)?.[1] ?? []);

function sqlOf(group: TriggerGroup, engine: Engine): GroupSql {
  const statements = [...(group.functions?.(engine) ?? []), ...group.fill(engine), ...group.triggers(engine)];
  return {
    name: group.name,
    hash: createHash('sha256').update(statements.join(';\n')).digest('hex'),
    triggers: namesOf('trigger', statements),
    functions: namesOf('function', statements),
    statements,
  };
}

/** Returns the names of all triggers in the database. */
async function existingTriggers(tx: Tx): Promise<Set<string>> {
  const { rows } = await (
    tx.engine === 'sqlite'
      ? sql<{ name: string }>`select name from sqlite_master where type = 'trigger'`
      : sql<{ name: string }>`select tgname as name from pg_trigger join pg_class on pg_class.oid = tgrelid
        where relnamespace = current_schema()::regnamespace and not tgisinternal`
  ).execute(tx);
  return new Set(rows.map(({ name }) => name));
}

async function storedGroups(tx: Tx): Promise<Map<string, StoredGroup>> {
  const text = sql.raw(tx.engine === 'sqlite' ? 'text' : 'text collate "C"');
  await sql`create table if not exists trigger_group (name ${text} primary key, hash ${text} not null, objects ${text} not null)`.execute(
    tx,
  );
  const { rows } = await sql<StoredGroup>`select name, hash, objects from trigger_group`.execute(tx);
  return new Map(rows.map((row) => [row.name, row]));
}

async function drop(tx: Tx, { name, objects }: StoredGroup) {
  const { triggers, functions } = JSON.parse(objects) as Pick<GroupSql, 'triggers' | 'functions'>;
  // In PostgreSQL each trigger calls a function of its group and is dropped with it.
  if (tx.engine === 'postgres')
    for (const one of functions) await sql`drop function if exists ${sql.id(one)} cascade`.execute(tx);
  else for (const one of triggers) await sql`drop trigger if exists ${sql.id(one)}`.execute(tx);
  await sql`delete from trigger_group where name = ${name}`.execute(tx);
}

/**
 * Drops the groups that changed, lack a trigger, or no longer exist in this version. Returns those to be created. Migrations that
 * run in between may change rows without their triggers, because `createTriggers` fills the derived tables again.
 */
export async function dropChangedTriggers(tx: Tx, groups: readonly TriggerGroup[]): Promise<GroupSql[]> {
  const stored = await storedGroups(tx);
  const existing = await existingTriggers(tx);
  const isCurrent = ({ name, hash, triggers }: GroupSql) =>
    stored.get(name)?.hash === hash && triggers.every((trigger) => existing.has(trigger));
  const current = groups.map((group) => sqlOf(group, tx.engine));
  const changed = current.filter((group) => !isCurrent(group));
  const unchanged = new Set(current.filter(isCurrent).map(({ name }) => name));
  for (const group of stored.values()) if (!unchanged.has(group.name)) await drop(tx, group);
  return changed;
}

/** Creates groups that `dropChangedTriggers` returned, and fills their tables. */
export async function createTriggers(tx: Tx, changed: readonly GroupSql[]): Promise<void> {
  for (const { name, hash, triggers, functions, statements } of changed) {
    for (const statement of statements) await sql.raw(statement).execute(tx);
    await sql`insert into trigger_group (name, hash, objects)
      values (${name}, ${hash}, ${JSON.stringify({ triggers, functions })})`.execute(tx);
  }
}
