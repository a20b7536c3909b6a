import type { Video } from '#contract/video.ts';

/** Target of shortcuts and of the buttons that do the same. */
export interface KeyTarget {
  element: HTMLVideoElement;
  video: Video;
  /** Root element of the player. */
  frame: HTMLElement;
  toggleHelp(): void;
  toggleStats(): void;
  toggleTranscript(): void;
  writeNote(): void;
  setBookmark(): void;
  openPage(): void;
  next(): void;
  previous(): void;
  hasNext(): boolean;
  hasPrevious(): boolean;
  fail(sentence: string): void;
}

let target: KeyTarget | null = null;

/** Returns the current target. */
export const keyTarget = () => target;
export const setKeyTarget = (now: KeyTarget | null) => void (target = now);
