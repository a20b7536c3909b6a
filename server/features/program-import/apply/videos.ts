import type { Insertable } from 'kysely';
import { inTransaction, type Db } from '../../../platform/db/db.ts';
import type { SeenEntryTable } from '../../../platform/db/schema/tables.ts';
import { enqueueAll, queuedIds } from '../../../archive/queue/claims.ts';
import { existingIds } from '../../../archive/video/store.ts';
import { watchStatesOf, writeWatchRows } from '../../../archive/video/watch-store.ts';
import type { ForeignVideo } from '../item/item.ts';
import { recordChanges, type Applying } from './context.ts';

const unique = (videos: ForeignVideo[]) => [...new Map(videos.map((video) => [video.id, video])).values()];

/** Adds videos to the queue, not to be started automatically, or to the ignore list. What is archived, queued or ignored stays. */
export async function applyDownloads(applying: Applying, take: 'queue' | 'ignored', found: ForeignVideo[]): Promise<void> {
  const { app, isDry, known, count } = applying;
  const { db } = app;
  const videos = unique(found);
  const ids = videos.map(({ id }) => id);
  const archived = new Set(await existingIds(db, ids));
  const wanted = videos.filter(({ id }) => !archived.has(id));
  let added: string[];
  if (isDry) {
    const queued = await queuedIds(db, ids);
    added = wanted.flatMap(({ id }) => (queued.has(id) || known.has(take, id) ? [] : [id]));
    for (const id of added) known.add(take, id);
  } else {
    const status = take === 'queue' ? 'pending' : 'ignore';
    const rows = wanted.map(({ ...video }) => ({
      ...video,
      status: status as 'pending' | 'ignore',
      autoStart: 0 as const,
      queuedAt: app.now(),
    }));
    added = await inTransaction(db, async (tx) => {
      const ids = await enqueueAll(tx, rows);
      await recordChanges(
        tx,
        applying,
        ids.map((id) => ({ take, kind: 'download', subject: id, state: { status } })),
      );
      return ids;
    });
  }
  count(take, { found: found.length, added: added.length, here: found.length - added.length });
}

/** Marks videos as seen and skipped, so that scans of subscriptions do not add them. */
export async function applyHave(applying: Applying, found: ForeignVideo[]): Promise<void> {
  const { app, isDry, known, count } = applying;
  const { db, now } = app;
  const videos = unique(found);
  const ids = videos.map(({ id }) => id);
  let added: string[];
  if (isDry) {
    const rows = await db.selectFrom('seenEntry').select('videoId').where('videoId', 'in', ids).execute();
    const seen = new Set(rows.map(({ videoId }) => videoId));
    added = ids.filter((id) => !seen.has(id) && !known.has('have', id));
    for (const id of added) known.add('have', id);
  } else {
    const rows = videos.map(({ id, channelId, title, kind, durationSeconds, publishedAt }): Insertable<SeenEntryTable> => ({
      videoId: id,
      channelId,
      title,
      kind,
      durationSeconds,
      publishedAt,
      isMembersOnly: 0,
      seenAt: now(),
      isSkipped: 1,
    }));
    added = await inTransaction(db, async (tx) => {
      const inserted = await tx
        .insertInto('seenEntry')
        .values(rows)
        .onConflict((c) => c.doNothing())
        .returning('videoId')
        .execute();
      await recordChanges(
        tx,
        applying,
        inserted.map(({ videoId }) => ({ take: 'have', kind: 'seen', subject: videoId })),
      );
      return inserted.map(({ videoId }) => videoId);
    });
  }
  count('have', { found: found.length, added: added.length, here: found.length - added.length });
}

export interface WatchMark {
  video: ForeignVideo;
  /** When it was watched, epoch seconds; null if unknown. */
  watchedAt: number | null;
  /** Where it was left; null: watched to the end. */
  positionSeconds: number | null;
}

/** Of several marks of one video the newest counts. */
function newestMarks(marks: WatchMark[]): Map<string, WatchMark> {
  const newest = new Map<string, WatchMark>();
  for (const mark of marks) {
    const other = newest.get(mark.video.id);
    if (!other || (mark.watchedAt ?? 0) >= (other.watchedAt ?? 0)) newest.set(mark.video.id, mark);
  }
  return newest;
}

/** Returns those of the videos that this account has neither watched nor started. */
async function untouchedIds(db: Db, accountId: number, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const states = await watchStatesOf(db, accountId, ids);
  return ids.filter((id) => {
    const state = states.get(id);
    return !state || (state.watchedAt === null && state.positionSeconds === null);
  });
}

/**
 * Sets watched marks and positions of archived videos that the account has not started here. A mark without a time gets the time
 * of the import.
 */
export async function applyWatched(applying: Applying, found: WatchMark[]): Promise<void> {
  const { app, isDry, known, count, accountId, takes } = applying;
  const { db } = app;
  const marks = newestMarks(found);
  const archived = [...(await existingIds(db, [...marks.keys()]))];
  const isArchived = new Set(archived);
  const missing = found.filter(({ video }) => !isArchived.has(video.id)).map(({ video }) => video);
  if (takes.has('queue') && missing.length > 0) await applyDownloads(applying, 'queue', missing);
  if (!takes.has('watched')) return;
  let added: string[];
  if (isDry) {
    added = (await untouchedIds(db, accountId, archived)).filter((id) => !known.has('watched', id));
    for (const id of added) known.add('watched', id);
  } else
    added = await inTransaction(db, async (tx) => {
      const fresh = await untouchedIds(tx, accountId, archived);
      if (fresh.length === 0) return [];
      const now = app.now();
      const rows = fresh.map((videoId) => {
        const { watchedAt, positionSeconds } = marks.get(videoId)!;
        const at = Math.min(watchedAt ?? now, now);
        return { accountId, videoId, watchedAt: positionSeconds === null ? at : null, positionSeconds, updatedAt: at };
      });
      await writeWatchRows(tx, rows);
      await recordChanges(
        tx,
        applying,
        rows.map(({ videoId, ...state }) => ({ take: 'watched', kind: 'watch', subject: videoId, state })),
      );
      return fresh;
    });
  count('watched', {
    found: found.length,
    added: added.length,
    here: found.length - missing.length - added.length,
    left: missing.length,
  });
}
