import type { Video } from '#contract/video.ts';
import type { Beginning } from './stage.ts';
import { makeStore } from './store.ts';

/** Where the video that is shown went on because the person had stopped there; null when it did not. */
export const resumed = makeStore<{ at: number | null }>({ at: null });

/** Begins where it is asked to, else where the person stopped. */
export function begin(element: HTMLVideoElement, { player }: Video, beginning: Beginning): void {
  const place = beginning.seconds ?? (player.watched ? null : (player.position ?? null));
  resumed.set({ at: null });
  // Before a file has told anything of itself, the element keeps the place it is to begin at.
  if (place !== null && place < player.duration - 1) {
    element.currentTime = place;
    if (beginning.seconds === null) resumed.set({ at: place });
  }
  if (beginning.plays) void element.play().catch(() => {}); // a browser may want a click first
}
