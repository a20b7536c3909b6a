import { addressOf } from '#web/api/call.ts';

/** A part of a picture that shows what a video looks like for some seconds. */
export interface Preview {
  start: number;
  end: number;
  /** The address of the picture, and where in it, in pixels. */
  sheet: string;
  x: number;
  y: number;
  width: number;
  height: number;
}

const seconds = (clock: string) => clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
const cue = /^([\d:.]+) --> ([\d:.]+)\n(\S+)#xywh=(\d+),(\d+),(\d+),(\d+)$/gm;

/** Reads the list of a video's previews; `address` is where it was read from. */
export const parseStoryboard = (vtt: string, address: string): Preview[] =>
  [...vtt.matchAll(cue)].map(([, start = '', end = '', sheet = '', ...numbers]) => {
    const [x = 0, y = 0, width = 0, height = 0] = numbers.map(Number);
    return { start: seconds(start), end: seconds(end), sheet: new URL(sheet, address).href, x, y, width, height };
  });

/** What shows a second of the video; the last preview stands for what comes after it. Null when there are none. */
export function previewAt(previews: Preview[], second: number): Preview | null {
  const first = previews[0];
  if (!first) return null;
  // All are as long as the first, but for the last.
  const place = Math.floor((second - first.start) / (first.end - first.start));
  return previews[Math.max(0, Math.min(place, previews.length - 1))]!;
}

const known = new Map<string, Promise<Preview[]>>();

/** The previews of a video, asked for once however often they are wanted; none when they cannot be had. */
export function loadStoryboard(url: string): Promise<Preview[]> {
  let previews = known.get(url);
  if (!previews) {
    const address = addressOf(url);
    previews = fetch(address)
      .then(async (answer) => (answer.ok ? parseStoryboard(await answer.text(), address) : []))
      .catch(() => {
        known.delete(url); // the way was cut: the next one who asks tries again
        return [];
      });
    known.set(url, previews);
  }
  return previews;
}
