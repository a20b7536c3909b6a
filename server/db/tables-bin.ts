import type { Generated } from 'kysely';

// What was deleted and can be put back; rows look as tables.ts says.

type Flag = 0 | 1;
type Json = string;

/** A deletion of a video. The same video may be in the bin more than once. */
export interface BinTable {
  number: Generated<number>;
  videoId: string;
  title: string;
  channelId: string;
  channelName: string;
  sizeBytes: number;
  deletedAt: number;
  /** The name of who deleted it; null when a rule did. */
  deletedBy: string | null;
  /** What the rule said. */
  why: string | null;
  /** This deletion put it on the ignore list. */
  madeIgnored: Flag;
  /** Where its files rest: a name of its own, which no other deletion ever gets. */
  folder: string;
  /** For how long it has been seen to rest, and when that was last looked at. */
  restedSeconds: Generated<number>;
  lookedAt: Generated<number>;
}

/** Rows that a video in the bin had in other tables, some at a time. */
export interface BinRowsTable {
  binNumber: number;
  ofTable: string;
  part: number;
  rows: Json;
}

/** A file of a video in the bin. */
export interface BinFileTable {
  folder: string;
  /** In that folder. */
  name: string;
  /** Where it stood and goes back to, in the words of library/removal.ts. */
  path: string;
  /** On its way into the bin, there, or on its way back. */
  state: 'leaving' | 'in' | 'returning';
}
