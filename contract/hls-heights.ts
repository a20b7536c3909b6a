// Heights of the picture that the server converts a video to while it is watched. Plain data, also for the web app.

/** What two processor cores encode in time. */
export const softwareHeight = 720;
/** What hardware encodes in time. */
export const hardwareHeight = 1080;
const usualHeights = [1080, 720, 480, 360];

/**
 * Returns the heights that a video is offered in, highest first: none above its own, at least one. `size`: its shorter side in pixels,
 * which is what others call the height; 0 if unknown. `most`: what the server encodes in time.
 */
export function hlsHeights(size: number, most: number = softwareHeight): number[] {
  const offered = usualHeights.filter((height) => height <= most && (size === 0 || height <= size));
  // Pictures of H.264 have even sides.
  return offered.length > 0 ? offered : [Math.max(2, size - (size % 2))];
}
