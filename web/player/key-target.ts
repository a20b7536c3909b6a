import type { Video } from '#contract/video.ts';

/** What a key, or a button that does the same, works on. */
export interface KeyTarget {
  element: HTMLVideoElement;
  shown: Video;
  /** The whole player. */
  frame: HTMLElement;
  toggleHelp(): void;
  toggleStats(): void;
  toggleTranscript(): void;
  openPage(): void;
  next(): void;
  previous(): void;
  hasNext(): boolean;
  hasPrevious(): boolean;
  fail(sentence: string): void;
}

let target: KeyTarget | null = null;

/** What there is to work on just now. */
export const keyTarget = () => target;
export const setKeyTarget = (now: KeyTarget | null) => void (target = now);
