import { createStore } from '#web/ui/create-store.ts';

/** Second at which playback pauses once; null: it plays to the end. `isReached`: it paused there. */
export const stopPosition = createStore<{ at: number | null; isReached: boolean }>({ at: null, isReached: false });

/** Pauses at the stop position. Seeking beyond it drops it. Returns a cleanup function. */
export function watchStopPosition(element: HTMLVideoElement): () => void {
  const onTimeUpdate = () => {
    const { at } = stopPosition.get();
    if (at === null || element.seeking || (element.currentTime < at && !element.ended)) return;
    element.pause();
    stopPosition.set({ at: null, isReached: true });
  };
  const onSeeking = () => {
    const { at } = stopPosition.get();
    if (at !== null && element.currentTime > at) stopPosition.set({ at: null });
  };
  element.addEventListener('timeupdate', onTimeUpdate);
  element.addEventListener('ended', onTimeUpdate);
  element.addEventListener('seeking', onSeeking);
  return () => {
    element.removeEventListener('timeupdate', onTimeUpdate);
    element.removeEventListener('ended', onTimeUpdate);
    element.removeEventListener('seeking', onSeeking);
  };
}
