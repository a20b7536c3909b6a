import type { ChannelOverwrites } from '#contract/channel.ts';
import type { Settings } from '#contract/settings.ts';
import type { Filter } from '#web/api/queries/video-filter.ts';

/** Conditions of the cleanup rule for watched videos, besides the days. */
export interface RuleConditions {
  /** Bytes; 0: any size. */
  minSize: number;
  availableOnly: boolean;
}

/** The rule for watched videos. Null days: none. */
export interface WatchedRule extends RuleConditions {
  days: number | null;
}

/** Returns the rule of the archive, or of a channel with these overrides. */
export function watchedRuleOf(all: Settings['downloads'], own: Partial<ChannelOverwrites> = {}): WatchedRule {
  return {
    days: own.autodelete_days ?? all.autodelete_days,
    minSize: own.autodelete_min_size ?? all.autodelete_min_size ?? 0,
    availableOnly: own.autodelete_available_only ?? all.autodelete_available_only,
  };
}

const expressible = new Set<keyof Filter>(['cleanup', 'active', 'min_size', 'channel', 'sort', 'order']);

/** Returns the rule conditions of a list of watched videos. Undefined if no rule can express its filter. */
export function conditionsOf(filter: Filter): RuleConditions | undefined {
  const isExpressible = Object.entries(filter).every(
    ([key, value]) => value === undefined || expressible.has(key as keyof Filter),
  );
  if (filter.cleanup !== 'watched' || filter.active === false || !isExpressible) return undefined;
  return { minSize: filter.min_size ?? 0, availableOnly: filter.active === true };
}
