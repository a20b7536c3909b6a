import type { PlainRow } from '../db/copy.ts';
import type { DataTable } from '../db/kept.ts';
import { unmarked } from '../library/removal.ts';

// What a row says of files is joined to our folders later. A backup may have been changed by somebody: what would lead out of
// them is not let in.

/** A name that can stand in a folder; ids become names of files too. */
const isName = (value: unknown) => typeof value === 'string' && !['', '.', '..'].includes(value) && !/[/\0]/.test(value);
const isBelow = (value: unknown) => typeof value === 'string' && value.split('/').every(isName);

const checks: Partial<Record<DataTable, Record<string, (value: unknown) => boolean>>> = {
  channel: { id: isName },
  video: { id: isName, mediaPath: isBelow },
  subtitle: { path: isBelow },
  playlist: { id: isName },
  playlistEntry: { videoId: isName },
  download: { id: isName },
  bin: { videoId: isName, folder: isName },
  binFile: { folder: isName, name: isName, path: (value) => typeof value === 'string' && isBelow(unmarked(value)) },
};

/** What of a row would lead out of our folders, by the name of its column; null when nothing does. */
export function leadsOut(table: string, row: PlainRow): string | null {
  for (const [column, isGood] of Object.entries(checks[table as DataTable] ?? {}))
    if (column in row && !isGood(row[column])) return column;
  if (table === 'earlier' && row['what'] === 'thumbnail' && !isName(row['value'])) return 'value';
  if (table === 'binRows' && !keptRows(row['rows']).every((kept) => kept && leadsOut(String(row['ofTable']), kept) === null))
    return 'rows';
  return null;
}

/** The rows that lie in a row of the bin; null for what is none. */
function keptRows(text: unknown): (PlainRow | null)[] {
  try {
    const read: unknown = JSON.parse(String(text));
    if (Array.isArray(read)) return read.map((one: unknown) => (typeof one === 'object' ? (one as PlainRow | null) : null));
  } catch {
    // no JSON: not let in either
  }
  return [null];
}
