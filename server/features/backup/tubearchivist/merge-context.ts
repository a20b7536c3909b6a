import { message, type Message } from '#contract/messages.ts';
import type { Db, Tx } from '../../../platform/db/db.ts';
import type { BackupContext } from '../files/backup-files.ts';
import type { BulkPair } from './bulk-pairs.ts';

/** State of one import of a TubeArchivist backup. */
export interface MergeContext {
  part: BackupContext;
  /** Reads only; writes nothing. */
  dryRun: boolean;
  /** The accounts that get the watch states. */
  accounts: number[];
  /** The requesting account; it gets the preferences of TubeArchivist's first user. */
  importer: number | null;
  /** Reports a faulty document; never aborts the import. */
  problem(what: string, why: Message): void;
  /** Videos that a dry run would have added so far. */
  known: Set<string>;
  /** Ids of the current index that this run has added. A later document with the same id replaces the earlier one. */
  come: Set<string>;
  /** Source of the transcript lines, for each track already looked up in this run. */
  tracks: Map<string, 'here' | 'file' | 'chunks'>;
  /** Playlists of videos that are in several, in TubeArchivist's order. */
  playlists: Map<string, string[]>;
  /** Number of videos whose media file exists at its path. */
  files: { found: number };
}

/** Number of documents of one index, and how many of them already existed. */
export interface MergeCounts {
  found: number;
  here: number;
}

/** Merges documents of one index, with unique ids. Existing data that is newer or has its file is kept. */
export type Merge = (tx: Db | Tx, batch: BulkPair[], merging: MergeContext) => Promise<MergeCounts>;

/** Counts the ids that existed before this run, and records the other ones as added by this run. */
export function countExisting(ids: string[], isHere: { has(id: string): boolean }, { come }: MergeContext): number {
  const count = ids.filter((id) => isHere.has(id) && !come.has(id)).length;
  for (const id of ids) come.add(id);
  return count;
}

/** Explains why a setting is not imported. */
export const invalidSettingMessage = (value: unknown) =>
  message('restore.invalid-setting', { value: JSON.stringify(value).slice(0, 100) });

/** Checksum of an imported video whose file has not been read yet. */
export const unknownChecksum = '';

/** Loads the videos among these ids that exist, or would exist after a dry run. */
export async function existingVideos(tx: Db | Tx, ids: string[], { known }: MergeContext) {
  const rows = await tx.selectFrom('video').select(['id', 'sha256', 'damage', 'commentCount']).where('id', 'in', ids).execute();
  const found = new Map(rows.map((row) => [row.id, row]));
  for (const id of ids)
    if (!found.has(id) && known.has(id)) found.set(id, { id, sha256: unknownChecksum, damage: null, commentCount: null });
  return found;
}
