import type { Archive } from '../archive.ts';
import { inTransaction } from '../db/db.ts';
import { classify } from '../download/classify.ts';
import { notFound } from '../http/problem.ts';
import { idsNamed, isSource } from './store.ts';
import { beforeMarking, rememberMark } from './undo-marks.ts';
import { saveWatchedOfAll, saveWatched } from './watch-store.ts';

// What an id that nobody has would be of, as far as it shows.
function whatWouldBe(id: string): string {
  if (id.startsWith('TA_playlist_')) return 'playlist';
  const what = classify(id)?.what ?? 'page';
  return what === 'page' ? 'video, channel or playlist' : what;
}

/**
 * Marks one video, or every video of a channel or playlist, for one person; forgets where they stopped. Of many, what was
 * marked so before keeps its date.
 */
export async function markWatched({ db, now, events }: Archive, accountId: number, id: string, isWatched: boolean) {
  const ids = (await idsNamed(db, id)).map((row) => row.id);
  if (ids.length === 0 && !(await isSource(db, id))) throw notFound(whatWouldBe(id));
  const save = ids.includes(id) ? saveWatched : saveWatchedOfAll;
  await inTransaction(db, (tx) => save(tx, accountId, ids, isWatched ? now() : null, now()));
  events.announceTo(accountId, 'video');
}

/**
 * Marks these videos for one person. What was marked so before keeps its date. Answers the name under which it can be taken back
 * for a while.
 */
export async function markVideos(archive: Archive, accountId: number, ids: string[], isWatched: boolean): Promise<string> {
  const at = archive.now();
  const watchedAt = isWatched ? at : null;
  const before = await inTransaction(archive.db, async (tx) => {
    const rows = await beforeMarking(tx, accountId, ids, isWatched);
    await saveWatchedOfAll(tx, accountId, ids, watchedAt, at);
    return rows;
  });
  archive.events.announceTo(accountId, 'video');
  return rememberMark(archive, accountId, { watchedAt, at, before });
}
