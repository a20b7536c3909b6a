import type { Generated } from 'kysely';

// What searching needs beside the library; rows look as tables.ts says. All of it can be made again from the rest.

/** Something that changed and is not indexed yet. Written by triggers, so that nobody can forget it. */
export interface SearchPendingTable {
  number: Generated<number>;
  /** `lines`: what is spoken in the video of that id. */
  kind: 'video' | 'channel' | 'playlist' | 'lines';
  id: string;
}

/** The number under which a video, a channel or a playlist stands in the index of names. */
export interface SearchDocumentTable {
  number: Generated<number>;
  kind: 'video' | 'channel' | 'playlist';
  id: string;
}

/** The spoken words of one video in one language. Piece n of it stands in the index of lines under number · 16384 + n. */
export interface SearchTrackTable {
  number: Generated<number>;
  videoId: string;
  lang: string;
  /** Tells whether the words are still those that were indexed. */
  mark: string;
  /** How many pieces are indexed. */
  pieces: number;
}

/** The words that occur, for typos in queries and to tell rare ones from common ones. */
export interface SearchWordTable {
  /** Of names, or of lines. */
  space: 'n' | 'l';
  word: string;
  /** In how many documents, about: what was deleted still counts. */
  documents: number;
  /** The same in steps of ten times. */
  weight: Generated<number>;
  letters: number;
  /** The word in three parts, where it is one that people mistype. */
  first: string | null;
  second: string | null;
  third: string | null;
}

/**
 * The index itself: FTS5 of SQLite, or a table with a `tsvector`. What it holds besides is only for server/search. That of the
 * titles in the queue is only in SQLite, and kept by triggers (queue-words.ts).
 */
export interface SearchIndex {
  rowid: number;
}
