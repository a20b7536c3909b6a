// How long a picture of the file is shown: measured while it plays, from the times that lie between two pictures shown after
// each other; where nothing has been played yet, by a look at two that are.

const rates = new WeakMap<HTMLVideoElement, number>();
/** When the picture that was shown last begins. */
const shown = new WeakMap<HTMLVideoElement, number>();
/** Where a browser tells nothing of its pictures. */
const guess = 30;
const enough = 12;
const longestMs = 1000;

export const frameRate = (video: HTMLVideoElement) => rates.get(video) ?? guess;

/** Measures while a video plays. Answers what ends that. */
export function measureFrameRate(video: HTMLVideoElement): () => void {
  let handle = 0;
  let last: VideoFrameCallbackMetadata | null = null;
  let spans: number[] = [];
  const look = (_now: number, frame: VideoFrameCallbackMetadata) => {
    const isNext = !video.paused && last && frame.presentedFrames === last.presentedFrames + 1;
    if (isNext && frame.mediaTime > last!.mediaTime) spans.push(frame.mediaTime - last!.mediaTime);
    last = frame;
    shown.set(video, frame.mediaTime);
    if (spans.length >= enough) {
      // Pictures that were dropped make a span longer, never shorter; the median of the shorter half is the file's.
      const typical = spans.toSorted((a, b) => a - b)[Math.floor(spans.length / 4)]!;
      rates.set(video, 1 / typical);
      spans = [];
    }
    handle = video.requestVideoFrameCallback(look);
  };
  const forget = () => {
    rates.delete(video);
    shown.delete(video);
    [last, spans] = [null, []];
  };
  video.addEventListener('emptied', forget);
  if ('requestVideoFrameCallback' in video) handle = video.requestVideoFrameCallback(look);
  return () => {
    video.removeEventListener('emptied', forget);
    if ('cancelVideoFrameCallback' in video) video.cancelVideoFrameCallback(handle);
  };
}

/** Goes to a second; answers when the picture begins that is shown there, or null when no browser says so in time. */
function pictureAt(video: HTMLVideoElement, seconds: number): Promise<number | null> {
  const { promise, resolve } = Promise.withResolvers<number | null>();
  const handle = video.requestVideoFrameCallback((_now, { mediaTime }) => resolve(mediaTime));
  const timer = setTimeout(() => {
    video.cancelVideoFrameCallback(handle);
    resolve(null);
  }, longestMs);
  video.currentTime = seconds;
  return promise.finally(() => clearTimeout(timer));
}

/** When the picture begins that is shown, where that is known: what was told last may be of a place that has been left. */
function beginHere(video: HTMLVideoElement): number | null {
  const known = shown.get(video);
  const now = video.currentTime;
  return known !== undefined && known <= now + 0.001 && now < known + 1 / frameRate(video) ? known : null;
}

/**
 * Looks at the picture before the one that is shown, which is hardly seen; at the beginning at one a little later. The place is as
 * before afterwards, or where somebody went meanwhile.
 */
async function lookAround(video: HTMLVideoElement) {
  const { currentTime: here, duration, src } = video;
  let last = here;
  const look = (seconds: number) => pictureAt(video, (last = seconds));
  const begin = beginHere(video) ?? (await look(here));
  const later = begin === 0 ? await look(Math.min(here + 0.1, duration - 0.1)) : begin;
  const before = later !== null && later > 0 ? await look(later - 0.001) : null;
  if (video.src !== src) return;
  if (later !== null && before !== null && later > before) rates.set(video, 1 / (later - before));
  if (video.paused && Math.abs(video.currentTime - last) < 0.01) video.currentTime = here;
}

const looking = new WeakMap<HTMLVideoElement, Promise<void>>();

/** When the picture after this one is in its middle, or the one before it, seconds; null where it plays by then. */
export async function middleOfNext(video: HTMLVideoElement, step: 1 | -1): Promise<number | null> {
  if (!rates.has(video) && 'requestVideoFrameCallback' in video) {
    const look = looking.get(video) ?? lookAround(video).finally(() => looking.delete(video));
    looking.set(video, look);
    await look;
    if (!video.paused) return null;
  }
  const span = 1 / frameRate(video);
  const begin = beginHere(video) ?? Math.floor(video.currentTime / span + 0.01) * span;
  return begin + (step + 0.5) * span;
}
