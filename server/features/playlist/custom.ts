import { randomUUID } from 'node:crypto';
import type { AppContext } from '../../platform/context/app-context.ts';
import { inTransaction, type Db, type Tx } from '../../platform/db/db.ts';
import { normalizeText } from '../../platform/lib/normalize-text.ts';
import { badRequest, forbidden, notFound } from '../../platform/http/http-error.ts';
import { watchedIds } from '../../archive/video/watched.ts';
import { updateCustomArtwork } from '../../archive/playlist/artwork.ts';
import { writeEntries } from '../../archive/playlist/store.ts';
import { isVisibleTo, type Viewer } from '../../platform/db/schema/playlist-access.ts';
import { canEditCustom } from './shape.ts';

export type CustomAction = 'create' | 'remove' | 'up' | 'down' | 'top' | 'bottom';

interface NewPlaylist {
  name: string;
  ownerId: number;
  isShared: boolean;
}

/** Creates an empty custom playlist. Returns its id. */
export async function createCustom({ db, now, announce }: AppContext, { name, ownerId, isShared }: NewPlaylist): Promise<string> {
  const id = `TA_playlist_${randomUUID()}`;
  await db
    .insertInto('playlist')
    .values({
      id,
      kind: 'custom',
      name,
      sortName: normalizeText(name),
      isActive: 0,
      isSubscribed: 0,
      refreshedAt: now(),
      ownerId,
      isShared: isShared ? 1 : 0,
    })
    .execute();
  announce('playlist');
  return id;
}

const entriesOf = (tx: Tx, playlistId: string) =>
  tx
    .selectFrom('playlistEntry')
    .select(['videoId', 'title', 'uploader'])
    .where('playlistId', '=', playlistId)
    .orderBy('position')
    .execute();
type Entry = Awaited<ReturnType<typeof entriesOf>>[number];

/** Moves an entry one position up or down among the visible entries, or to the start or the end. */
function moved(
  entries: Entry[],
  at: number,
  action: 'up' | 'down' | 'top' | 'bottom',
  isHidden: (id: string) => boolean,
): Entry[] {
  const rest = entries.toSpliced(at, 1);
  const shown = (place: number) => entries[place] !== undefined && !isHidden(entries[place].videoId);
  let to = at;
  if (action === 'top') to = 0;
  else if (action === 'bottom') to = rest.length;
  else {
    const step = action === 'up' ? -1 : 1;
    let next = at + step;
    while (next >= 0 && next < entries.length && !shown(next)) next += step;
    if (next >= 0 && next < entries.length) to = next;
  }
  return rest.toSpliced(to, 0, entries[at]!);
}

/**
 * Returns a custom playlist that the user may change.
 * @throws 404 if it is not visible, 403 if another user owns it; 400 for other playlists, with the message that API clients expect
 */
export async function customPlaylist(db: Db, user: Viewer, id: string) {
  const playlist = await db
    .selectFrom('playlist')
    .select(['kind', 'hasThumb', 'ownerId'])
    .where('id', '=', id)
    .where(isVisibleTo(user))
    .executeTakeFirst();
  if (!playlist) throw notFound('error.playlist');
  if (playlist.kind !== 'custom') throw badRequest('error.not-custom', { id });
  if (!canEditCustom(playlist, user)) throw forbidden('error.playlist-owner');
  return playlist;
}

/** Makes a custom playlist visible to all users, or only to its owner. */
export async function shareCustom({ db, announce }: AppContext, user: Viewer, id: string, isShared: boolean): Promise<void> {
  await customPlaylist(db, user, id);
  await db
    .updateTable('playlist')
    .set({ isShared: isShared ? 1 : 0 })
    .where('id', '=', id)
    .execute();
  announce('playlist');
}

/** Adds, removes or moves a video of a custom playlist. @throws 400 with the message that API clients expect. */
export async function updateCustom(
  app: AppContext,
  user: Viewer,
  playlistId: string,
  { action, videoId, hidesWatched }: { action: CustomAction; videoId: string; hidesWatched: boolean },
): Promise<void> {
  const { db, announce } = app;
  await customPlaylist(db, user, playlistId);
  const hidden = hidesWatched ? await watchedIds(db, user.id, playlistId) : new Set<string>();
  await inTransaction(db, async (tx) => {
    const entries = await entriesOf(tx, playlistId);
    const at = entries.findIndex((entry) => entry.videoId === videoId);
    let after: Entry[];
    if (action === 'create') {
      const video = await tx
        .selectFrom('video')
        .innerJoin('channel', 'channel.id', 'video.channelId')
        .select(['video.title', 'channel.name'])
        .where('video.id', '=', videoId)
        .executeTakeFirst();
      if (!video) throw badRequest('error.playlist-add', { id: videoId });
      after = at < 0 ? [...entries, { videoId, title: video.title, uploader: video.name }] : entries;
    } else if (at < 0) throw badRequest('error.playlist-video', { id: videoId });
    else after = action === 'remove' ? entries.toSpliced(at, 1) : moved(entries, at, action, (id) => hidden.has(id));
    await writeEntries(tx, playlistId, after, app.now());
  });
  await updateCustomArtwork(app, [playlistId]);
  announce('playlist', 'video');
}

/** Sets the sort order of a playlist, for its present entries and future scans. */
export async function setSortOrder({ db, now }: AppContext, playlistId: string, sortOrder: 'top' | 'bottom'): Promise<void> {
  await inTransaction(db, async (tx) => {
    const before = await tx.selectFrom('playlist').select('sortOrder').where('id', '=', playlistId).executeTakeFirst();
    if (!before || before.sortOrder === sortOrder) return;
    await tx.updateTable('playlist').set({ sortOrder }).where('id', '=', playlistId).execute();
    await writeEntries(tx, playlistId, (await entriesOf(tx, playlistId)).toReversed(), now());
  });
}
