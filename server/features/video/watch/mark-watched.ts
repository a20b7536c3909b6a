import type { AppContext } from '../../../platform/context/app-context.ts';
import { inTransaction } from '../../../platform/db/db.ts';
import type { Viewer } from '../../../platform/db/schema/playlist-access.ts';
import { parseInput } from '../../../archive/sites/parse-input.ts';
import { notFound } from '../../../platform/http/http-error.ts';
import { isSource, resolveIds } from '../../../archive/video/store.ts';
import { rememberMark } from './undo-mark-watched.ts';
import { saveWatchedOfAll, saveWatched } from '../../../archive/video/watch-store.ts';

// The kind of an unknown object is derived from the form of its id.
function unknownId(id: string) {
  if (id.startsWith('TA_playlist_')) return notFound('error.playlist');
  const what = parseInput(id)?.what ?? 'page';
  return notFound(what === 'page' ? 'error.source' : `error.${what}`);
}

/**
 * Sets the watched state of a video, or of all videos in a channel or playlist, for a user, and clears the playback position. In
 * bulk, videos that already have the state keep their date.
 */
export async function markWatched({ db, now, events }: AppContext, user: Viewer, id: string, isWatched: boolean) {
  const ids = (await resolveIds(db, user, id)).map((row) => row.id);
  if (ids.length === 0 && !(await isSource(db, user, id))) throw unknownId(id);
  const save = ids.includes(id) ? saveWatched : saveWatchedOfAll;
  await inTransaction(db, (tx) => save(tx, user.id, ids, isWatched ? now() : null, now()));
  events.announceTo(user.id, 'video');
}

/**
 * Sets the watched state of these videos for a user; videos that already have the state keep their date. Returns the key for
 * undoing it within a limited time.
 */
export async function markVideosWatched(app: AppContext, accountId: number, ids: string[], isWatched: boolean): Promise<string> {
  const at = app.now();
  const watchedAt = isWatched ? at : null;
  const name = await inTransaction(app.db, async (tx) => {
    const key = await rememberMark(tx, { accountId, ids, watchedAt, at });
    await saveWatchedOfAll(tx, accountId, ids, watchedAt, at);
    return key;
  });
  app.events.announceTo(accountId, 'video');
  return name;
}
