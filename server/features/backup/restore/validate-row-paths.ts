import type { PlainRow } from '../../../platform/db/copy/bulk-copy.ts';
import type { DataTable } from '../../../platform/db/schema/table-policies.ts';
import { hasPrefix, inBackups, withoutPrefix } from '../../../platform/storage/stored-path.ts';

// Paths and ids in rows are joined to folders later. A backup may have been tampered with, so rows with paths that lead out of
// those folders are rejected.

/** A name that is a valid path segment; ids become file names too. */
const isName = (value: unknown) => typeof value === 'string' && !['', '.', '..'].includes(value) && !/[/\0]/.test(value);
const isBelow = (value: unknown) => typeof value === 'string' && value.split('/').every(isName);
/** A path in the media folder: not that of a backup, for example, which would then be sent to users as media. */
const isMedia = (value: unknown) => isBelow(value) && !hasPrefix(String(value));
const isTrashed = (value: unknown) =>
  typeof value === 'string' && !value.startsWith(inBackups('')) && isBelow(withoutPrefix(value));

const checks: Partial<Record<DataTable, Record<string, (value: unknown) => boolean>>> = {
  channel: { id: isName },
  video: { id: isName, mediaPath: isMedia },
  subtitle: { path: isMedia },
  playlist: { id: isName },
  playlistEntry: { videoId: isName },
  download: { id: isName },
  trash: { videoId: isName, folder: isName },
  trashFile: { folder: isName, name: isName, path: isTrashed },
};

/** Returns the name of the first column that holds an unsafe path; null if all are safe. */
export function hasUnsafePath(table: string, row: PlainRow): string | null {
  for (const [column, isGood] of Object.entries(checks[table as DataTable] ?? {}))
    if (column in row && !isGood(row[column])) return column;
  if (table === 'metadataHistory' && row['field'] === 'thumbnail' && !isName(row['value'])) return 'value';
  if (
    table === 'trashRows' &&
    !keptRows(row['rows']).every((kept) => kept && hasUnsafePath(String(row['tableName']), kept) === null)
  )
    return 'rows';
  return null;
}

/** Parses the rows that are stored in a trash row; null for an invalid one. */
function keptRows(text: unknown): (PlainRow | null)[] {
  try {
    const read: unknown = JSON.parse(String(text));
    if (Array.isArray(read)) return read.map((one: unknown) => (typeof one === 'object' ? (one as PlainRow | null) : null));
  } catch {
    // invalid JSON is rejected as well
  }
  return [null];
}
