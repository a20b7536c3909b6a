// Pictures a second of the file, measured while it plays: the times that lie between two pictures shown after each other.

const rates = new WeakMap<HTMLVideoElement, number>();
/** Until something has been played. */
const guess = 30;
const enough = 12;

export const frameRate = (video: HTMLVideoElement) => rates.get(video) ?? guess;

/** Measures while a video plays. Answers what ends that. */
export function measureFrameRate(video: HTMLVideoElement): () => void {
  let handle = 0;
  let last: VideoFrameCallbackMetadata | null = null;
  let spans: number[] = [];
  const look = (_now: number, frame: VideoFrameCallbackMetadata) => {
    if (last && frame.presentedFrames === last.presentedFrames + 1 && frame.mediaTime > last.mediaTime)
      spans.push(frame.mediaTime - last.mediaTime);
    last = frame;
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
    [last, spans] = [null, []];
  };
  video.addEventListener('emptied', forget);
  if ('requestVideoFrameCallback' in video) handle = video.requestVideoFrameCallback(look);
  return () => {
    video.removeEventListener('emptied', forget);
    if ('cancelVideoFrameCallback' in video) video.cancelVideoFrameCallback(handle);
  };
}
