// How the stream of a video was recorded. Stored as JSON with the video; parsed without zod, which the threads that read the database do
// not load.

/** Why a recording ended before its stream. */
export const endReasons = ['disk-full', 'too-long', 'stopped', 'no-more'] as const;
export type EndReason = (typeof endReasons)[number];

/** A part of the stream that the recording does not have. */
export interface Gap {
  /** Where it is in the file, in seconds. */
  start: number;
  /** Length in seconds. */
  seconds: number;
}

export interface Recording {
  /** When the stream began, epoch seconds; null if the site has not said so. */
  startedAt: number | null;
  /** Null if the stream was recorded to its end. */
  reason: EndReason | null;
  /** In order. */
  gaps: Gap[];
}

const maxGaps = 1000;
const isSeconds = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value) && value >= 0;
const isGap = (value: unknown): value is Gap => {
  const { start, seconds } = (value ?? {}) as Record<keyof Gap, unknown>;
  return isSeconds(start) && isSeconds(seconds);
};

export function isRecording(value: unknown): value is Recording {
  const { startedAt, reason, gaps } = (value ?? {}) as Record<keyof Recording, unknown>;
  const hasReason = reason === null || endReasons.includes(reason as EndReason);
  return (startedAt === null || isSeconds(startedAt)) && hasReason && Array.isArray(gaps) && gaps.every(isGap);
}

/** Parses the stored JSON; null if it is none, as from an edited backup. */
export function parseRecording(json: string | null): Recording | null {
  if (json === null) return null;
  try {
    const value: unknown = JSON.parse(json);
    return isRecording(value) ? value : null;
  } catch {
    return null;
  }
}

/**
 * Returns the gaps that missing fragments leave: a file keeps the times of its stream. `numbers`: those of the fragments, from 0; each is
 * `secondsEach` long.
 */
export function gapsOf(numbers: Iterable<number>, secondsEach: number): Gap[] {
  const gaps: Gap[] = [];
  let next = -1;
  for (const number of [...new Set(numbers)].sort((a, b) => a - b)) {
    const last = gaps.at(-1);
    if (last && number === next) last.seconds += secondsEach;
    else gaps.push({ start: number * secondsEach, seconds: secondsEach });
    next = number + 1;
  }
  return gaps.slice(0, maxGaps);
}
