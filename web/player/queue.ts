import type { Video } from '#contract/video.ts';
import { fieldsOf, keep, parseKept, readKept } from '#web/ui/kept.ts';
import { makeStore, usePart } from './store.ts';

/** As much of a video as is needed to show that it is to come. */
export interface QueuedVideo {
  id: string;
  title: string;
  channel: string;
  thumbnail: string;
  durationSeconds: number;
}

export const repeats = ['off', 'all', 'one'] as const;

interface PlayQueue {
  items: QueuedVideo[];
  repeat: (typeof repeats)[number];
}

const itemOf = (found: unknown): QueuedVideo[] => {
  const { id, title, channel, thumbnail, durationSeconds } = fieldsOf(found);
  if (typeof id !== 'string' || typeof title !== 'string' || typeof thumbnail !== 'string') return [];
  const seconds = typeof durationSeconds === 'number' ? durationSeconds : 0;
  return [{ id, title, thumbnail, channel: typeof channel === 'string' ? channel : '', durationSeconds: seconds }];
};

/** The queue as it was left; anything strange in it is left out. */
export function queueOf(found: unknown): PlayQueue {
  const { items, repeat } = fieldsOf(found);
  return {
    items: Array.isArray(items) ? items.flatMap(itemOf) : [],
    repeat: repeats.find((one) => one === repeat) ?? 'off',
  };
}

const kept = 'reelkeep.queue';
const store = makeStore<PlayQueue>(parseKept(readKept(kept), queueOf));
export const playQueue = store.get;
export const usePlayQueue = <R>(pick: (queue: PlayQueue) => R) => usePart(store, pick);

function change(some: Partial<PlayQueue>) {
  store.set(some);
  keep(kept, JSON.stringify(store.get()));
}

/** A video as it stands in the queue. */
export const queued = (video: Video): QueuedVideo => ({
  id: video.youtube_id,
  title: video.title,
  channel: video.channel.channel_name,
  thumbnail: video.vid_thumb_url,
  durationSeconds: video.player.duration,
});

/** Puts a video right behind the one of this id, or at the end when that is none; one that is in the queue moves. */
export function putInto(items: QueuedVideo[], item: QueuedVideo, behind: string | null): QueuedVideo[] {
  const others = items.filter(({ id }) => id !== item.id);
  const at = behind === null ? others.length : others.findIndex(({ id }) => id === behind) + 1;
  return others.toSpliced(at, 0, item);
}

/** Plays a video after the one that is shown now. */
export const enqueueNext = (video: Video, shownId: string | null) =>
  change({ items: putInto(store.get().items, queued(video), shownId ?? '') });

/** Plays a video after all that are to come. */
export const enqueueLast = (video: Video) => change({ items: putInto(store.get().items, queued(video), null) });

export const removeFromQueue = (id: string) => change({ items: store.get().items.filter((item) => item.id !== id) });
export const clearQueue = () => change({ items: [] });
export const setRepeat = (repeat: PlayQueue['repeat']) => change({ repeat });
export const setQueue = (items: QueuedVideo[]) => change({ items });

/** Moves one a place up (−1) or down. */
export function moveInQueue(id: string, step: 1 | -1) {
  const { items } = store.get();
  const at = items.findIndex((item) => item.id === id);
  const to = at + step;
  if (at < 0 || to < 0 || to >= items.length) return;
  change({ items: items.toSpliced(at, 1).toSpliced(to, 0, items[at]!) });
}

/** Another order for all that come after the one that is shown. */
export function shuffleQueue(shownId: string | null, random = Math.random) {
  const { items } = store.get();
  const from = items.findIndex(({ id }) => id === shownId) + 1;
  const rest = items.slice(from);
  for (let last = rest.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [rest[last], rest[other]] = [rest[other]!, rest[last]!];
  }
  change({ items: [...items.slice(0, from), ...rest] });
}

/** What the queue plays after the one that is shown (1), or played before it (−1). */
export function besideInQueue({ items, repeat }: PlayQueue, shownId: string, step: 1 | -1): QueuedVideo | null {
  const at = items.findIndex(({ id }) => id === shownId);
  if (at < 0) return step === 1 ? (items[0] ?? null) : null;
  const found = items[at + step];
  if (found) return found;
  return repeat === 'all' && items.length > 1 ? items.at(step === 1 ? 0 : -1)! : null;
}
