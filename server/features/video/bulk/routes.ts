import { bulkCalls, type BulkFilter } from '#contract/bulk.ts';
import type { AppContext } from '../../../platform/context/app-context.ts';
import { redownload } from '../../download/redownload.ts';
import { badRequest } from '../../../platform/http/http-error.ts';
import { routes, type User } from '../../../platform/http/route.ts';
import { startFetchingSounds } from '../fetch-sounds-task.ts';
import { addToCustom } from '../../playlist/add-to-custom.ts';
import { playlistExists } from '../../../archive/playlist/store.ts';
import { addTagToVideos } from '../../tag/store.ts';
import { confirmDeletion } from '../../user/confirm-deletion.ts';
import { deleteVideos } from '../delete-videos.ts';
import { summarizeVideos } from '../list/count-videos.ts';
import { findVideoIds } from '../list/find-video-ids.ts';
import { refuseFilter } from '../list/refuse-filter.ts';
import { protectVideos } from '../protect.ts';
import { markVideosWatched } from '../watch/mark-watched.ts';
import { totalSizeOf } from '../../../archive/queries/total-size.ts';
import { undoMarkWatched } from '../watch/undo-mark-watched.ts';

async function filterOf({ db }: AppContext, user: User, matching: BulkFilter) {
  refuseFilter(user, matching);
  if (matching.playlist && !(await playlistExists(db, user, matching.playlist))) throw badRequest('error.playlist');
  return { ...matching, page: 0 };
}

/** Returns the ids of all videos that a list shows to this user, in list order. */
async function idsOf(app: AppContext, user: User, matching: BulkFilter): Promise<string[]> {
  const filter = await filterOf(app, user, matching);
  return (await findVideoIds(app.db, user.id, filter, { size: Infinity, from: 0 })).ids;
}

export const bulkRoutes = routes(bulkCalls, {
  'GET /api/video/bulk/': async ({ query, user }, app) => {
    const filter = await filterOf(app, user, query);
    const { videos, sizeBytes } = await summarizeVideos(app.db, user.id, filter);
    return { videos, media_size: sizeBytes };
  },

  'POST /api/video/bulk/watched/': async ({ query, body, user }, app) => {
    const ids = await idsOf(app, user, query);
    const undo = await markVideosWatched(app, user.id, ids, body.is_watched);
    return { videos: ids.length, undo };
  },

  'POST /api/video/bulk/undo/': async ({ body, user }, app) => ({
    videos: await undoMarkWatched(app, user.id, body.undo),
  }),

  'POST /api/video/bulk/playlist/': async ({ query, body, user }, app) => ({
    videos: await addToCustom(app, user, body.playlist_id, await idsOf(app, user, query)),
  }),

  'POST /api/video/bulk/tag/': async ({ query, body, user }, app) => {
    const videos = await addTagToVideos(app.db, user.id, body.tag, await idsOf(app, user, query));
    app.events.announceTo(user.id, 'tag', 'video', 'list');
    return { videos };
  },

  'POST /api/video/bulk/protect/': async ({ query, body, user }, app) => {
    const ids = await idsOf(app, user, query);
    await protectVideos(app, ids, body.is_protected);
    return { videos: ids.length };
  },

  'POST /api/video/bulk/redownload/': async ({ query, user }, app) => ({
    videos: await redownload(app, await idsOf(app, user, query)),
  }),

  'POST /api/video/bulk/sounds/': async ({ query, body, user }, app) =>
    startFetchingSounds(app, await idsOf(app, user, query), body),

  'POST /api/video/bulk/delete/': async ({ query, body, user, request }, app) => {
    const ids = await idsOf(app, user, query);
    if (ids.length > body.videos) throw badRequest('error.count-changed', { count: ids.length, named: body.videos });
    await confirmDeletion(app, { user, request }, await totalSizeOf(app.db, ids));
    const { id } = await app.tasks.start(deleteVideos, { ids, andIgnore: body.ignore, by: user.name });
    return { message: `${ids.length} videos are being deleted`, task_id: id, status: 'PENDING' };
  },
});
