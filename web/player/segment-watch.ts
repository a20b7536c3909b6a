import type { Video } from '#contract/video.ts';
import { choices } from './choices.ts';
import { segmentAt, segmentsOf, wayOf, type Segment } from './segments.ts';

/** Often enough to be at a start within the 0.3 seconds of the specification, at three times the speed as well. */
const lookMs = 90;

/** A part that was just left out, or that is asked about. */
export interface Found {
  segment: Segment;
  isSkipped: boolean;
  /** Where it was left from. */
  from: number;
}

/** Leaves out marked parts as the person wants it. `keep` holds those that they want to see. Answers what ends that. */
export function watchSegments(
  element: HTMLVideoElement,
  video: Video,
  { keep, onFound }: { keep: Set<string>; onFound(found: Found): void },
): () => void {
  let before = element.currentTime;
  const timer = setInterval(() => {
    const now = element.currentTime;
    const segment = element.paused ? null : segmentAt(segmentsOf(video, choices().skips), before, now);
    before = now;
    if (!segment || keep.has(segment.id)) return;
    const way = wayOf(segment.category, choices().skips);
    if (way === 'mark') return;
    const isSkipped = way === 'auto';
    if (isSkipped) {
      element.currentTime = segment.end;
      before = segment.end;
    } else keep.add(segment.id); // asked once
    onFound({ segment, isSkipped, from: now });
  }, lookMs);
  return () => clearInterval(timer);
}
