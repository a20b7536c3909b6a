import { isMainThread, workerData } from 'node:worker_threads';
import type { Db } from './db/db.ts';
import { readOver } from './db/sqlite.ts';
import { serve } from './db/sqlite-thread.ts';
import { neighboursOf } from './playlist/navigation.ts';
import { readPlaylists } from './playlist/store.ts';
import { writtenEntries } from './playlist/written-entries.ts';
import { found } from './search/search.ts';
import { readPage } from './video/list-page.ts';
import { readShown } from './video/show.ts';
import { readSimilar } from './video/similar-videos.ts';
import { writtenComments } from './video/written-comments.ts';

// A thread that reads the database begins with this file, and knows these readings. What they import is loaded in each such thread.

type Any = { readonly label: string; readonly read: (db: Db, asked: never) => Promise<unknown> };
export const readings: readonly Any[] = [
  found,
  neighboursOf,
  readPage,
  readPlaylists,
  readShown,
  readSimilar,
  writtenComments,
  writtenEntries,
];

export const readerFile = new URL(import.meta.url);

if (!isMainThread && workerData?.knowsReadings) {
  const known = new Map(readings.map((one) => [one.label, one.read]));
  serve((connection) => {
    const db = readOver(connection);
    return async (label, asked) => {
      const read = known.get(label);
      if (!read) throw new Error(`server/reader.ts does not list the reading "${label}".`);
      return read(db, asked as never);
    };
  });
}
