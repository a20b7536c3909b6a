import { channelCalls } from '#contract/channel.ts';
import { paginate, pageRequest } from '../http/paging.ts';
import { notFound } from '../http/problem.ts';
import { routes } from '../http/route.ts';
import { durationText } from '../time-text.ts';
import { shapeFoundChannel } from './embed.ts';
import { countChannels, findChannel, listChannels, partsOfChannel, sumChannel } from './store.ts';

export const channelRoutes = routes(channelCalls, {
  'GET /api/channel/': async ({ query, user, url }, { db }) => {
    const total = await countChannels(db, query);
    const channels = await listChannels(db, query, pageRequest(query.page, user.pageSize));
    return { data: channels.map(shapeFoundChannel), paginate: paginate(total, query.page, user.pageSize, url) };
  },

  'GET /api/channel/:id/': async ({ params }, { db }) => {
    const channel = await findChannel(db, params.id);
    if (!channel) throw notFound('channel');
    return shapeFoundChannel(channel);
  },

  'GET /api/channel/:id/aggs/': async ({ params }, { db }) => {
    const { count, sizeBytes, durationSeconds } = await sumChannel(db, params.id);
    return {
      total_items: { value: count },
      total_size: { value: sizeBytes },
      total_duration: { value: durationSeconds, value_str: durationText(durationSeconds) },
    };
  },

  'GET /api/channel/:id/nav/': async ({ params }, { db }) => {
    const { kinds, hasPlaylists, queued } = await partsOfChannel(db, params.id);
    return {
      has_pending: queued.has('pending'),
      has_ignored: queued.has('ignore'),
      has_playlists: hasPlaylists,
      has_videos: kinds.has('videos'),
      has_streams: kinds.has('streams'),
      has_shorts: kinds.has('shorts'),
    };
  },
});
