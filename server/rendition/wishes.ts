import type { Archive } from '../archive.ts';

// What somebody waits for just now. Nobody waits across a restart, so it is kept in memory: players ask again.

/** A rendition that somebody wants. */
export interface Wish {
  videoId: string;
  /** Of the file that it is made of. */
  stamp: string;
  /** Among its streams. */
  track: number;
  withPicture: boolean;
  /** Its file's, in the folder of its video. */
  name: string;
}

interface Waiting extends Wish {
  askedAt: number;
}

interface Wishes {
  waiting: Map<string, Waiting>;
  failed: Map<string, { why: string; at: number }>;
}

// A player asks each second; one in a page that is not seen may be let do so once a minute.
const forgottenSeconds = 120;
const failedSeconds = 60;
const most = 100;

const all = new WeakMap<Archive['tasks'], Wishes>();
const wishesOf = ({ tasks }: Archive) => all.getOrInsertComputed(tasks, () => ({ waiting: new Map(), failed: new Map() }));

const keyOf = ({ videoId, name }: Wish) => `${videoId}/${name}`;

/** Somebody wants it, or still does. Answers false when too many wait already. */
export function wishFor(archive: Archive, wish: Wish): boolean {
  const { waiting } = wishesOf(archive);
  const key = keyOf(wish);
  if (!waiting.has(key) && waiting.size >= most) return false;
  waiting.set(key, { ...wish, askedAt: archive.now() });
  return true;
}

/** What is made next; null when nobody waits. What nobody asked for lately is forgotten. */
export function nextWish(archive: Archive): Wish | null {
  const { waiting } = wishesOf(archive);
  for (const [key, wish] of waiting) {
    if (Math.abs(archive.now() - wish.askedAt) <= forgottenSeconds) return wish;
    waiting.delete(key);
  }
  return null;
}

/** It is there, or cannot be made: then why, for a while. */
export function settleWish(archive: Archive, wish: Wish, why: string | null = null): void {
  const { waiting, failed } = wishesOf(archive);
  waiting.delete(keyOf(wish));
  for (const [key, { at }] of failed) if (Math.abs(archive.now() - at) > failedSeconds) failed.delete(key);
  if (why !== null) failed.set(keyOf(wish), { why, at: archive.now() });
}

/** Why it could not be made a moment ago; null when it was not tried. */
export function whyFailed(archive: Archive, wish: Wish): string | null {
  const found = wishesOf(archive).failed.get(keyOf(wish));
  return found && Math.abs(archive.now() - found.at) <= failedSeconds ? found.why : null;
}
