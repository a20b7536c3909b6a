import { sql, type RawBuilder } from 'kysely';
import type { Db } from './db.ts';

/**
 * Passes many rows as one JSON parameter, to select from as `given` with `given.value ->> 0` and so on. Compiling a statement
 * with a parameter per value takes longer than running it.
 */
export const jsonRows = (db: Db, rows: readonly (readonly (string | number | null)[])[]): RawBuilder<{ value: string }> =>
  db.engine === 'postgres'
    ? sql`jsonb_array_elements(cast(${JSON.stringify(rows)} as jsonb)) as given`
    : sql`json_each(${JSON.stringify(rows)}) as given`;
