import type { Db, Tx } from '../db/db.ts';
import type { Part } from './folder.ts';
import type { Pair } from './original-pairs.ts';

/** The taking in of a backup of the original program, while it goes on. */
export interface Merging {
  part: Part;
  /** Only looks. */
  dryRun: boolean;
  /** Whose the watched marks become. */
  accounts: number[];
  /** Who asks; the settings of the original's first user become theirs. */
  asker: number | null;
  /** One bad document is one line of the report, never the end. */
  problem(what: string, why: string): void;
  /** In a dry run: videos that would be here by now. */
  known: Set<string>;
  /** Of the kind that is taken in now, those that this run has come by: they were not here before, and a later document counts. */
  come: Set<string>;
  /** Tracks whose lines were looked at already in this run, and what came of it. */
  tracks: Map<string, 'here' | 'file' | 'chunks'>;
  /** Videos whose media file was found in its place. */
  files: { found: number };
}

/** How many documents of a kind came, and how many of them were here. */
export interface Counts {
  found: number;
  here: number;
}

/** Takes in some documents of one kind, each id once; what is here and newer, or has its file, stays. */
export type Merge = (tx: Db | Tx, batch: Pair[], merging: Merging) => Promise<Counts>;

/** How many of these were here before this run, which has come by them now. */
export function hereBefore(ids: string[], isHere: { has(id: string): boolean }, { come }: Merging): number {
  const count = ids.filter((id) => isHere.has(id) && !come.has(id)).length;
  for (const id of ids) come.add(id);
  return count;
}

/** Why something that was chosen there is not taken over. */
export const notPossible = (said: unknown) => `The setting ${JSON.stringify(said).slice(0, 100)} is not possible here.`;

/** What a row of ours says when it came from such a backup: nobody has read its file yet. */
export const unknownSum = '';

/** The videos among these that are here, or would be. */
export async function videosAmong(tx: Db | Tx, ids: string[], { known }: Merging) {
  const rows = await tx.selectFrom('video').select(['id', 'sha256', 'damage', 'commentCount']).where('id', 'in', ids).execute();
  const found = new Map(rows.map((row) => [row.id, row]));
  for (const id of ids)
    if (!found.has(id) && known.has(id)) found.set(id, { id, sha256: unknownSum, damage: null, commentCount: null });
  return found;
}
