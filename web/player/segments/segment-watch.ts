import type { Video } from '#contract/video.ts';
import { preferences } from '../state/player-preferences.ts';
import { stopPosition } from '../state/stop-position.ts';
import { segmentAt, segmentsOf, skipModeOf, type Segment } from './segments.ts';

/** Short enough to hit a start within 0.3 s even at triple speed. */
const checkIntervalMs = 90;

/** Segment that was skipped or is offered for skipping. */
export interface SegmentEvent {
  segment: Segment;
  isSkipped: boolean;
  /** Position before the skip, seconds. */
  from: number;
}

/** Skips segments as configured; those in `keep` are not skipped. Returns a cleanup function. */
export function watchSegments(
  element: HTMLVideoElement,
  video: Video,
  { keep, onFound }: { keep: Set<string>; onFound(found: SegmentEvent): void },
): () => void {
  let before = element.currentTime;
  const timer = setInterval(() => {
    const now = element.currentTime;
    const segment = element.paused ? null : segmentAt(segmentsOf(video, preferences().skips), before, now);
    before = now;
    if (!segment || keep.has(segment.id)) return;
    const mode = skipModeOf(segment.category, preferences().skips);
    if (mode === 'mark') return;
    const isSkipped = mode === 'auto';
    if (isSkipped) {
      element.currentTime = Math.min(segment.end, stopPosition.get().at ?? Infinity);
      before = segment.end;
    } else keep.add(segment.id); // offered once
    onFound({ segment, isSkipped, from: now });
  }, checkIntervalMs);
  return () => clearInterval(timer);
}
