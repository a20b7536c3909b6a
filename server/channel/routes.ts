import { channelCalls, type ChannelOverwrites } from '#contract/channel.ts';
import type { Archive } from '../archive.ts';
import { classify } from '../download/classify.ts';
import { paginate, pageRequest } from '../http/paging.ts';
import { notFound, Problem, refused } from '../http/problem.ts';
import { routes } from '../http/route.ts';
import { durationText } from '../time-text.ts';
import { leavingMore } from '../library/retention.ts';
import { confirmDeletion } from '../user/confirm.ts';
import { tallyOf } from '../video/tally.ts';
import { deleteChannel } from './delete-channel.ts';
import { noOverwrites, shapeFoundChannel } from './embed.ts';
import { findByHandle } from './find-by-handle.ts';
import { overwritesOf } from './overwrites.ts';
import { setOverwrites } from './set-overwrites.ts';
import { countChannels, findChannel, findChannelNamed, listChannels, partsOfChannel } from './store.ts';
import { subscribeTo } from './subscribe.ts';

const unsubscribe = (db: Archive['db'], id: string) =>
  db.updateTable('channel').set({ isSubscribed: 0 }).where('id', '=', id).execute();

export const channelRoutes = routes(channelCalls, {
  'GET /api/channel/': async ({ query, user, url }, { db }) => {
    const total = await countChannels(db, query);
    const channels = await listChannels(db, query, pageRequest(query.page, user.pageSize));
    return { data: channels.map(shapeFoundChannel), paginate: paginate(total, query.page, user.pageSize, url) };
  },

  'POST /api/channel/': async ({ body }, archive) => {
    const wanted = body.data.filter((one) => one.channel_subscribed).map((one) => one.channel_id);
    if (wanted.length > 0) await archive.tasks.start(subscribeTo, { kind: 'channel', texts: wanted });
    for (const { channel_id } of body.data.filter((one) => !one.channel_subscribed)) {
      const channel = await findByHandle(archive, channel_id);
      if (channel) await unsubscribe(archive.db, channel.id);
    }
    archive.announce('channel');
    return body;
  },

  'GET /api/channel/search/': async ({ query }, archive) => {
    const wanted = classify(query.q);
    if (wanted?.what === 'video' || wanted?.what === 'playlist') throw refused('expected channel data');
    const channel = await findByHandle(archive, query.q);
    // The browser extension reads `channel_subscribed` also of this answer.
    if (!channel) throw new Problem(404, `channel not found: ${query.q}`, { more: { channel_subscribed: false } });
    return shapeFoundChannel(channel);
  },

  'GET /api/channel/:id/': async ({ params }, { db }) => {
    const channel = await findChannel(db, params.id);
    if (!channel) throw notFound('channel');
    return shapeFoundChannel(channel);
  },

  'POST /api/channel/:id/': async ({ params, body, user, request }, archive) => {
    const channel = await findChannelNamed(archive.db, params.id);
    if (!channel) throw notFound('channel');
    const { channel_subscribed: subscribed, channel_overwrites: overwrites } = body;
    const supposed = {
      id: channel.id,
      ...(subscribed && { isSubscribed: 1 as const }),
      ...(overwrites && { overwrites: JSON.stringify({ ...(await overwritesOf(archive.db, channel.id)), ...overwrites }) }),
    };
    await confirmDeletion(archive, { user, request }, await leavingMore(archive, { channel: supposed }));
    if (subscribed !== undefined)
      await archive.db
        .updateTable('channel')
        .set({ isSubscribed: subscribed ? 1 : 0 })
        .where('id', '=', channel.id)
        .execute();
    if (overwrites) await setOverwrites(archive, channel.id, overwrites);
    archive.announce('channel', 'video');
    return {
      ...(subscribed !== undefined && { channel_subscribed: subscribed }),
      ...(overwrites && { channel_overwrites: { ...noOverwrites, ...(overwrites as Partial<ChannelOverwrites>) } }),
    };
  },

  'DELETE /api/channel/:id/': async ({ params, user, request }, archive) => {
    await confirmDeletion(archive, { user, request }, await tallyOf(archive.db, { channel: params.id }));
    await deleteChannel(archive, params.id, { by: user.name });
  },

  'GET /api/channel/:id/aggs/': async ({ params }, { db }) => {
    const { videos, sizeBytes, durationSeconds } = await tallyOf(db, { channel: params.id });
    return {
      total_items: { value: videos },
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
