import type { PlainRow } from '../../../platform/db/copy/bulk-copy.ts';
import type { DataTable } from '../../../platform/db/schema/table-policies.ts';
import { isSafeName, isSafePath } from '../../../platform/lib/safe-join.ts';
import { hasPrefix, inBackups, inCache, withoutPrefix } from '../../../platform/storage/stored-path.ts';

// Paths and ids in rows are joined to folders later. A backup may have been tampered with, so rows with paths that lead out of
// those folders are rejected.

/** A path in the media folder: not that of a backup, for example, which would then be sent to users as media. */
const isMedia = (value: unknown) => isSafePath(value) && !hasPrefix(value);
const isTrashed = (value: unknown) =>
  typeof value === 'string' && !value.startsWith(inBackups('')) && isSafePath(withoutPrefix(value));
/** Of a channel that may not be known yet. */
const isNameOrEmpty = (value: unknown) => value === '' || isSafeName(value);
/** A file in the cache of renditions: not a picture of something else, which would then be sent as a clip. */
const isClipOrNull = (value: unknown) =>
  value === null || (typeof value === 'string' && value.startsWith(inCache('renditions/')) && isSafePath(withoutPrefix(value)));
const isMediaOrNull = (value: unknown) => value === null || isMedia(value);
const isPathOrNull = (value: unknown) => value === null || isSafePath(value);

/** Columns that become a path or a part of one. */
export const pathColumns: Partial<Record<DataTable, Record<string, (value: unknown) => boolean>>> = {
  channel: { id: isSafeName },
  video: { id: isSafeName, mediaPath: isMedia },
  subtitle: { lang: isSafeName, path: isMedia },
  playlist: { id: isSafeName },
  playlistEntry: { videoId: isSafeName },
  download: { id: isSafeName, channelId: isNameOrEmpty },
  seenEntry: { videoId: isSafeName },
  refreshRequest: { id: isSafeName },
  trash: { videoId: isSafeName, folder: isSafeName },
  trashFile: { folder: isSafeName, name: isSafeName, path: isTrashed },
  clip: { path: isClipOrNull },
  smallCopy: { path: isMedia },
  chat: { path: isMediaOrNull },
  viewFile: { key: isSafePath, path: isSafePath, season: isPathOrNull },
};

/** Returns the name of the first column that holds an unsafe path; null if all are safe. */
export function hasUnsafePath(table: string, row: PlainRow): string | null {
  for (const [column, isGood] of Object.entries(pathColumns[table as DataTable] ?? {}))
    if (column in row && !isGood(row[column])) return column;
  if (table === 'metadataHistory' && row['field'] === 'thumbnail' && !isSafeName(row['value'])) return 'value';
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
