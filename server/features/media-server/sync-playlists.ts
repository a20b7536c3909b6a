import { createHash } from 'node:crypto';
import { message, type Message } from '#contract/messages.ts';
import { chunks } from '../../platform/db/db.ts';
import { isVisibleTo } from '../../platform/db/schema/playlist-access.ts';
import { storeMessages } from '../../platform/messages/stored.ts';
import type { PlaylistClient, PlaylistItem, RemotePerson } from './client.ts';
import { MediaServerError } from './connection.ts';
import { planMoves } from './plan-moves.ts';
import { listPersons, listPlaylists, remotePerson, updatePlaylist, type NamedPerson, type PlaylistRow } from './store.ts';
import type { SyncContext } from './sync-persons.ts';

const maxVideos = 5_000;
// More moves than this take longer than a new list.
const maxMoves = 100;

interface PushedPlaylist {
  row: PlaylistRow;
  name: string;
  person: NamedPerson;
  remote: RemotePerson;
  itemIds: string[];
}

type PlaylistContext = SyncContext & { playlists: PlaylistClient };

/** Returns the items of a playlist in order, each once, as far as the server has them. */
async function itemsOf({ app: { db }, server, isDryRun, seenItems }: SyncContext, playlistId: string, accountId: number) {
  const videos = await db
    .selectFrom('playlistVideo')
    .select('videoId')
    .where('playlistId', '=', playlistId)
    .orderBy('position')
    .limit(maxVideos)
    .execute();
  const videoIds = [...new Set(videos.map(({ videoId }) => videoId))];
  const items = new Map<string, { itemId: string; seenAt: number }>();
  for (const batch of chunks(videoIds, 500))
    for (const { videoId, itemId, seenAt } of await db
      .selectFrom('mediaServerItem')
      .select(['videoId', 'itemId', 'seenAt'])
      .where('serverNumber', '=', server.number)
      .where('accountId', '=', accountId)
      .where('videoId', 'in', batch)
      .orderBy('itemId')
      .execute())
      // Of several items the newest: others may be of renamed files.
      if (seenAt > (items.get(videoId)?.seenAt ?? -1)) items.set(videoId, { itemId, seenAt });
  const found = videoIds.flatMap((id) => items.get(id)?.itemId ?? (isDryRun ? (seenItems.get(`${accountId} ${id}`) ?? []) : []));
  return [...new Set(found)];
}

/** Returns the person that a playlist belongs to on the server: as before, the owner, or the first one. */
const personOf = (persons: NamedPerson[], { userId }: PlaylistRow, ownerId: number | null) =>
  persons.find((person) => person.userId === userId) ??
  persons.find(({ accountId }) => accountId === ownerId) ??
  persons.toSorted((a, b) => a.accountId - b.accountId)[0];

const stampOf = (itemIds: string[], present: PlaylistItem[] | null) =>
  createHash('sha1')
    .update(JSON.stringify([itemIds, (present ?? []).map(({ itemId }) => itemId)]))
    .digest('base64url');

/** Creates a playlist on the server and records it. */
async function createRemote({ app, playlists }: PlaylistContext, { row, name, remote, itemIds }: PushedPlaylist) {
  const remoteId = await playlists.createPlaylist(remote, name, itemIds);
  await updatePlaylist(app.db, row, { remoteId, name, userId: remote.userId, problem: null });
  await updatePlaylist(app.db, row, { stamp: stampOf(itemIds, await playlists.playlistItems(remote, remoteId)) });
}

async function create(context: PlaylistContext, playlist: PushedPlaylist) {
  const { report, isDryRun } = context;
  const { name, itemIds } = playlist;
  if (itemIds.length === 0) return; // servers have no empty playlists
  if (!isDryRun) await createRemote(context, playlist);
  report.add('playlist', null, name, message('media-server.playlist-created', { count: itemIds.length }));
}

/** Creates a playlist again, with its current content, because the server does not allow to change it. */
async function replace(context: PlaylistContext, playlist: PushedPlaylist, remoteId: string): Promise<void> {
  await createRemote(context, playlist);
  await context.playlists.deletePlaylist(playlist.remote, remoteId);
}

/** Brings the entries of a playlist into the wanted order. Jellyfin renumbers entries after each change, so they are loaded again. */
async function applyEntries(context: PlaylistContext, { remote, itemIds }: PushedPlaylist, id: string, plan: EntryPlan) {
  const { playlists } = context;
  if (plan.removed.length > 0) await playlists.removeItems(remote, id, plan.removed);
  if (plan.added.length > 0) await playlists.addItems(remote, id, plan.added);
  if (plan.moves === 0) return;
  const present = (await playlists.playlistItems(remote, id)) ?? [];
  const entryOf = new Map(present.map(({ itemId, entryId }) => [itemId, entryId]));
  // An item may have disappeared meanwhile.
  const wanted = itemIds.filter((itemId) => entryOf.has(itemId));
  const order = present.map(({ itemId }) => itemId).filter((itemId) => wanted.includes(itemId));
  for (const { item, after, index } of planMoves(order, wanted))
    await playlists.moveItem(remote, id, entryOf.get(item)!, { index, after: after === null ? null : entryOf.get(after)! });
}

interface EntryPlan {
  /** Entries to remove, and items to add. */
  removed: string[];
  added: string[];
  moves: number;
}

