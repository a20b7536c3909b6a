import type { Channel, ChannelOverwrites } from '#contract/channel.ts';
import { isoTime } from '../time-text.ts';

/** What of a channel's row its shape needs. */
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

/** No choice of its own. */
export const noOverwrites: ChannelOverwrites = {
  download_format: null,
  autodelete_days: null,
  index_playlists: null,
  integrate_sponsorblock: null,
  subscriptions_channel_size: null,
  subscriptions_live_channel_size: null,
  subscriptions_shorts_channel_size: null,
};

/** A channel as the API shows it, also inside a video. */
export function shapeChannel(row: ChannelRow): Channel {
  const art = (has: 0 | 1, kind: string) => (has ? `/cache/channels/${row.id}_${kind}.jpg` : null);
  return {
    channel_id: row.id,
    channel_name: row.name,
    channel_active: row.isActive === 1,
    channel_subscribed: row.isSubscribed === 1,
    channel_subs: row.subscriberCount,
    channel_last_refresh: isoTime(row.refreshedAt),
    channel_description: row.description,
    channel_tags: JSON.parse(row.tags) as string[],
    channel_tabs: JSON.parse(row.tabs) as Channel['channel_tabs'],
    channel_thumb_url: art(row.hasThumb, 'thumb'),
    channel_banner_url: art(row.hasBanner, 'banner'),
    channel_tvart_url: art(row.hasTvart, 'tvart'),
    ...(row.overwrites !== null && {
      channel_overwrites: { ...noOverwrites, ...(JSON.parse(row.overwrites) as Partial<ChannelOverwrites>) },
    }),
  };
}

/** A channel as an answer of its own. */
export const shapeFoundChannel = (row: ChannelRow): Channel => ({ ...shapeChannel(row), _index: 'ta_channel', _score: 0 });
