import type { Video } from '#contract/video.ts';
import type { SkipMode } from '../state/player-preferences.ts';

/** SponsorBlock segment of a video. */
export interface Segment {
  id: string;
  category: string;
  start: number;
  end: number;
}

/** Tolerance for the start of a segment, seconds. */
const startToleranceSeconds = 0.3;

type Skips = Record<string, SkipMode>;

export const skipModeOf = (category: string, skips: Skips): SkipMode => skips[category] ?? 'auto';

/** Returns the segments of a video that are not ignored. */
export function segmentsOf({ sponsorblock, player }: Video, skips: Skips): Segment[] {
  if (!sponsorblock?.is_enabled) return [];
  return sponsorblock.segments
    .filter(({ segment: [start, end] }) => end > start && start < player.duration)
    .map(({ UUID, category, segment: [start, end] }) => ({ id: UUID, category, start, end: Math.min(end, player.duration) }))
    .filter(({ category }) => skipModeOf(category, skips) !== 'off')
    .toSorted((a, b) => a.start - b.start);
}

/** Returns the segment whose start was just passed or is near. Seeking into the middle of a segment plays it. */
export const segmentAt = (segments: Segment[], before: number, now: number): Segment | null => {
  const isPlaying = now >= before && now - before < 2;
  return (
    segments.find(
      ({ start, end }) => now >= start && now < end && (now - start <= startToleranceSeconds || (isPlaying && before <= start)),
    ) ?? null
  );
};