function planEntries(present: PlaylistItem[], itemIds: string[]): EntryPlan {
  const wanted = new Set(itemIds);
  const kept = new Set<string>();
  const removed: string[] = [];
  for (const { itemId, entryId } of present)
    if (wanted.has(itemId) && !kept.has(itemId)) kept.add(itemId);
    else removed.push(entryId);
  const added = itemIds.filter((itemId) => !kept.has(itemId));
  return { removed, added, moves: planMoves([...kept, ...added], itemIds).length };
}

async function update(context: PlaylistContext, playlist: PushedPlaylist, remoteId: string): Promise<void> {
  const { app, playlists, report, isDryRun } = context;
  const { row, name, remote, itemIds } = playlist;
  const present = await playlists.playlistItems(remote, remoteId);
  if (present === null) {
    if (row.isRecreated) {
      if (!isDryRun) await updatePlaylist(app.db, row, { remoteId: null });
      throw new MediaServerError(message('media-server.playlist-deleted-there'), 'other');
    }
    if (!isDryRun) await updatePlaylist(app.db, row, { remoteId: null, isRecreated: 1 });
    return create(context, playlist);
  }
  if (itemIds.length === 0) {
    if (!isDryRun) {
      await playlists.deletePlaylist(remote, remoteId);
      await updatePlaylist(app.db, row, { remoteId: null, problem: null });
    }
    report.add('playlist', null, name, message('media-server.playlist-deleted'));
    return;
  }
  const plan = planEntries(present, itemIds);
  const { removed, added, moves } = plan;
  const isChanged = removed.length + added.length + moves > 0 && row.stamp !== stampOf(itemIds, present);
  const isRenamed = row.name !== name;
  if (!isDryRun && (isChanged || isRenamed))
    try {
      if (moves > maxMoves) await replace(context, playlist, remoteId);
      else {
        if (isRenamed) await playlists.renamePlaylist(remote, remoteId, name);
        if (isChanged) await applyEntries(context, playlist, remoteId, plan);
        await updatePlaylist(app.db, row, {
          name,
          stamp: stampOf(itemIds, isChanged ? await playlists.playlistItems(remote, remoteId) : present),
        });
      }
    } catch (error) {
      // API keys of Jellyfin may create and delete playlists, but not change them.
      if (!(error instanceof MediaServerError) || error.failure !== 'other') throw error;
      await replace(context, playlist, remoteId);
    }
  if (isRenamed) report.add('playlist', null, name, message('media-server.playlist-renamed'));
  if (isChanged)
    report.add(
      'playlist',
      null,
      name,
      message('media-server.playlist-updated', { added: added.length, removed: removed.length, moved: moves }),
    );
  if (!isDryRun && row.problem !== null) await updatePlaylist(app.db, row, { problem: null });
}

/** Deletes a playlist of the server that is no longer pushed. */
async function remove(context: PlaylistContext, row: PlaylistRow, persons: NamedPerson[]): Promise<void> {
  const { app, playlists, report, isDryRun, server } = context;
  if (row.remoteId !== null) {
    const person = persons.find(({ userId }) => userId === row.userId);
    if (!isDryRun)
      await playlists.deletePlaylist(
        person ? remotePerson(context.app, context.server, person) : { userId: row.userId!, token: null },
        row.remoteId,
      );
    report.add('playlist', null, row.name ?? row.playlistId, message('media-server.playlist-deleted'));
  }
  if (!isDryRun)
    await app.db
      .deleteFrom('mediaServerPlaylist')
      .where('serverNumber', '=', server.number)
      .where('playlistId', '=', row.playlistId)
      .execute();
}

async function syncPlaylist(context: PlaylistContext, row: PlaylistRow, persons: NamedPerson[]): Promise<void> {
  const found = await context.app.db
    .selectFrom('playlist')
    .select(['name', 'ownerId'])
    .where('id', '=', row.playlistId)
    // Its owner may have made it private.
    .where(isVisibleTo({ id: row.chosenBy ?? 0, isStaff: true }))
    .executeTakeFirst();
  if (!found || row.isRemoved) return remove(context, row, persons);
  // Deleted on the server again after it was created again.
  if (row.remoteId === null && row.isRecreated && row.problem !== null) return;
  const person = personOf(persons, row, found.ownerId);
  if (!person) throw new MediaServerError(message('media-server.playlist-person'), 'other');
  const itemIds = await itemsOf(context, row.playlistId, person.accountId);
  const playlist = { row, name: found.name, person, remote: remotePerson(context.app, context.server, person), itemIds };
  await (row.remoteId === null ? create(context, playlist) : update(context, playlist, row.remoteId));
}

/** Pushes the chosen playlists. Only playlists that were created for them are changed. */
export async function syncPlaylists(sync: SyncContext): Promise<void> {
  const { playlists } = sync.client;
  if (!playlists) return;
  const context: PlaylistContext = { ...sync, playlists };
  const { app, server, report, isDryRun, signal } = context;
  const persons = await listPersons(app.db, server.number);
  const rows = await listPlaylists(app.db, server.number);
  if (rows.length > 0) context.progress([message('media-server.syncing-playlists')]);
  for (const row of rows) {
    signal.throwIfAborted();
    try {
      await syncPlaylist(context, row, persons);
    } catch (error) {
      if (!(error instanceof MediaServerError) || error.failure !== 'other') throw error;
      const problem: Message[] = error.messages;
      report.add('problem', null, row.name ?? row.playlistId, problem);
      if (!isDryRun) await updatePlaylist(app.db, row, { problem: storeMessages(problem) });
    }
  }
}
