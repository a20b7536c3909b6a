import { message } from '#contract/messages.ts';
import { channelCalls, type ChannelOverwrites } from '#contract/channel.ts';
import { parseInput } from '../../archive/sites/parse-input.ts';
import { paginate, pageRequest } from '../../platform/http/paging.ts';
import { notFound, HttpError, badRequest } from '../../platform/http/http-error.ts';
import { routes } from '../../platform/http/route.ts';
import { formatDuration } from '../../platform/lib/format-time.ts';
import { findAdditionallyExpired } from '../library/retention/retention.ts';
import { refuseInvalidFormat } from '../../archive/sites/refuse-invalid-format.ts';
import { confirmDeletion } from '../user/confirm-deletion.ts';
import { countVideosOf } from '../../archive/queries/video-counts.ts';
import { deleteChannel } from './delete-channel.ts';
import { noOverrides, serializeFoundChannel } from '../../archive/channel/serialize.ts';
import { findByHandle } from './find-by-handle.ts';
import { readOverridesOf } from '../../archive/settings/store.ts';
import { scanSubscriptions } from '../subscription/scan-subscriptions.ts';
import { setOverrides } from '../../archive/channel/set-overrides.ts';
import {
  countChannels,
  findChannel,
  findChannelById,
  listChannels,
  channelContents,
  setSubscribed,
} from '../../archive/channel/store.ts';
import { subscribeTo } from '../subscription/subscribe.ts';
import { saveSubscriptionChoices } from '../subscription/subscription-choices.ts';
import { findTagNumber } from '../tag/store.ts';
import { refuseFilter } from '../video/list/refuse-filter.ts';

export const channelRoutes = routes(channelCalls, {
  'GET /api/channel/': async ({ query: { own_tag, ...query }, user, url }, { db }) => {
    refuseFilter(user, { own_tag });
    const ownTag = own_tag === undefined ? undefined : ((await findTagNumber(db, user.id, own_tag)) ?? 0);
    const filter = { ...query, ownTag };
    const total = await countChannels(db, filter);
    const channels = await listChannels(db, filter, { accountId: user.id, ...pageRequest(query.page, user.pageSize) });
    const data = channels.map((row) => ({
      ...serializeFoundChannel(row),
      channel_videos: Number(row.videos),
      channel_unwatched: Number(row.unwatched),
    }));
    return { data, paginate: paginate(total, query.page, user.pageSize, url) };
  },

  'POST /api/channel/': async ({ body }, app) => {
    const wanted = body.data.filter((one) => one.channel_subscribed).map((one) => one.channel_id);
    const { auto_start, back_catalogue } = body;
    const task =
      wanted.length > 0
        ? await app.tasks.start(subscribeTo, { kind: 'channel', texts: wanted, auto_start, back_catalogue })
        : null;
    for (const { channel_id } of body.data.filter((one) => !one.channel_subscribed)) {
      const channel = await findByHandle(app, channel_id, { mayAskSite: true });
      if (channel) await setSubscribed(app.db, channel.id, false);
    }
    app.announce('channel');
    return { data: body.data, ...(task && { task_id: task.id }) };
  },

  'GET /api/channel/search/': async ({ query, user }, app) => {
    const wanted = parseInput(query.q);
    if (wanted?.what === 'video' || wanted?.what === 'playlist') throw badRequest('error.channel-data');
    const channel = await findByHandle(app, query.q, { mayAskSite: user.isStaff });
    // The browser extension also reads `channel_subscribed` from this error.
    if (!channel)
      throw new HttpError(404, message('error.channel-of', { text: query.q }), { more: { channel_subscribed: false } });
    return serializeFoundChannel(channel);
  },

  'GET /api/channel/:id/': async ({ params }, { db }) => {
    const channel = await findChannel(db, params.id);
    if (!channel) throw notFound('error.channel');
    return serializeFoundChannel(channel);
  },

  'POST /api/channel/:id/': async ({ params, body, user, request }, app) => {
    const channel = await findChannelById(app.db, params.id);
    if (!channel) throw notFound('error.channel');
    const { channel_subscribed: subscribed, channel_overwrites: overwrites } = body;
    await refuseInvalidFormat(app, overwrites?.download_format);
    const supposed = {
      id: channel.id,
      ...(subscribed && { isSubscribed: 1 as const }),
      ...(overwrites && { overwrites: JSON.stringify({ ...(await readOverridesOf(app.db, channel.id)), ...overwrites }) }),
    };
    await confirmDeletion(app, { user, request }, await findAdditionallyExpired(app, { channel: supposed }));
    if (subscribed !== undefined) await setSubscribed(app.db, channel.id, subscribed);
    if (overwrites) await setOverrides(app, channel.id, overwrites);
    await saveSubscriptionChoices(app, 'channel', channel.id, body);
    if (subscribed && body.back_catalogue) await app.tasks.start(scanSubscriptions, { channels: [channel.id] });
    app.announce('channel', 'video');
    return {
      ...(subscribed !== undefined && { channel_subscribed: subscribed }),
      ...(overwrites && { channel_overwrites: { ...noOverrides, ...(overwrites as Partial<ChannelOverwrites>) } }),
    };
  },

  'DELETE /api/channel/:id/': async ({ params, user, request }, app) => {
    await confirmDeletion(app, { user, request }, await countVideosOf(app.db, { channel: params.id }));
    await deleteChannel(app, params.id, { by: user.name });
  },

  'GET /api/channel/:id/aggs/': async ({ params }, { db }) => {
    const { videos, sizeBytes, durationSeconds } = await countVideosOf(db, { channel: params.id });
    return {
      total_items: { value: videos },
      total_size: { value: sizeBytes },
      total_duration: { value: durationSeconds, value_str: formatDuration(durationSeconds) },
    };
  },

  'GET /api/channel/:id/nav/': async ({ params }, { db }) => {
    const { kinds, hasPlaylists, queued } = await channelContents(db, params.id);
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
