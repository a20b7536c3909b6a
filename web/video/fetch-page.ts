/**
 * What a video's page is made of, its player too: both travel at once. Pages ask for it when somebody points at a video, so
 * that it is there when they choose it.
 */
export function fetchVideoPage() {
  // What cannot be had is said where it is missed.
  import('#web/player/Player.tsx').catch(() => undefined);
  return import('./VideoPage.tsx');
}
