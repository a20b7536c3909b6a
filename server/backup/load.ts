import { addExactly, type PlainRow } from '../db/copy.ts';
import { inTransaction } from '../db/db.ts';
import { dataTables, type DataTable } from '../db/kept.ts';
import type { Staging } from '../db/staging.ts';
import type { Manifest } from './manifest.ts';
import { leadsOut } from './paths.ts';
import { BadBackup, linesIn, type Zip } from './zip.ts';

const rowsAtOnce = 2_000;
const charactersAtOnce = 4 * 1024 * 1024;

/** What is changed in a row before it comes in. */
export type Adjust = (table: DataTable, row: PlainRow) => PlainRow;

/** One line of a part as a row. Nothing but plain values of columns that are there is let through. */
function rowOf(line: string, table: DataTable, columns: Set<string>, where: string): PlainRow {
  let row: unknown;
  try {
    row = JSON.parse(line);
  } catch {
    throw new BadBackup(`${where} is no JSON.`);
  }
  if (typeof row !== 'object' || row === null || Array.isArray(row)) throw new BadBackup(`${where} is no entry of a table.`);
  const entries = Object.entries(row);
  if (entries.length === 0) throw new BadBackup(`${where} is empty.`);
  for (const [name, value] of entries) {
    if (!columns.has(name))
      throw new BadBackup(`${where} has something that is not known here: ${JSON.stringify(name.slice(0, 100))}.`);
    if (value !== null && typeof value !== 'string' && typeof value !== 'number')
      throw new BadBackup(`${where} has a strange value for ${name}.`);
  }
  const outside = leadsOut(table, row as PlainRow);
  if (outside !== null) throw new BadBackup(`${where} has a strange value for ${outside}.`);
  return row as PlainRow;
}

const shapeOf = (row: PlainRow) => Object.keys(row).join(',');

/** Writes the rows of a backup into an empty database that is at the step at which the backup was made. */
export async function loadRows(
  zip: Zip,
  manifest: Manifest,
  staging: Staging,
  { signal, step, adjust }: { signal: AbortSignal; step(rows: number): void; adjust: Adjust },
): Promise<void> {
  const columns = await staging.columns();
  for (const table of dataTables) {
    const known = columns.get(table) ?? new Set();
    for (const part of manifest.tables[table]?.parts ?? []) {
      let rows: PlainRow[] = [];
      let size = 0;
      let line = 0;
      const write = async () => {
        const some = rows;
        [rows, size] = [[], 0];
        signal.throwIfAborted();
        await inTransaction(staging.db, (tx) => addExactly(tx, table, some)).catch((error: unknown) => {
          throw new BadBackup(`What ${part.name} holds cannot be written: ${(error as Error).message}.`);
        });
        step(some.length);
      };
      for await (const text of linesIn(zip.entries.get(part.name)!.read(signal))) {
        const where = `Line ${++line} of ${part.name}`;
        if (text === null) throw new BadBackup(`${where} is longer than 64 MB.`);
        const row = adjust(table, rowOf(text, table, known, where));
        if (rows.length > 0 && shapeOf(rows[0]!) !== shapeOf(row)) await write(); // one statement has one set of columns
        rows.push(row);
        size += text.length;
        if (rows.length >= rowsAtOnce || size >= charactersAtOnce) await write();
      }
      if (rows.length > 0) await write();
    }
  }
}
