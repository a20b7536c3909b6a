import type { FailureKind } from '#contract/download.ts';

const minute = 60;
const hour = 3600;
const day = 86_400;

// Delay before each retry; after the last one the item waits for a user. Failures that are not listed are permanent, such as a
// private video. See docs/decisions/failure-classes.md.
const retryDelays: Partial<Record<FailureKind, number[]>> = {
  network: [2 * minute, 10 * minute, hour, 6 * hour, day, day, day],
  incomplete: [10 * minute, hour, 6 * hour, day],
  'rate-limited': Array<number>(20).fill(0), // the cooldown of the site determines the time
  blocked: Array<number>(20).fill(0),
  'disk-full': Array<number>(200).fill(30 * minute),
  storage: [minute, 5 * minute, 15 * minute, ...Array<number>(200).fill(30 * minute)],
  ytdlp: [6 * hour, day, day, day, day, day, day], // a new yt-dlp release usually fixes this within days
  // Also retried after each update of yt-dlp, and when a missing part was installed (retry-now.ts).
  challenge: [6 * hour, day, day, day, day, day, day],
  token: [10 * minute, hour, 6 * hour, day, day, day],
  sabr: Array<number>(30).fill(day),
  unknown: [hour, 6 * hour, day],
  'not-yet': Array<number>(500).fill(3 * hour),
};

// Cooldowns of a site in seconds. Each consecutive refusal doubles them.
const cooldowns: Partial<Record<FailureKind, { first: number; max: number }>> = {
  blocked: { first: hour, max: day },
  'rate-limited': { first: 15 * minute, max: 6 * hour },
  // Usually concerns all videos of the site, until yt-dlp is updated.
  challenge: { first: 15 * minute, max: 6 * hour },
};

/** Returns the cooldown of a site in seconds after its n-th consecutive refusal, or null if the failure is no refusal. */
export function cooldownAfter(kind: FailureKind, times: number): number | null {
  const cooldown = cooldowns[kind];
  return cooldown ? Math.min(cooldown.max, cooldown.first * 2 ** Math.max(0, times - 1)) : null;
}

/**
 * Returns when an item is retried automatically after its n-th consecutive failure (from 1), in epoch seconds, or null. Varies by
 * ±20 %, so that many items are not retried in the same second.
 */
export function nextAttemptAt(
  kind: FailureKind,
  { failures, now, againInSeconds }: { failures: number; now: number; againInSeconds?: number | undefined },
): number | null {
  const delay = retryDelays[kind]?.[failures - 1];
  if (delay === undefined) return null;
  if (delay === 0) return now;
  if (kind === 'not-yet' && againInSeconds !== undefined)
    return now + Math.min(7 * day, Math.max(10 * minute, againInSeconds + 10 * minute));
  return now + Math.round(delay * (0.8 + 0.4 * Math.random()));
}
