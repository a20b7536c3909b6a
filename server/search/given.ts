import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../db/db.ts';

/**
 * Many rows as one parameter, to select from as `given`: what is in one is `given.value ->> 0`, and so on. A statement with a
 * parameter for each value takes longer to write down than to run.
 */
export const rowsGiven = (db: Db, rows: readonly (readonly (string | number | null)[])[]): RawBuilder<{ value: string }> =>
  db.engine === 'postgres'
    ? sql`jsonb_array_elements(cast(${JSON.stringify(rows)} as jsonb)) as given`
    : sql`json_each(${JSON.stringify(rows)}) as given`;
