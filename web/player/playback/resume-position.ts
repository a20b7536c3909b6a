import type { Video } from '#contract/video.ts';
import type { StartPosition } from '../state/player-store.ts';
import { createStore } from '#web/ui/create-store.ts';
import { stopPosition } from '../state/stop-position.ts';

/** Position at which playback resumed automatically; null if it did not. */
export const resumePosition = createStore<{ at: number | null }>({ at: null });

/** Starts at the requested position, else at the saved one. */
export function startPlayback(element: HTMLVideoElement, { player }: Video, start: StartPosition): void {
  const position = start.seconds ?? (player.watched ? null : (player.position ?? null));
  resumePosition.set({ at: null });
  stopPosition.set({ at: start.end, isReached: false });
  // Setting `currentTime` before the metadata is loaded sets the start position.
  if (position !== null && position < player.duration - 1) {
    element.currentTime = position;
    if (start.seconds === null) resumePosition.set({ at: position });
  }
  if (start.plays) void element.play().catch(() => {}); // autoplay may be blocked
}
