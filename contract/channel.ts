import { z } from 'zod';
import type { Contract } from './call.ts';
import { PageQuery, pageOf } from './page.ts';
import { settings } from './settings.ts';
import { flag, Id, integer, text, VideoKind } from './values.ts';

const formatPattern = new RegExp(settings.downloads.format.pattern, 'u');

export const ChannelOverwrites = z.object({
  download_format: z.string().nullable(),
  autodelete_days: z.int().nullable(),
  index_playlists: z.boolean().nullable(),
  integrate_sponsorblock: z.boolean().nullable(),
  subscriptions_channel_size: z.int().nullable(),
  subscriptions_live_channel_size: z.int().nullable(),
  subscriptions_shorts_channel_size: z.int().nullable(),
});
export type ChannelOverwrites = z.infer<typeof ChannelOverwrites>;

const size = integer({ min: 0, max: 100_000 }).nullable();
/** Null takes a key away; what is not named stays. */
const SomeOverwrites = z
  .strictObject({
    download_format: z.string().trim().max(500).regex(formatPattern, 'Not understood.').nullable(),
    autodelete_days: integer({ min: 0, max: 36_500 }).nullable(),
    index_playlists: flag().nullable(),
    integrate_sponsorblock: flag().nullable(),
    subscriptions_channel_size: size,
    subscriptions_live_channel_size: size,
    subscriptions_shorts_channel_size: size,
  })
  .partial();
export type SomeOverwrites = z.output<typeof SomeOverwrites>;

/** One overwrite from elsewhere, by itself; empty when it is none, or not possible. */
export const SomeOverwritesOf = (key: string, value: unknown): SomeOverwrites => {
  const read = SomeOverwrites.safeParse({ [key]: value });
  return read.success ? read.data : {};
};

export const Channel = z.object({
  channel_id: z.string(),
  channel_name: z.string(),
  channel_active: z.boolean(),
  channel_subscribed: z.boolean(),
  channel_subs: z.int(),
  channel_last_refresh: z.string(),
  channel_description: z.string().nullable(),
  channel_tags: z.array(z.string()).optional(),
  channel_tabs: z.array(VideoKind),
  channel_thumb_url: z.string().nullable(),
  channel_banner_url: z.string().nullable(),
  channel_tvart_url: z.string().nullable(),
  channel_overwrites: ChannelOverwrites.optional(),
  _index: z.literal('ta_channel').optional(),
  _score: z.number().optional(),
});
export type Channel = z.infer<typeof Channel>;

const ChannelId = z.object({ id: Id });

export const channelCalls = {
  'GET /api/channel/': {
    may: 'user',
    does: 'List channels by name',
    query: z.object({ ...PageQuery, filter: z.enum(['subscribed', 'unsubscribed']).optional() }),
    reply: pageOf(Channel),
  },
  'POST /api/channel/': {
    may: 'staff',
    does: 'Subscribe to channels, or unsubscribe',
    alsoAsMessage: true,
    body: z.object({
      data: z
        .array(z.object({ channel_id: z.string().max(100_000), channel_subscribed: flag() }), 'missing expected data key')
        .max(10_000),
    }),
    reply: z.object({ data: z.array(z.object({ channel_id: z.string(), channel_subscribed: z.boolean() })) }),
  },
  'GET /api/channel/search/': {
    may: 'user',
    does: 'Find a channel of the archive by id, address or handle',
    query: z.object({ q: text(2000) }),
    reply: Channel,
  },
  'GET /api/channel/:id/': { may: 'user', does: 'One channel', params: ChannelId, reply: Channel },
  'POST /api/channel/:id/': {
    may: 'staff',
    does: 'Subscribe to a channel or not, or choose what holds for it alone',
    confirmed: true,
    params: ChannelId,
    body: z.object({ channel_subscribed: flag().optional(), channel_overwrites: SomeOverwrites.optional() }),
    reply: z.object({ channel_subscribed: z.boolean().optional(), channel_overwrites: ChannelOverwrites.optional() }),
  },
  'DELETE /api/channel/:id/': {
    may: 'staff',
    does: 'Delete a channel with all its videos and files',
    confirmed: true,
    params: ChannelId,
  },
  'GET /api/channel/:id/aggs/': {
    may: 'user',
    does: 'What a channel holds in all',
    params: ChannelId,
    reply: z.object({
      total_items: z.object({ value: z.int() }),
      total_size: z.object({ value: z.int() }),
      total_duration: z.object({ value: z.int(), value_str: z.string() }),
    }),
  },
  'GET /api/channel/:id/nav/': {
    may: 'user',
    does: 'Which tabs a channel has',
    params: ChannelId,
    reply: z.object({
      has_pending: z.boolean(),
      has_ignored: z.boolean(),
      has_playlists: z.boolean(),
      has_videos: z.boolean(),
      has_streams: z.boolean(),
      has_shorts: z.boolean(),
    }),
  },
} satisfies Contract;
