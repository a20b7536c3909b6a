import { refreshCalls } from '#contract/refresh.ts';
import { notFound, badRequest } from '../../../platform/http/http-error.ts';
import { routes } from '../../../platform/http/route.ts';
import { historyUrl, listHistory } from '../../../archive/video/metadata-history.ts';
import { existingIds } from '../../../archive/video/store.ts';
import { checkReindex } from './refresh.ts';
import { countRequests, isRequested, requestRefresh, requestVideosOf } from './refresh-queue.ts';

const dueDays = 90; // the default of the schedule

export const refreshRoutes = routes(refreshCalls, {
  'GET /api/refresh/': async ({ query: { type, id } }, { db }) => {
    if (id && !type) throw badRequest('error.id-needs-type');
    const total = await countRequests(db);
    if (type && id) return { state: (await isRequested(db, type, id)) ? 'in_queue' : false, total_queued: total };
    return { state: total > 0 ? 'running' : 'empty', total_queued: total };
  },

  'POST /api/refresh/': async ({ query, body }, { db, tasks }) => {
    const { video = [], channel = [], playlist = [] } = body ?? {};
    await requestRefresh(db, 'video', video, 1);
    await requestRefresh(db, 'channel', channel, 1);
    await requestRefresh(db, 'playlist', playlist, 1);
    if (query.extract_videos) await requestVideosOf(db, { channels: channel, playlists: playlist });
    const isEmpty = video.length + channel.length + playlist.length === 0;
    const { id } = await tasks.start(checkReindex, isEmpty ? { days: dueDays } : {});
    return { message: 'reindex task started', task_id: id };
  },

  'GET /api/video/:id/history/': async ({ params }, app) => {
    if ((await existingIds(app.db, [params.id])).size === 0) throw notFound('error.video');
    return (await listHistory(app.db, params.id)).map(({ field, replacedAt, value }) => ({
      what: field,
      until: replacedAt,
      value: field === 'thumbnail' ? historyUrl(value) : value,
    }));
  },
});
