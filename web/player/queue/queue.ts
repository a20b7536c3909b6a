import type { Video } from '#contract/video.ts';
import { asRecord, setStored, parseStored, getStored } from '#web/ui/use-local-storage.ts';
import { createStore, useStoreValue } from '#web/ui/create-store.ts';

/** Fields of a video that Up next shows. */
export interface QueuedVideo {
  id: string;
  title: string;
  channel: string;
  thumbnail: string;
  durationSeconds: number;
}

export const repeatModes = ['off', 'all', 'one'] as const;

interface PlayQueue {
  items: QueuedVideo[];
  repeat: (typeof repeatModes)[number];
}

const parseItem = (found: unknown): QueuedVideo[] => {
  const { id, title, channel, thumbnail, durationSeconds } = asRecord(found);
  if (typeof id !== 'string' || typeof title !== 'string' || typeof thumbnail !== 'string') return [];
  const seconds = typeof durationSeconds === 'number' ? durationSeconds : 0;
  return [{ id, title, thumbnail, channel: typeof channel === 'string' ? channel : '', durationSeconds: seconds }];
};

/** Parses the stored queue; invalid items are dropped. */
export function parseQueue(found: unknown): PlayQueue {
  const { items, repeat } = asRecord(found);
  return {
    items: Array.isArray(items) ? items.flatMap(parseItem) : [],
    repeat: repeatModes.find((one) => one === repeat) ?? 'off',
  };
}

const storageKey = 'reelkeep.queue';
const store = createStore<PlayQueue>(parseStored(getStored(storageKey), parseQueue));
export const playQueue = store.get;
export const usePlayQueue = <R>(pick: (queue: PlayQueue) => R) => useStoreValue(store, pick);

function change(some: Partial<PlayQueue>) {
  store.set(some);
  setStored(storageKey, JSON.stringify(store.get()));
}

export const toQueuedVideo = (video: Video): QueuedVideo => ({
  id: video.youtube_id,
  title: video.title,
  channel: video.channel.channel_name,
  thumbnail: video.vid_thumb_url,
  durationSeconds: video.player.duration,
});

/** Inserts a video after the one with this ID, or at the end if the ID is null. A video that is already queued moves. */
export function insertAfter(items: QueuedVideo[], item: QueuedVideo, behind: string | null): QueuedVideo[] {
  const others = items.filter(({ id }) => id !== item.id);
  const at = behind === null ? others.length : others.findIndex(({ id }) => id === behind) + 1;
  return others.toSpliced(at, 0, item);
}

/** Plays a video after the current one. */
export const enqueueNext = (video: Video, shownId: string | null) =>
  change({ items: insertAfter(store.get().items, toQueuedVideo(video), shownId ?? '') });

/** Plays a video after all queued ones. */
export const enqueueLast = (video: Video) => change({ items: insertAfter(store.get().items, toQueuedVideo(video), null) });

export const removeFromQueue = (id: string) => change({ items: store.get().items.filter((item) => item.id !== id) });
export const clearQueue = () => change({ items: [] });
export const setRepeat = (repeat: PlayQueue['repeat']) => change({ repeat });
export const setQueue = (items: QueuedVideo[]) => change({ items });

/** Moves an item up (−1) or down (1). */
export function moveInQueue(id: string, step: 1 | -1) {
  const { items } = store.get();
  const at = items.findIndex((item) => item.id === id);
  const to = at + step;
  if (at < 0 || to < 0 || to >= items.length) return;
  change({ items: items.toSpliced(at, 1).toSpliced(to, 0, items[at]!) });
}

/** Shuffles the items after the current one. */
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

/** Returns the next (1) or previous (−1) item of the queue. */
export function neighbourInQueue({ items, repeat }: PlayQueue, shownId: string, step: 1 | -1): QueuedVideo | null {
  const at = items.findIndex(({ id }) => id === shownId);
  if (at < 0) return step === 1 ? (items[0] ?? null) : null;
  const found = items[at + step];
  if (found) return found;
  return repeat === 'all' && items.length > 1 ? items.at(step === 1 ? 0 : -1)! : null;
}
