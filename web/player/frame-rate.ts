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

const looking = new WeakSet<HTMLVideoElement>();

/** Looks at a picture near here and at the one before it. The place is as before afterwards, or where somebody went meanwhile. */
async function lookAround(video: HTMLVideoElement) {
  const { currentTime: here, duration, src } = video;
  const later = await pictureAt(video, Math.min(here + 0.5, duration - 0.1));
  const before = later !== null && later > 0 ? await pictureAt(video, later - 0.001) : null;
  if (video.src !== src || !video.paused) return;
  if (later !== null && before !== null && later > before) rates.set(video, 1 / (later - before));
  video.currentTime = here;
}

/** When the picture after this one is in its middle, or the one before it, seconds; null while that is being found out. */
export async function middleOfNext(video: HTMLVideoElement, step: 1 | -1): Promise<number | null> {
  if (looking.has(video)) return null;
  if (!rates.has(video) && 'requestVideoFrameCallback' in video) {
    looking.add(video);
    await lookAround(video).finally(() => looking.delete(video));
    if (!video.paused) return null;
  }
  const span = 1 / frameRate(video);
  const now = video.currentTime;
  const known = shown.get(video);
  // What was told last may be of a place that has been left.
  const isHere = known !== undefined && known <= now + 0.001 && now < known + span;
  const begin = isHere ? known : Math.floor(now / span + 0.01) * span;
  return begin + (step + 0.5) * span;
}
