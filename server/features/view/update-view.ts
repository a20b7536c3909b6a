import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { message, type Message } from '#contract/messages.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { inTransaction, type Db } from '../../platform/db/db.ts';
import { whyMediaUnavailable } from '../../archive/storage/mount-check.ts';
import { applyFiles, mapInParallel, type ApplyOptions } from './apply-files.ts';
import { loadDetails, filesOfGroup, filesOfItem, type DesiredGroup, type Sources } from './desired-files.ts';
import { makeArtwork } from '../../platform/media/thumbnail.ts';
import { chapterCopy } from './chapter-copies.ts';
import { messagesOf } from '../../platform/messages/message-error.ts';
import { loadItems, loadNames, schemeOf, slotOf, type Item } from './content.ts';
import { checkMarker, checkRoot, ViewUnavailableError } from './root-folder.ts';
import {
  deletePending,
  enqueueGroups,
  filesOfOwners,
  usedNumbers,
  nextPending,
  withConsent,
  type PendingRow,
  type ViewFileRow,
  type ViewRow,
} from './store.ts';
import { isDiskFull } from '../../platform/files/free-space.ts';

// Applies queued changes to a view, in batches. Every batch can be repeated.

const batchSize = 100;

export interface UpdateOptions {
  /** Also looks whether existing files are still there. */
  verifies: boolean;
  signal?: AbortSignal;
  /** Called after each batch. */
  progress?(): Promise<void> | void;
  problem(what: string, why: Message | Message[]): void;
  /** Updates only this many videos. */
  limit?: number;
}

/** @throws ViewUnavailableError if files of the view or of the media folder are not available. Nothing is changed then. */
async function openSources(
  app: AppContext,
  view: ViewRow,
  { signal = new AbortController().signal, problem }: UpdateOptions,
): Promise<Sources> {
  await checkRoot(app, view);
  const unavailable = await whyMediaUnavailable(app);
  if (unavailable) throw new ViewUnavailableError(unavailable);
  const scheme = schemeOf(view);
  const { log, tools } = app;
  const { ffmpeg } = tools;
  if ('id' in scheme) throw new ViewUnavailableError(scheme);
  const [root, mediaFolder] = await Promise.all([realpath(view.root), realpath(app.config.mediaFolder)]);
  return {
    view: await withConsent(app.db, view),
    scheme,
    names: await loadNames(app.db, scheme),
    root,
    mediaFolder,
    cacheFolder: await realpath(app.config.cacheFolder),
    async mediaSource(video) {
      const path = join(mediaFolder, video.mediaPath);
      const original = { path, stamp: `${video.sha256} ${video.mediaPath}` };
      if (!view.hasChapters) return original;
      try {
        return (await chapterCopy(app, video, path, signal)) ?? original;
      } catch (error) {
        signal.throwIfAborted();
        if (isDiskFull(error)) throw new ViewUnavailableError(message('view.disk-full', { folder: app.config.cacheFolder }));
        problem(video.title, messagesOf(error));
        return original;
      }
    },
    ...(ffmpeg && {
      async drawArt(shape, source, target) {
        try {
          await makeArtwork(ffmpeg, shape, source, target, signal);
          return true;
        } catch (error) {
          signal.throwIfAborted();
          log.warn({ source, err: error }, 'cannot draw the artwork of a view, and uses the picture unchanged');
          return false;
        }
      },
    }),
  };
}

/** Returns the number of each video within its day: as it has been, else the first that is free, so that a restored video gets its own. */
async function numberItems(db: Db, view: ViewRow, items: Item[], existing: ViewFileRow[]): Promise<Map<string, number>> {
  const numbers = new Map<string, number>();
  for (const { owner, slot, slotNumber } of existing)
    if (slot !== null && slotNumber !== null) numbers.set(`${owner} ${slot}`, slotNumber);
  const isNew = ({ video }: Item) => !numbers.has(`${video.id} ${slotOf(video)}`);
  const fresh = items.filter(isNew).toSorted((a, b) => a.video.publishedAt - b.video.publishedAt);
  const used = await usedNumbers(db, view.number, [...new Set(fresh.map(({ video }) => slotOf(video)))]);
  for (const item of fresh) {
    if (!isNew(item)) continue; // in several playlists
    const slot = slotOf(item.video);
    const taken = used.getOrInsertComputed(slot, () => new Set());
    let number = 1;
    while (taken.has(number)) number++;
    taken.add(number);
    numbers.set(`${item.video.id} ${slot}`, number);
  }
  return numbers;
}

