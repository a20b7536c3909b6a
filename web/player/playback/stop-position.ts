import { createStore } from '#web/ui/create-store.ts';

/** Second at which playback pauses once; null: it plays to the end. */
export const stopPosition = createStore<{ at: number | null }>({ at: null });

/** Pauses at the stop position. Seeking beyond it drops it. Returns a cleanup function. */
export function watchStopPosition(element: HTMLVideoElement): () => void {
  const onTimeUpdate = () => {
    const { at } = stopPosition.get();
    if (at === null || element.seeking || element.currentTime < at) return;
    stopPosition.set({ at: null });
    element.pause();
  };
  const onSeeking = () => {
    const { at } = stopPosition.get();
    if (at !== null && element.currentTime > at) stopPosition.set({ at: null });
  };
  element.addEventListener('timeupdate', onTimeUpdate);
  element.addEventListener('seeking', onSeeking);
  return () => {
    element.removeEventListener('timeupdate', onTimeUpdate);
    element.removeEventListener('seeking', onSeeking);
  };
}
