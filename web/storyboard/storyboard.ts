import { addressOf } from '#web/api/call.ts';

/** One frame of a storyboard and the seconds it covers. */
export interface Preview {
  start: number;
  end: number;
  /** URL of the sheet, and the position of the frame in it in pixels. */
  sheet: string;
  x: number;
  y: number;
  width: number;
  height: number;
}

const seconds = (clock: string) => clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
const cue = /^([\d:.]+) --> ([\d:.]+)\n(\S+)#xywh=(\d+),(\d+),(\d+),(\d+)$/gm;

/** Parses a storyboard in WebVTT; `address` is its URL. */
export const parseStoryboard = (vtt: string, address: string): Preview[] =>
  [...vtt.matchAll(cue)].map(([, start = '', end = '', sheet = '', ...numbers]) => {
    const [x = 0, y = 0, width = 0, height = 0] = numbers.map(Number);
    return { start: seconds(start), end: seconds(end), sheet: new URL(sheet, address).href, x, y, width, height };
  });

/** Returns the frame for a second; the last one covers the rest of the video. Null if there are none. */
export function previewAt(previews: Preview[], second: number): Preview | null {
  const first = previews[0];
  if (!first) return null;
  // All frames cover as many seconds as the first, except the last.
  const index = Math.floor((second - first.start) / (first.end - first.start));
  return previews[Math.max(0, Math.min(index, previews.length - 1))]!;
}

const known = new Map<string, Promise<Preview[]>>();

/** Loads the storyboard of a video and caches it; empty if it is not available. */
export function loadStoryboard(url: string): Promise<Preview[]> {
  let previews = known.get(url);
  if (!previews) {
    const address = addressOf(url);
    previews = fetch(address)
      .then(async (response) => (response.ok ? parseStoryboard(await response.text(), address) : []))
      .catch(() => {
        known.delete(url); // network failure: the next call tries again
        return [];
      });
    known.set(url, previews);
  }
  return previews;
}
