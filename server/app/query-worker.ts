import { isMainThread, workerData } from 'node:worker_threads';
import type { Db } from '../platform/db/db.ts';
import { readWith } from '../platform/db/sqlite/sqlite.ts';
import { serveQueries } from '../platform/db/sqlite/worker.ts';
import { playlistNeighbours } from '../archive/playlist/navigation.ts';
import { readPlaylists } from '../archive/playlist/store.ts';
import { readSections } from '../features/home/read-sections.ts';
import { findEpisodes, findMedia } from '../features/podcast/find-episodes.ts';
import { readFeed } from '../features/podcast/read-feed.ts';
import { found } from '../features/search/query/search.ts';
import { readSimilarMoments } from '../features/search/query/similar-moments.ts';
import { foundMoments } from '../features/search/query/search-moments.ts';
import { findSameTitles, readSameVideos } from '../features/stats/same-videos.ts';
import { readUnwatchedChannels } from '../features/stats/unwatched-channels.ts';
import { readVideoPage } from '../features/video/list/list-videos.ts';
import { readVideos } from '../archive/video-json/load-videos.ts';
import { readSimilar } from '../features/video/similar-videos.ts';
import { serializedComments } from '../archive/video-json/comments-json.ts';

// Entry point of the query worker thread and list of its queries. Their imports are loaded in each of these threads.

type Any = { readonly label: string; readonly read: (db: Db, argument: never) => Promise<unknown> };
export const workerQueries: readonly Any[] = [
  found,
  foundMoments,
  readSimilarMoments,
  playlistNeighbours,
  readVideoPage,
  readPlaylists,
  readVideos,
  readSections,
  findEpisodes,
  findMedia,
  readFeed,
  readSimilar,
  serializedComments,
  findSameTitles,
  readSameVideos,
  readUnwatchedChannels,
];

export const queryWorkerFile = new URL(import.meta.url);

if (!isMainThread && workerData?.hasQueries) {
  const known = new Map(workerQueries.map((one) => [one.label, one.read]));
  serveQueries((connection) => {
    const db = readWith(connection);
    return async (label, argument) => {
      const read = known.get(label);
      if (!read) throw new Error(`server/app/query-worker.ts does not list the reading "${label}".`);
      return read(db, argument as never);
    };
  });
}
