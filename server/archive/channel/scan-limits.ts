import type { ChannelOverwrites } from '#contract/channel.ts';
import type { BackCatalogue } from '../../platform/db/schema/tables.ts';
import type { Settings } from '#contract/settings.ts';

const kinds = ['videos', 'streams', 'shorts'] as const;
const keys = { videos: 'channel_size', streams: 'live_channel_size', shorts: 'shorts_channel_size' } as const;

/** Number of newest videos of each kind that a scan checks. 0 skips the kind, null checks all. */
export type ScanLimits = Record<(typeof kinds)[number], number | null>;

/** Returns the limits of a channel. Its overrides take precedence over the settings. */
export function scanLimitsOf(
  own: Partial<ChannelOverwrites>,
  subscriptions: Pick<Settings['subscriptions'], (typeof keys)['videos' | 'streams' | 'shorts']>,
): ScanLimits {
  const size = (kind: keyof ScanLimits) => own[`subscriptions_${keys[kind]}`] ?? subscriptions[keys[kind]];
  return { videos: size('videos'), streams: size('streams'), shorts: size('shorts') };
}

/** Returns whether a limit was raised. A scan must then not stop at the first known video, because unknown ones follow. */
export const scansFurther = (now: ScanLimits, before: ScanLimits): boolean =>
  kinds.some((kind) => (now[kind] ?? Infinity) > (before[kind] ?? Infinity));

/** Number of videos per kind for the back catalogue choice "newest". */
export const newestOfCatalogue = 50;

/** Returns the limits of the first scan of a subscription. Kinds that are skipped stay skipped. */
export function firstScanLimits(configured: ScanLimits, backCatalogue: BackCatalogue): ScanLimits {
  const size = (kind: keyof ScanLimits) => {
    if (configured[kind] === 0 || backCatalogue === 'none') return configured[kind];
    return backCatalogue === 'newest' ? newestOfCatalogue : null;
  };
  return { videos: size('videos'), streams: size('streams'), shorts: size('shorts') };
}
