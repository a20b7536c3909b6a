// Frame rate, measured during playback from the times of consecutive frames; before playback from two neighbouring frames.

const rates = new WeakMap<HTMLVideoElement, number>();
/** Start of the last presented frame, seconds. */
const lastFrameTimes = new WeakMap<HTMLVideoElement, number>();
/** For browsers without requestVideoFrameCallback. */
const defaultFrameRate = 30;
const sampleCount = 12;
const frameTimeoutMs = 1000;

export const frameRate = (video: HTMLVideoElement) => rates.get(video) ?? defaultFrameRate;

/** Measures the frame rate during playback. Returns a cleanup function. */
export function measureFrameRate(video: HTMLVideoElement): () => void {
  let handle = 0;
  let last: VideoFrameCallbackMetadata | null = null;
  let spans: number[] = [];
  const onFrame = (_now: number, frame: VideoFrameCallbackMetadata) => {
    const isNext = !video.paused && last && frame.presentedFrames === last.presentedFrames + 1;
    if (isNext && frame.mediaTime > last!.mediaTime) spans.push(frame.mediaTime - last!.mediaTime);
    last = frame;
    lastFrameTimes.set(video, frame.mediaTime);
    if (spans.length >= sampleCount) {
      // Dropped frames only lengthen intervals, so the median of the shorter half is used.
      const typical = spans.toSorted((a, b) => a - b)[Math.floor(spans.length / 4)]!;
      rates.set(video, 1 / typical);
      spans = [];
    }
    handle = video.requestVideoFrameCallback(onFrame);
  };
  const forget = () => {
    rates.delete(video);
    lastFrameTimes.delete(video);
    [last, spans] = [null, []];
  };
  video.addEventListener('emptied', forget);
  if ('requestVideoFrameCallback' in video) handle = video.requestVideoFrameCallback(onFrame);
  return () => {
    video.removeEventListener('emptied', forget);
    if ('cancelVideoFrameCallback' in video) video.cancelVideoFrameCallback(handle);
  };
}

/** Seeks, and resolves to the start of the presented frame, or to null after a timeout. */
function frameTimeAt(video: HTMLVideoElement, seconds: number): Promise<number | null> {
  const { promise, resolve } = Promise.withResolvers<number | null>();
  const handle = video.requestVideoFrameCallback((_now, { mediaTime }) => resolve(mediaTime));
  const timer = setTimeout(() => {
    video.cancelVideoFrameCallback(handle);
    resolve(null);
  }, frameTimeoutMs);
  video.currentTime = seconds;
  return promise.finally(() => clearTimeout(timer));
}

/** Returns the start of the current frame; null if unknown, because the last callback may belong to an earlier position. */
function currentFrameTime(video: HTMLVideoElement): number | null {
  const known = lastFrameTimes.get(video);
  const now = video.currentTime;
  return known !== undefined && known <= now + 0.001 && now < known + 1 / frameRate(video) ? known : null;
}

/**
 * Measures the interval to the previous frame by seeking briefly; at the start of the video it uses a later frame. Restores the
 * position, unless the user has seeked meanwhile.
 */
async function measureNeighbours(video: HTMLVideoElement) {
  const { currentTime: here, duration, src } = video;
  let last = here;
  const onFrame = (seconds: number) => frameTimeAt(video, (last = seconds));
  const frameStart = currentFrameTime(video) ?? (await onFrame(here));
  const later = frameStart === 0 ? await onFrame(Math.min(here + 0.1, duration - 0.1)) : frameStart;
  const before = later !== null && later > 0 ? await onFrame(later - 0.001) : null;
  if (video.src !== src) return;
  if (later !== null && before !== null && later > before) rates.set(video, 1 / (later - before));
  if (video.paused && Math.abs(video.currentTime - last) < 0.01) video.currentTime = here;
}

const measuring = new WeakMap<HTMLVideoElement, Promise<void>>();

/** Returns the middle of the adjacent frame in seconds, or null if playback has started meanwhile. */
export async function middleOfAdjacentFrame(video: HTMLVideoElement, step: 1 | -1): Promise<number | null> {
  if (!rates.has(video) && 'requestVideoFrameCallback' in video) {
    const onFrame = measuring.get(video) ?? measureNeighbours(video).finally(() => measuring.delete(video));
    measuring.set(video, onFrame);
    await onFrame;
    if (!video.paused) return null;
  }
  const span = 1 / frameRate(video);
  const frameStart = currentFrameTime(video) ?? Math.floor(video.currentTime / span + 0.01) * span;
  return frameStart + (step + 0.5) * span;
}
