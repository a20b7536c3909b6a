import type { Generated } from 'kysely';

// What lists of videos are narrowed to, and lists that people keep; rows look as tables.ts says.

type Flag = 0 | 1;
type Json = string;
type Facet = 'tag' | 'subtitles' | 'codec' | 'transcript' | 'damaged';

/**
 * Something a video has: a tag, subtitles in a language (`en-us`, and `en` beside it), a video codec, lines to search in, a file
 * that was found damaged. A to Z are small; the last two have no value. Triggers keep it.
 */
export interface FacetTable {
  kind: Facet;
  value: string;
  videoId: string;
}

/** How many videos have it; kept by triggers. A row may say 0. */
export interface FacetTallyTable {
  kind: Facet;
  value: string;
  videos: number;
}

/** The videos of the archive that a playlist shows, each where it comes first. Triggers keep it. */
export interface PlaylistShownTable {
  playlistId: string;
  position: number;
  videoId: string;
}

/** A filter, sort and order that somebody kept under a name. */
export interface SmartListTable {
  number: Generated<number>;
  accountId: number;
  name: string;
  /** Folded, to sort by. */
  sortName: string;
  /** The query of a list of videos, as it was sent. */
  filter: Json;
  /** Everybody here sees it. */
  isShared: Generated<Flag>;
  createdAt: number;
}

/** When somebody looked at one last. */
export interface SmartListVisitTable {
  accountId: number;
  listNumber: number;
  visitedAt: number;
}
