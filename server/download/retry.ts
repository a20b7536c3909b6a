import type { FailureKind } from '#contract/download.ts';

const minute = 60;
const hour = 3600;
const day = 86_400;

// How long until it is tried again, failure after failure; after the last of them it waits until somebody asks. What is
// not here never mends itself: a private video does not become public by asking.
const ladders: Partial<Record<FailureKind, number[]>> = {
  network: [2 * minute, 10 * minute, hour, 6 * hour, day, day, day],
  incomplete: [10 * minute, hour, 6 * hour, day],
  'rate-limited': Array<number>(20).fill(0), // the pause of its site says when
  blocked: Array<number>(20).fill(0),
  'disk-full': Array<number>(200).fill(30 * minute),
  ytdlp: [6 * hour, day, day, day, day, day, day], // a newer yt-dlp mends it, and is there within days
  unknown: [hour, 6 * hour, day],
  'not-yet': Array<number>(500).fill(3 * hour),
};

// A site that turned us away turns the next one away too, and longer each time it is asked.
const pauses: Partial<Record<FailureKind, { first: number; most: number }>> = {
  blocked: { first: hour, most: day },
  'rate-limited': { first: 15 * minute, most: 6 * hour },
};

/** How long a site is left alone after it turned us away for the n-th time in a row, in seconds; null when it did not. */
export function pauseAfter(kind: FailureKind, times: number): number | null {
  const pause = pauses[kind];
  return pause ? Math.min(pause.most, pause.first * 2 ** Math.max(0, times - 1)) : null;
}

/**
 * When an item is tried again by itself after its n-th failure in a row (from 1), epoch seconds; null when only somebody's
 * asking helps. Varied by a fifth, so that a hundred items do not come back in the same second.
 */
export function nextTry(
  kind: FailureKind,
  { failures, now, againInSeconds }: { failures: number; now: number; againInSeconds?: number | undefined },
): number | null {
  const wait = ladders[kind]?.[failures - 1];
  if (wait === undefined) return null;
  if (wait === 0) return now;
  if (kind === 'not-yet' && againInSeconds !== undefined)
    return now + Math.min(7 * day, Math.max(10 * minute, againInSeconds + 10 * minute));
  return now + Math.round(wait * (0.8 + 0.4 * Math.random()));
}
