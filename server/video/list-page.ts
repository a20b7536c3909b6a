import type { Video, VideoFilter } from '#contract/video.ts';
import type { Db } from '../db/db.ts';
import { reading } from '../db/reading.ts';
import { little, type Source } from '../db/recall.ts';
import { hasFacet } from './facets.ts';
import { countVideos, findPage, isFoundUncounted, type Hits } from './find-page.ts';
import { readAlready, withVideos, writtenVideos, type ReadAlready } from './show.ts';

interface Part {
  size: number;
  from: number;
}

/**
 * What a filter reads; what is counted of a table is written with it, and need not be named. Of those who watch just now a place is
 * saved every few seconds, which is nothing to lists of what was watched or was not.
 */
const readFor = (filter: VideoFilter): Source[] => [
  'video',
  ...(filter.watch ? ([filter.watch === 'continue' ? 'watch' : 'watch.watchedAt'] as const) : []),
  ...(filter.playlist ? (['playlistShown'] as const) : []),
  ...(filter.awkward ? (['awkward'] as const) : []),
  ...(hasFacet(filter) ? (['facet'] as const) : []),
];

export const readPage = reading(
  'page of videos',
  async (db, { accountId, filter, part, hits }: { accountId: number; filter: VideoFilter; part: Part; hits: Hits | null }) =>
    withVideos(db, await findPage(db, accountId, filter, part, hits), accountId),
);

/**
 * The videos on a page of a list, to be sent, and how many there are in all. Which they are and how many is recalled until something of it
 * changes: a home page is asked for again and again, and whoever turns pages has what matches counted each time.
 */
export function listPage(
  db: Db,
  accountId: number,
  filter: VideoFilter,
  part: Part,
): { hits: Promise<Hits>; videos: Promise<Video[]> } {
  const wish = { from: readFor(filter), bytes: little };
  const list = JSON.stringify([filter.watch && accountId, { ...filter, page: 0 }]);
  const hits = db.recall.one(`hits ${list}`, wish, () => countVideos(db, accountId, filter));
  // Who has to find out which they are reads them in one go.
  let read: ReadAlready | undefined;
  const ids = db.recall.one(`page ${part.size} ${part.from} ${list}`, wish, async () => {
    const asked = { accountId, filter, part, hits: isFoundUncounted(filter, part) ? null : await hits };
    read = await readAlready(db, () => readPage(db, asked));
    return read.ids;
  });
  return { hits, videos: ids.then((found) => writtenVideos(db, accountId, found, { read })) };
}
