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

/** The triggers that do something when somebody has watched a video (the row is `new`), and when they have not after all (`old`). */
export function onWatched(
  names: Record<'inserted' | 'begins' | 'ends' | 'deleted', string>,
  add: string,
  drop: string,
): Trigger[] {
  const changed = { when: 'after update of watched_at', table: 'watch' };
  return [
    { name: names.inserted, when: 'after insert', table: 'watch', only: 'new.watched_at is not null', does: [add] },
    { name: names.begins, ...changed, only: 'old.watched_at is null and new.watched_at is not null', does: [add] },
    { name: names.ends, ...changed, only: 'old.watched_at is not null and new.watched_at is null', does: [drop] },
    { name: names.deleted, when: 'after delete', table: 'watch', only: 'old.watched_at is not null', does: [drop] },
  ];
}
