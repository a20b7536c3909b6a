import type { Engine } from './db.ts';

/** What the database does by itself when a row changes. The statements are the same on both engines. */
export interface Trigger {
  name: string;
  when: string;
  table: string;
  /** A condition, beside the event. */
  only?: string;
  does: string[];
}

function forSqlite({ name, when, table, only, does }: Trigger) {
  return [`create trigger ${name} ${when} on ${table} ${only ? `when ${only}` : ''} begin ${does.join('; ')}; end`];
}

function forPostgres({ name, when, table, only, does }: Trigger) {
  const goesOn = when.startsWith('before') ? 'old' : 'null';
  return [
    `create function ${name}() returns trigger language plpgsql as $$ begin ${does.join('; ')}; return ${goesOn}; end $$`,
    `create trigger ${name} ${when} on ${table} for each row ${only ? `when (${only})` : ''} execute function ${name}()`,
  ];
}

/** The statements that make these triggers. */
export const statementsFor = (engine: Engine, triggers: readonly Trigger[]): string[] =>
  triggers.flatMap(engine === 'sqlite' ? forSqlite : forPostgres);
