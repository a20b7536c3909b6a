import { message, type Message } from '#contract/messages.ts';
import { insertExactly, type PlainRow } from '../../../platform/db/copy/bulk-copy.ts';
import { inTransaction } from '../../../platform/db/db.ts';
import { dataTables, type DataTable } from '../../../platform/db/schema/table-policies.ts';
import type { Staging } from '../../../platform/db/copy/staging-database.ts';
import type { Manifest } from '../files/manifest.ts';
import { hasUnsafePath } from './validate-row-paths.ts';
import { InvalidBackupError } from '../files/invalid-backup-error.ts';
import { linesOfEntry, type ZipFile } from '../../../platform/files/zip.ts';

const rowsAtOnce = 2_000;
const charactersAtOnce = 4 * 1024 * 1024;

/** Transforms a row before it is inserted. */
export type RowTransform = (table: DataTable, row: PlainRow) => PlainRow;

/** Parses one line of a part as a row. Accepts only plain values of existing columns. */
function rowOf(line: string, table: DataTable, columns: Set<string>, where: Message): PlainRow {
  let row: unknown;
  try {
    row = JSON.parse(line);
  } catch {
    throw new InvalidBackupError(message('restore.line-json', { where }));
  }
  if (typeof row !== 'object' || row === null || Array.isArray(row))
    throw new InvalidBackupError(message('restore.line-not-a-row', { where }));
  const entries = Object.entries(row);
  if (entries.length === 0) throw new InvalidBackupError(message('restore.line-empty', { where }));
  for (const [name, value] of entries) {
    if (!columns.has(name))
      throw new InvalidBackupError(message('restore.line-unknown-field', { where, name: JSON.stringify(name.slice(0, 100)) }));
    if (value !== null && typeof value !== 'string' && typeof value !== 'number')
      throw new InvalidBackupError(message('restore.line-invalid-value', { where, name }));
  }
  const outside = hasUnsafePath(table, row as PlainRow);
  if (outside !== null) throw new InvalidBackupError(message('restore.line-invalid-value', { where, name: outside }));
  return row as PlainRow;
}

const shapeOf = (row: PlainRow) => Object.keys(row).join(',');

/** Inserts the rows of a backup into an empty database whose schema has the migration of the backup. */
export async function importRows(
  zip: ZipFile,
  manifest: Manifest,
  staging: Staging,
  { signal, step, adjust }: { signal: AbortSignal; step(rows: number): void; adjust: RowTransform },
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
        await inTransaction(staging.db, (tx) => insertExactly(tx, table, some)).catch((error: unknown) => {
          throw new InvalidBackupError(message('restore.unwritable', { name: part.name, why: (error as Error).message }));
        });
        step(some.length);
      };
      for await (const text of linesOfEntry(zip.entries.get(part.name)!.read(signal))) {
        const where = message('restore.line', { line: ++line, name: part.name });
        if (text === null) throw new InvalidBackupError(message('restore.line-too-long', { where }));
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
