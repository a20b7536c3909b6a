import type { Video } from '#contract/video.ts';
import type { SkipWay } from './choices.ts';

/** A part of a video that somebody marked as not its own. */
export interface Segment {
  id: string;
  category: string;
  start: number;
  end: number;
}

/** Parts are left this close to their start, seconds, as the specification says. */
const near = 0.3;

type Skips = Record<string, SkipWay>;

export const wayOf = (category: string, skips: Skips): SkipWay => skips[category] ?? 'auto';

/** The parts of a video that are to be shown at all. */
export function segmentsOf({ sponsorblock, player }: Video, skips: Skips): Segment[] {
  if (!sponsorblock?.is_enabled) return [];
  return sponsorblock.segments
    .filter(({ segment: [start, end] }) => end > start && start < player.duration)
    .map(({ UUID, category, segment: [start, end] }) => ({ id: UUID, category, start, end: Math.min(end, player.duration) }))
    .filter(({ category }) => wayOf(category, skips) !== 'off')
    .toSorted((a, b) => a.start - b.start);
}

/** The part that begins here: its start has just been passed, playing, or is near. Who goes into the middle of one wants it. */
export const segmentAt = (segments: Segment[], before: number, now: number): Segment | null => {
  const isPlaying = now >= before && now - before < 2;
  return (
    segments.find(({ start, end }) => now >= start && now < end && (now - start <= near || (isPlaying && before <= start))) ??
    null
  );
};
