import type { Engine } from '../db.ts';

/** A trigger. Its statements are the same on both engines. */
export interface Trigger {
  name: string;
  event: string;
  table: string;
  condition?: string;
  statements: string[];
}

/**
 * Triggers that maintain derived tables. The program creates a group again when its SQL changes (apply-triggers.ts), so a
 * migration never contains triggers.
 */
export interface TriggerGroup {
  name: string;
  /** SQL of functions that `fill` or `triggers` call. */
  functions?(engine: Engine): string[];
  /** SQL that computes the derived tables from their source rows. Runs before the triggers are created. */
  fill(engine: Engine): string[];
  /** SQL that creates the triggers. */
  triggers(engine: Engine): string[];
}

function forSqlite({ name, event, table, condition, statements }: Trigger) {
  return [
    `create trigger ${name} ${event} on ${table} ${condition ? `when ${condition}` : ''} begin ${statements.join('; ')}; end`,
  ];
}

function forPostgres({ name, event, table, condition, statements }: Trigger) {
  const result = event.startsWith('before') ? 'old' : 'null';
  return [
    `create function ${name}() returns trigger language plpgsql as $$ begin ${statements.join('; ')}; return ${result}; end $$`,
    `create trigger ${name} ${event} on ${table} for each row ${condition ? `when (${condition})` : ''} execute function ${name}()`,
  ];
}

/** Returns the SQL that creates these triggers. */
export const triggerStatements = (engine: Engine, triggers: readonly Trigger[]): string[] =>
  triggers.flatMap(engine === 'sqlite' ? forSqlite : forPostgres);

/**
 * Returns triggers that run `add` when a video is watched (row `new`) and `subtract` when it is no longer watched (row `old`).
 * Their names begin with `prefix`.
 */
export function watchTriggers(prefix: string, add: string, subtract: string): Trigger[] {
  const updated = { event: 'after update of watched_at', table: 'watch' };
  return [
    {
      name: `${prefix}_insert`,
      event: 'after insert',
      table: 'watch',
      condition: 'new.watched_at is not null',
      statements: [add],
    },
    {
      name: `${prefix}_watched`,
      ...updated,
      condition: 'old.watched_at is null and new.watched_at is not null',
      statements: [add],
    },
    {
      name: `${prefix}_unwatched`,
      ...updated,
      condition: 'old.watched_at is not null and new.watched_at is null',
      statements: [subtract],
    },
    {
      name: `${prefix}_delete`,
      event: 'after delete',
      table: 'watch',
      condition: 'old.watched_at is not null',
      statements: [subtract],
    },
  ];
}
