import type { ProgramImportTake } from '#contract/program-import.ts';
import { messagesOf } from '../../../platform/messages/message-error.ts';
import { temporaryFailure } from '../../../platform/db/db.ts';
import type { ForeignVideo, Item } from '../item/item.ts';
import type { Applying } from './context.ts';
import { applyMedia, type MediaImport } from './media.ts';
import { applyList } from './playlists.ts';
import { applySubscription } from './sources.ts';
import { applyDownloads, applyHave, applyWatched, type WatchMark } from './videos.ts';

const atOnce = 200;

/** Items of one kind that are written in one transaction. */
interface Waiting {
  queue: ForeignVideo[];
  ignored: ForeignVideo[];
  have: ForeignVideo[];
  watched: WatchMark[];
}

/**
 * Applies the items of a program, at most 200 of them in memory. A faulty item is a line of the report and does not end the
 * import. `onItem` is called for each.
 */
export async function applyItems(
  applying: Applying,
  items: AsyncIterable<Item>,
  { media, onItem }: { media: MediaImport | null; onItem(): void },
): Promise<void> {
  const { signal, takes, report } = applying;
  const waiting: Waiting = { queue: [], ignored: [], have: [], watched: [] };

  /** Writes a batch. If it fails, writes its items one by one, so that only the faulty ones are left out. */
  async function write<T>(batch: T[], nameOf: (one: T) => string, apply: (batch: T[]) => Promise<void>): Promise<void> {
    if (batch.length === 0) return;
    try {
      return await apply(batch);
    } catch (error) {
      signal.throwIfAborted();
      if (temporaryFailure(error)) throw error;
      if (batch.length === 1) return report('problem', nameOf(batch[0]!), messagesOf(error));
    }
    for (const one of batch) await write([one], nameOf, apply);
  }

  async function flush() {
    const named = ({ title, id }: ForeignVideo) => (title === id ? id : `${title} (${id})`);
    const { queue, ignored, have, watched } = waiting;
    await write(queue, named, (batch) => applyDownloads(applying, 'queue', batch));
    await write(ignored, named, (batch) => applyDownloads(applying, 'ignored', batch));
    await write(have, named, (batch) => applyHave(applying, batch));
    await write(
      watched,
      ({ video }) => named(video),
      (batch) => applyWatched(applying, batch),
    );
    for (const list of Object.values(waiting) as unknown[][]) list.length = 0;
  }

  async function take(item: Item): Promise<void> {
    switch (item.what) {
      case 'problem':
      case 'note':
        return report(item.what, item.subject, item.why);
      case 'subscription':
        return write(
          [item],
          ({ name }) => name,
          ([one]) => applySubscription(applying, one!),
        );
      case 'media': {
        // A video without its file can be downloaded again.
        const isThere = takes.has('videos') && media !== null && (await applyMedia(applying, media, item));
        if (!isThere && takes.has('queue')) waiting.queue.push(item.video);
        return undefined;
      }
      case 'list':
        if (!takes.has('playlists')) return undefined;
        return write(
          [item],
          ({ name }) => name,
          ([one]) => applyList(applying, one!),
        );
      case 'watched': {
        const { video, watchedAt, positionSeconds } = item;
        if (takes.has('watched') || takes.has('queue')) waiting.watched.push({ video, watchedAt, positionSeconds });
        return undefined;
      }
      default: {
        const { what, video } = item satisfies { what: ProgramImportTake; video: ForeignVideo };
        if (takes.has(what)) waiting[what].push(video);
      }
    }
  }

  const size = () => Object.values(waiting).reduce((sum, list: unknown[]) => sum + list.length, 0);
  for await (const item of items) {
    signal.throwIfAborted();
    await take(item);
    onItem();
    if (size() >= atOnce) await flush();
  }
  await flush();
}
