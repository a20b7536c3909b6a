import type { Kysely } from 'kysely';
import { columns } from '../columns.ts';
import type { Engine } from '../db.ts';

/**
 * How long what is in the bin has been seen to rest there, and when that was last looked at. What is in it already begins anew:
 * a day that somebody did not want costs less than one that was missing.
 * @public
 */
export async function up(db: Kysely<never>, engine: Engine) {
  const { integer } = columns(engine);
  const whole = (name: string) => db.schema.alterTable('bin').addColumn(name, integer, (c) => c.notNull().defaultTo(0));
  await whole('restedSeconds').execute();
  await whole('lookedAt').execute();
}
