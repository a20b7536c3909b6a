import type { Channel, ChannelOverwrites } from '#contract/channel.ts';
import { formatIso } from '../../platform/lib/format-time.ts';

/** The columns needed to serialize a channel. */
export interface ChannelRow {
  id: string;
  name: string;
  description: string | null;
  tags: string;
  tabs: string;
  subscriberCount: number;
  isActive: 0 | 1;
  isSubscribed: 0 | 1;
  hasThumb: 0 | 1;
  hasBanner: 0 | 1;
  hasTvart: 0 | 1;
  overwrites: string | null;
  refreshedAt: number;
}

export const noOverrides: ChannelOverwrites = {
  download_format: null,
  autodelete_days: null,
  autodelete_min_size: null,
  autodelete_available_only: null,
  index_playlists: null,
  integrate_sponsorblock: null,
  integrate_dearrow: null,
  subscriptions_channel_size: null,
  subscriptions_live_channel_size: null,
  subscriptions_shorts_channel_size: null,
  subscriptions_auto_start: null,
  upgrade: null,
  live: null,
  live_chat: null,
  small_copy: null,
  audio_languages: null,
  audio_auto_dubs: null,
  transcribe: null,
  transcribe_lang: null,
};

/** Serializes a channel for the API, also as part of a video. */
export function serializeChannel(row: ChannelRow): Channel {
  const art = (kind: string) => `/cache/channels/${row.id}_${kind}.jpg`;
  return {
    channel_id: row.id,
    channel_name: row.name,
    channel_active: row.isActive === 1,
    channel_subscribed: row.isSubscribed === 1,
    channel_subs: row.subscriberCount,
    channel_last_refresh: formatIso(row.refreshedAt),
    channel_description: row.description,
    channel_tags: JSON.parse(row.tags) as string[],
    channel_tabs: JSON.parse(row.tabs) as Channel['channel_tabs'],
    channel_thumb_url: art('thumb'),
    channel_banner_url: art('banner'),
    channel_tvart_url: art('tvart'),
    channel_art: [
      ...(row.hasThumb ? (['thumb'] as const) : []),
      ...(row.hasBanner ? (['banner'] as const) : []),
      ...(row.hasTvart ? (['tvart'] as const) : []),
    ],
    ...(row.overwrites !== null && {
      channel_overwrites: { ...noOverrides, ...(JSON.parse(row.overwrites) as Partial<ChannelOverwrites>) },
    }),
  };
}

/** Serializes a channel as a top-level result. */
export const serializeFoundChannel = (row: ChannelRow): Channel => ({
  ...serializeChannel(row),
  _index: 'ta_channel',
  _score: 0,
});
