import { createHash } from 'node:crypto';

// A passage is compared as a whole, so it is long enough to say something and short enough to be about one thing.
const shortestMs = 20_000;
const longestMs = 40_000;
const enoughWords = 75;
const maxCharacters = 2000;
/** Numbers of passages are `track * passagesPerTrack + place`. Later text of a video is not compared: that is after 22 hours. */
export const passagesPerTrack = 4096;

export interface PassageLine {
  startSeconds: number;
  endSeconds: number;
  text: string;
}

/** Consecutive lines of a transcript. */
export interface PassageText {
  startMs: number;
  endMs: number;
  text: string;
  /** Hash of the text. */
  mark: string;
}

/** Counts words; of scripts without spaces, two characters count as one. */
function countWords(text: string): number {
  const dense = text.match(/[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/g)?.length ?? 0;
  return text.split(/\s+/).filter(Boolean).length + Math.floor(dense / 2);
}

const markOf = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 16);

/** Cuts a transcript into passages of whole lines: 20 to 40 seconds, about 75 words. */
export function cutPassages(lines: readonly PassageLine[]): PassageText[] {
  const passages: PassageText[] = [];
  let some: PassageLine[] = [];
  let words = 0;
  const end = () => {
    const text = some
      .map((line) => line.text)
      .join(' ')
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, maxCharacters);
    const startMs = Math.round(some[0]!.startSeconds * 1000);
    const endMs = Math.round(Math.max(...some.map((line) => line.endSeconds)) * 1000);
    if (text !== '') passages.push({ startMs, endMs, text, mark: markOf(text) });
    some = [];
    words = 0;
  };
  for (const line of lines) {
    if (passages.length === passagesPerTrack) break;
    const first = some[0];
    if (first) {
      const [withoutMs, withMs] = [line.startSeconds, line.endSeconds].map((time) => (time - first.startSeconds) * 1000);
      if (withMs! > longestMs || (withoutMs! >= shortestMs && words >= enoughWords)) end();
    }
    some.push(line);
    words += countWords(line.text);
  }
  if (some.length > 0 && passages.length < passagesPerTrack) end();
  return passages;
}
