/** Loads the code of the video page and the player in parallel. Pages call it on hover, so that the page opens at once. */
export function fetchVideoPage() {
  // A failed import is reported when the page opens.
  import('#web/player/Player.tsx').catch(() => undefined);
  return import('./VideoPage.tsx');
}
