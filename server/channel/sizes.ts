import type { ChannelOverwrites } from '#contract/channel.ts';
import type { Settings } from '#contract/settings.ts';

const kinds = ['videos', 'streams', 'shorts'] as const;
const keys = { videos: 'channel_size', streams: 'live_channel_size', shorts: 'shorts_channel_size' } as const;

/** How many of the newest of each kind a scan looks at: 0 leaves the kind out, null looks at all of them. */
export type Sizes = Record<(typeof kinds)[number], number | null>;

/** What holds for a channel: its own number goes before the one for all. */
export function sizesOf(
  own: Partial<ChannelOverwrites>,
  subscriptions: Pick<Settings['subscriptions'], (typeof keys)['videos' | 'streams' | 'shorts']>,
): Sizes {
  const size = (kind: keyof Sizes) => own[`subscriptions_${keys[kind]}`] ?? subscriptions[keys[kind]];
  return { videos: size('videos'), streams: size('streams'), shorts: size('shorts') };
}

/** Whether more of some kind is looked at than before: then what is known ends no scan, for the rest lies behind it. */
export const looksFurther = (now: Sizes, before: Sizes): boolean =>
  kinds.some((kind) => (now[kind] ?? Infinity) > (before[kind] ?? Infinity));
