import { t } from '@lingui/core/macro';
import { durationText } from '#web/format/numbers.ts';
import { say } from './said.ts';
import { makeStore } from './store.ts';

/** The part of a video that is played again and again, seconds. */
export const loop = makeStore<{ from: number | null; to: number | null }>({ from: null, to: null });

/** Once: here it begins. Again: here it ends. A third time: it is over. */
export function markLoop(video: HTMLVideoElement) {
  const { from, to } = loop.get();
  const now = video.currentTime;
  if (from === null) {
    loop.set({ from: now });
    say(t`Loop from ${durationText(now)}`);
  } else if (to === null && now > from + 0.2) {
    loop.set({ to: now });
    video.currentTime = from;
    say(t`Loop ${durationText(from)} – ${durationText(now)}`);
  } else {
    loop.set({ from: null, to: null });
    say(t`Loop off`);
  }
}

/** Goes back to the beginning of the loop at its end. */
export function keepInLoop(video: HTMLVideoElement) {
  const { from, to } = loop.get();
  if (from === null || to === null) return;
  if (video.currentTime >= to || video.ended) video.currentTime = from;
}
