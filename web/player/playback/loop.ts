import { t } from '@lingui/core/macro';
import { durationText } from '#web/format/numbers.ts';
import { showStatus } from '../state/status-message.ts';
import { createStore } from '#web/ui/create-store.ts';

/** Section of the video that repeats, seconds. */
export const loop = createStore<{ from: number | null; to: number | null }>({ from: null, to: null });

/** Sets the start, then the end, then clears the loop. */
export function cycleLoop(video: HTMLVideoElement) {
  const { from, to } = loop.get();
  const now = video.currentTime;
  if (from === null) {
    loop.set({ from: now });
    showStatus(t`Loop from ${durationText(now)}`);
  } else if (to === null && now > from + 0.2) {
    loop.set({ to: now });
    video.currentTime = from;
    showStatus(t`Loop ${durationText(from)} – ${durationText(now)}`);
  } else {
    loop.set({ from: null, to: null });
    showStatus(t`Loop off`);
  }
}

/** Seeks to the start of the loop at its end. */
export function enforceLoop(video: HTMLVideoElement) {
  const { from, to } = loop.get();
  if (from === null || to === null) return;
  if (video.currentTime >= to || video.ended) video.currentTime = from;
}
