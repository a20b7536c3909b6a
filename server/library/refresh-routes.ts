import { refreshCalls } from '#contract/refresh.ts';
import { notFound, refused } from '../http/problem.ts';
import { routes } from '../http/route.ts';
import { earlierUrl } from '../video/earlier.ts';
import { knownVideoIds } from '../video/known.ts';
import { checkReindex } from './refresh.ts';
import { countWishes, isWished, wish, wishVideosOf } from './refresh-queue.ts';

const dueDays = 90; // as the schedule has it unless somebody says otherwise

export const refreshRoutes = routes(refreshCalls, {
  'GET /api/refresh/': async ({ query: { type, id } }, { db }) => {
    if (id && !type) throw refused('specified id also needs type');
    const total = await countWishes(db);
    if (type && id) return { state: (await isWished(db, type, id)) ? 'in_queue' : false, total_queued: total };
    return { state: total > 0 ? 'running' : 'empty', total_queued: total };
  },

  'POST /api/refresh/': async ({ query, body }, { db, tasks }) => {
    const { video = [], channel = [], playlist = [] } = body ?? {};
    await wish(db, 'video', video, 1);
    await wish(db, 'channel', channel, 1);
    await wish(db, 'playlist', playlist, 1);
    if (query.extract_videos) await wishVideosOf(db, { channels: channel, playlists: playlist });
    const isEmpty = video.length + channel.length + playlist.length === 0;
    const { id } = await tasks.start(checkReindex, isEmpty ? { days: dueDays } : {});
    return { message: 'reindex task started', task_id: id };
  },

  'POST /api/refresh/undo/': async ({ body }, { db, announce }) => {
    const counts = { video: 0, channel: 0, playlist: 0 };
    for (const table of ['video', 'channel', 'playlist'] as const) {
      const back = await db
        .updateTable(table)
        .set({ isActive: 1, goneSince: null, goneAs: null })
        .where((w) => w.or([w('isActive', '=', 0), w('goneSince', 'is not', null)]))
        .$if(body.since !== undefined, (q) => q.where('goneSince', '>=', body.since!))
        .$if(body.failure !== undefined, (q) => q.where('goneAs', '=', body.failure!))
        .returning('id')
        .execute();
      counts[table] = back.length;
    }
    announce('video', 'channel', 'playlist');
    return counts;
  },

  'GET /api/video/:id/history/': async ({ params }, archive) => {
    if ((await knownVideoIds(archive, [params.id])).size === 0) throw notFound('video');
    const rows = await archive.db
      .selectFrom('earlier')
      .select(['what', 'until', 'value'])
      .where('videoId', '=', params.id)
      .orderBy('until', 'desc')
      .orderBy('what')
      .execute();
    return rows.map((row) => (row.what === 'thumbnail' ? { ...row, value: earlierUrl(row.value) } : row));
  },
});
