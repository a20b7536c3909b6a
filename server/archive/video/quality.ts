import type { AnnouncedPicture } from '../../platform/ytdlp/choose-format.ts';

// Compares two versions of a video: pure functions.

/** Quality of a version of a video; its bitrate is the one that the site announces. */
export type Quality = AnnouncedPicture;

const classes = [144, 240, 360, 480, 720, 1080, 1440, 2160, 4320];
// Sites crop black bars: a video of 1920 × 800 is called 1080p.
const widthToHeight = 16 / 9;
const tolerance = 0.95;

/** Returns the class of a picture, as sites name it: 1080 for 1920 × 1080, 1920 × 800 and 1080 × 1920. Below 144, the shorter side. */
export function heightClass({ width, height }: Pick<Quality, 'width' | 'height'>): number {
  const [short, long] = [Math.min(width, height), Math.max(width, height)];
  const fitting = classes.filter((one) => short >= one * tolerance || long >= one * widthToHeight * tolerance);
  return fitting.at(-1) ?? short;
}

// Between 30 and 48, 50 or 60 frames per second.
const highFps = 40;
const minBitrateGain = 1.25;

type Change = -1 | 0 | 1;
const compare = (to: number, from: number): Change => (to > from ? 1 : to < from ? -1 : 0);

/** How the values that matter change from the stored version to another. */
function changes(
  to: Quality,
  from: Quality,
  prefersHdr: boolean,
): { height: Change; fps: Change; range: Change; bitrate: Change } {
  const isHdr = ({ dynamicRange }: Quality) => Number(dynamicRange !== 'sdr');
  const toHdr = to.dynamicRange === null || from.dynamicRange === null ? 0 : compare(isHdr(to), isHdr(from));
  const hasMore = to.codec === from.codec && to.bitrate !== null && from.bitrate !== null;
  return {
    height: compare(heightClass(to), heightClass(from)),
    fps: to.fps === null || from.fps === null ? 0 : compare(Number(to.fps > highFps), Number(from.fps > highFps)),
    // Where SDR is preferred, HDR does not replace it, but a file in HDR is kept, too: the user may want it.
    range: prefersHdr ? toHdr : toHdr === 1 ? -1 : 0,
    bitrate: hasMore && to.bitrate! >= from.bitrate! * minBitrateGain ? 1 : 0,
  };
}

/**
 * Whether a version is better than the stored one: of a larger class of height, of more frames per second, of the wanted dynamic range or
 * of a quarter more bits with the same codec, and in none of these worse. Originals are better than those that a program has enlarged.
 */
export function isBetterQuality(to: Quality, stored: Quality, { prefersHdr }: { prefersHdr: boolean }): boolean {
  const { height, fps, range, bitrate } = changes(to, stored, prefersHdr);
  if (to.isUpscaled !== stored.isUpscaled) return !to.isUpscaled && fps >= 0 && range >= 0;
  const all = [height, fps, range];
  // With more pixels or frames, the bits say nothing.
  return all.every((one) => one >= 0) && (all.includes(1) || bitrate === 1);
}

// The site begins and ends its version of a stream at other fragments.
const maxStreamSeconds = 30;

/** Whether two lengths in seconds are those of the same edit of a video, or of one stream that was recorded. */
export const isSameEdit = (one: number, other: number, { wasRecorded = false } = {}) =>
  Math.abs(one - other) <= Math.max(wasRecorded ? maxStreamSeconds : 1, Math.max(one, other) * 0.005);
