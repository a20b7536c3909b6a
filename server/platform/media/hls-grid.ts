// HLS segments of pictures and sounds lie on a grid of seconds, so that playlists are complete before anything is encoded. Where a segment begins follows
// from the frame rate alone: at its first frame that is not before the grid.

export const segmentSeconds = 6;

/** Frames per second as a fraction. */
export interface FrameRate {
  num: number;
  den: number;
}

/** Samples per second of encoded sound. */
export const soundSamples = 48_000;
/** Samples in a frame of AAC. */
export const samplesPerFrame = 1024;
export const soundFrameRate: FrameRate = { num: soundSamples, den: samplesPerFrame };

const maxRate = 60.5;
// Every segment needs frames, and seeking to a second its own picture.
const minRate = 10;

const parseRate = (written: string): FrameRate | null => {
  const [, num, den = '1'] = /^(\d{1,9})(?:\/(\d{1,9}))?$/.exec(written) ?? [];
  return Number(num) > 0 && Number(den) > 0 ? { num: Number(num), den: Number(den) } : null;
};
const perSecond = ({ num, den }: FrameRate) => num / den;

/**
 * Returns the constant frame rate for a picture, between 10 and 60. `exact` and `average`: `r_frame_rate` and `avg_frame_rate` of
 * ffprobe; of a variable rate the first is often far higher than what the file has.
 */
export function frameRateOf(exact: string, average: string): FrameRate {
  const mean = parseRate(average);
  const found = [parseRate(exact), mean && { num: Math.round(perSecond(mean) * 1000), den: 1000 }].find(
    (rate) => rate && rate.num > 0 && perSecond(rate) <= maxRate,
  );
  const rate = found ?? parseRate(exact) ?? { num: 30, den: 1 };
  if (perSecond(rate) > maxRate) return { num: rate.num, den: rate.den * Math.ceil(perSecond(rate) / 60) };
  return perSecond(rate) < minRate ? { num: rate.num * Math.ceil(minRate / perSecond(rate)), den: rate.den } : rate;
}

/** Returns the number of the first frame that is not before a time in seconds. */
const frameAt = (seconds: number, { num, den }: FrameRate) => Math.ceil((seconds * num) / den - 1e-6);

/** Returns the time of a frame in seconds. */
export const timeOfFrame = (frame: number, { num, den }: FrameRate): number => (frame * den) / num;

/** Length of a video and its frame rate. */
export interface Grid {
  durationSeconds: number;
  frameRate: FrameRate;
}

/** Returns the number of the first frame of a segment, and for the segment after the last one the number of all frames. */
export const firstFrameOf = (segment: number, { durationSeconds, frameRate }: Grid): number =>
  frameAt(Math.min(segment * segmentSeconds, durationSeconds), frameRate);

/** Returns the number of segments; the last one has at least one frame. */
export function segmentCountOf(grid: Grid): number {
  const count = Math.max(1, Math.ceil(grid.durationSeconds / segmentSeconds));
  return count > 1 && firstFrameOf(count - 1, grid) === firstFrameOf(count, grid) ? count - 1 : count;
}
