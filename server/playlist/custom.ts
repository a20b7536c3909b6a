import { randomUUID } from 'node:crypto';
import type { Archive } from '../archive.ts';
import { inTransaction, type Db, type Tx } from '../db/db.ts';
import { foldText } from '../fold-text.ts';
import { Problem, refused } from '../http/problem.ts';
import { watchedIds } from '../video/watched.ts';
import { lookLikeTheirFirst } from './artwork.ts';
import { writeEntries } from './store.ts';

export type Action = 'create' | 'remove' | 'up' | 'down' | 'top' | 'bottom';

/** Makes an empty playlist of somebody's own; answers its id. */
export async function makeCustom({ db, now, announce }: Archive, name: string): Promise<string> {
  const id = `TA_playlist_${randomUUID()}`;
  await db
    .insertInto('playlist')
    .values({ id, kind: 'custom', name, sortName: foldText(name), isActive: 0, isSubscribed: 0, refreshedAt: now() })
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

/** Where an entry goes: one place up or down among those that are shown, or to an end. */
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

/** A playlist of somebody's own. Refuses any other with the words that clients know. */
export async function customPlaylist(db: Db, id: string) {
  const playlist = await db.selectFrom('playlist').select(['kind', 'hasThumb']).where('id', '=', id).executeTakeFirst();
  if (!playlist) throw new Problem(404, 'playlist not found');
  if (playlist.kind !== 'custom') throw refused(`playlist with ID ${id} is not custom`);
  return playlist;
}

/** Adds a video to a playlist of somebody's own, takes it out or moves it. Refuses with the words that clients know. */
export async function changeCustom(
  archive: Archive,
  playlistId: string,
  { action, videoId, hiddenFor }: { action: Action; videoId: string; hiddenFor: number | null },
): Promise<void> {
  const { db, announce } = archive;
  await customPlaylist(db, playlistId);
  const hidden = hiddenFor === null ? new Set<string>() : await watchedIds(db, hiddenFor, playlistId);
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
      if (!video) throw refused(`failed to add video ${videoId} to playlist`);
      after = at < 0 ? [...entries, { videoId, title: video.title, uploader: video.name }] : entries;
    } else if (at < 0) throw refused(`video ${videoId} is not in this playlist`);
    else after = action === 'remove' ? entries.toSpliced(at, 1) : moved(entries, at, action, (id) => hidden.has(id));
    await writeEntries(tx, playlistId, after);
  });
  await lookLikeTheirFirst(archive, [playlistId]);
  announce('playlist', 'video');
}

/** Turns the order of a playlist around, now and whenever it is listed. */
export async function setSortOrder({ db }: Archive, playlistId: string, sortOrder: 'top' | 'bottom'): Promise<void> {
  await inTransaction(db, async (tx) => {
    const before = await tx.selectFrom('playlist').select('sortOrder').where('id', '=', playlistId).executeTakeFirst();
    if (!before || before.sortOrder === sortOrder) return;
    await tx.updateTable('playlist').set({ sortOrder }).where('id', '=', playlistId).execute();
    await writeEntries(tx, playlistId, (await entriesOf(tx, playlistId)).toReversed());
  });
}
