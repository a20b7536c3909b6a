import type { Compilable, CompiledQuery } from 'kysely';
import type { Db, Tx } from './db.ts';

/** Stands for a value while a statement is written. */
class Slot {
  readonly at: number;
  constructor(at: number) {
    this.at = at;
  }
}

// Beyond a page each number of values would be a text of its own that is hardly ever asked for again.
const mostKept = 50;

/**
 * A select that is asked very often, and whose text differs by nothing but how many values it is about: Kysely writes it once for
 * each number of them. `write` is given what stands for the values and must not look at it; each has to come into the statement.
 */
export function writtenOnce<Row>(write: (db: Db | Tx, values: never[]) => Compilable<Row>) {
  const kept = new Map<string, CompiledQuery<Row>>();
  const textOf = (db: Db | Tx, count: number) => {
    const name = `${db.engine} ${count}`;
    const known = kept.get(name);
    if (known) return known;
    const written = write(db, Array.from({ length: count }, (_, at) => new Slot(at)) as never[]).compile();
    if (count <= mostKept) kept.set(name, written);
    return written;
  };
  return async (db: Db | Tx, values: readonly (string | number)[]): Promise<Row[]> => {
    const written = textOf(db, values.length);
    const parameters = written.parameters.map((one) => (one instanceof Slot ? values[one.at] : one));
    return (await db.executeQuery<Row>({ ...written, parameters })).rows;
  };
}
