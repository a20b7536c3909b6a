import { matchingCalls, type Matching } from '#contract/matching.ts';
import type { Archive } from '../archive.ts';
import { fetchAgain } from '../download/fetch-again.ts';
import { refused } from '../http/problem.ts';
import { routes, type User } from '../http/route.ts';
import { addToCustom } from '../playlist/add-to-custom.ts';
import { playlistExists } from '../playlist/exists.ts';
import { confirmDeletion } from '../user/confirm.ts';
import { deleteVideos } from './delete-videos.ts';
import { countVideos, findPage, sizeOfVideos } from './find-page.ts';
import { keepVideos } from './keep.ts';
import { markVideos } from './mark-watched.ts';
import { sumOf } from './sum-of.ts';
import { undoMark } from './undo-marks.ts';

async function filterOf({ db }: Archive, matching: Matching) {
  if (matching.playlist && !(await playlistExists(db, matching.playlist))) throw refused('playlist not found');
  return { ...matching, page: 0 };
}

/** The ids of every video that a list shows to this person, in its order. */
async function idsOf(archive: Archive, user: User, matching: Matching): Promise<string[]> {
  const filter = await filterOf(archive, matching);
  const hits = await countVideos(archive.db, user.id, filter);
  return findPage(archive.db, user.id, filter, { size: Math.max(1, hits.total), from: 0 }, hits);
}

export const matchingRoutes = routes(matchingCalls, {
  'GET /api/video/matching/': async ({ query, user }, archive) => {
    const filter = await filterOf(archive, query);
    const [{ total }, size] = await Promise.all([
      countVideos(archive.db, user.id, filter),
      sizeOfVideos(archive.db, user.id, filter),
    ]);
    return { videos: total, media_size: size };
  },

  'POST /api/video/matching/watched/': async ({ query, body, user }, archive) => {
    const ids = await idsOf(archive, user, query);
    const undo = await markVideos(archive, user.id, ids, body.is_watched);
    return { videos: ids.length, undo };
  },

  'POST /api/video/matching/undo/': async ({ body, user }, archive) => ({ videos: await undoMark(archive, user.id, body.undo) }),

  'POST /api/video/matching/playlist/': async ({ query, body, user }, archive) => ({
    videos: await addToCustom(archive, body.playlist_id, await idsOf(archive, user, query)),
  }),

  'POST /api/video/matching/keep/': async ({ query, body, user }, archive) => {
    const ids = await idsOf(archive, user, query);
    await keepVideos(archive, ids, body.is_kept);
    return { videos: ids.length };
  },

  'POST /api/video/matching/redownload/': async ({ query, user }, archive) => ({
    videos: await fetchAgain(archive, await idsOf(archive, user, query)),
  }),

  'POST /api/video/matching/delete/': async ({ query, body, user, request }, archive) => {
    const ids = await idsOf(archive, user, query);
    if (ids.length > body.videos)
      throw refused(`${ids.length} videos match by now, and not ${body.videos}. Nothing was deleted.`);
    await confirmDeletion(archive, { user, request }, await sumOf(archive.db, ids));
    const { id } = await archive.tasks.start(deleteVideos, { ids, andIgnore: body.ignore, by: user.name });
    return { message: `${ids.length} videos are being deleted`, task_id: id, status: 'PENDING' };
  },
});