/** Computes the files of these videos, and returns them with their existing rows. */
async function planVideos(db: Db, sources: Sources, ids: string[]): Promise<{ existing: ViewFileRow[]; groups: DesiredGroup[] }> {
  const { view, scheme } = sources;
  const existing = await filesOfOwners(db, view.number, ids);
  const items = await loadItems(db, view, scheme, ids);
  const details = await loadDetails(
    db,
    view,
    items.map(({ video }) => video.id),
  );
  const numbers = await numberItems(db, view, items, existing);
  const groups = await mapInParallel(items, (item) =>
    filesOfItem(sources, item, details, numbers.get(`${item.video.id} ${slotOf(item.video)}`)!),
  );
  return { existing, groups };
}

/** Returns the groups whose folder files depend on these rows. */
const folderGroups = (groups: Iterable<string>) =>
  [...groups].filter((id) => id.startsWith('channel:') || id.startsWith('playlist:'));

async function applyBatch(
  app: AppContext,
  sources: Sources,
  rows: PendingRow[],
  planned: { existing: ViewFileRow[]; groups: DesiredGroup[] },
  { verifies, problem }: UpdateOptions,
) {
  const { view, root } = sources;
  const options: ApplyOptions = {
    db: app.db,
    viewNumber: view.number,
    root,
    viewRoot: view.root,
    at: app.now(),
    ...planned,
    verifies,
    problem,
    check: () => checkMarker(view),
    async afterwards(tx, touched) {
      await deletePending(tx, rows);
      await enqueueGroups(tx, view.number, folderGroups(touched));
    },
  };
  await applyFiles(options);
}

/** Applies the queued changes of a view. Returns whether none are left. */
export async function updateQueued(app: AppContext, view: ViewRow, options: UpdateOptions): Promise<boolean> {
  const { db } = app;
  const { signal, limit = Number.POSITIVE_INFINITY } = options;
  let sources: Sources | undefined;
  let updated = 0;
  for (const kind of ['video', 'group'] as const) {
    for (;;) {
      signal?.throwIfAborted();
      if (updated >= limit) return false;
      const rows = await nextPending(db, view.number, kind, Math.min(batchSize, limit - updated));
      if (rows.length === 0) break;
      sources ??= await openSources(app, view, options);
      const ids = rows.map(({ id }) => id);
      let planned;
      if (kind === 'video') planned = await planVideos(db, sources, ids);
      else {
        const groups: DesiredGroup[] = [];
        for (const id of ids) groups.push(await filesOfGroup(db, sources, id));
        planned = { existing: await filesOfOwners(db, view.number, ids), groups };
      }
      await checkMarker(view);
      await applyBatch(app, sources, rows, planned, options);
      updated += rows.length;
      await options.progress?.();
    }
  }
  return true;
}

/** Removes all files of a view, in batches, and then the view. */
export async function removeView(app: AppContext, view: ViewRow, options: UpdateOptions): Promise<void> {
  const { db } = app;
  for (;;) {
    options.signal?.throwIfAborted();
    const existing = await db.selectFrom('viewFile').selectAll().where('viewNumber', '=', view.number).limit(500).execute();
    if (existing.length === 0) break;
    await checkRoot(app, view);
    await applyFiles({
      db,
      viewNumber: view.number,
      root: await realpath(view.root),
      viewRoot: view.root,
      at: app.now(),
      existing,
      groups: [],
      verifies: true,
      problem: options.problem,
      check: () => checkMarker(view),
      afterwards: async () => {},
    });
    await options.progress?.();
  }
  await inTransaction(db, async (tx) => {
    await tx.deleteFrom('libraryView').where('number', '=', view.number).execute();
  });
}
