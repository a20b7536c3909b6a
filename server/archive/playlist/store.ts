import type { Playlist } from '#contract/playlist.ts';
import { chunks, inTransaction, type Db, type Tx } from '../../platform/db/db.ts';
import { isVisibleTo, type Viewer } from '../../platform/db/schema/playlist-access.ts';
import { workerQuery } from '../../platform/db/worker-query.ts';
import { normalizeText } from '../../platform/lib/normalize-text.ts';
import { RawJson } from '../../platform/http/raw-json.ts';
import { cachedEntriesOf, serializedEntries } from './entries-json.ts';

interface PlaylistFilter {
  channel?: string | undefined;
  subscribed?: boolean | undefined;
  type?: 'regular' | 'custom' | undefined;
}

const filteredPlaylists = (db: Db, viewer: Viewer, filter: PlaylistFilter) =>
  db
    .selectFrom('playlist')
    .where(isVisibleTo(viewer))
    .$if(filter.channel !== undefined, (q) => q.where('playlist.channelId', '=', filter.channel!))
    .$if(filter.subscribed !== undefined, (q) => q.where('playlist.isSubscribed', '=', filter.subscribed ? 1 : 0))
    .$if(filter.type !== undefined, (q) => q.where('playlist.kind', '=', filter.type!));

/** One page of filtered playlists by name, or playlists by id. */
type PlaylistSelection = { viewer: Viewer } & (
  | { filter: PlaylistFilter; page: { size: number; from: number } }
  | { ids: string[] }
);

const rowsOf = (db: Db, selection: PlaylistSelection) =>
  filteredPlaylists(db, selection.viewer, 'ids' in selection ? {} : selection.filter)
    .leftJoin('account', 'account.id', 'playlist.ownerId')
    .selectAll('playlist')
    .select('account.name as ownerName')
    .$if('ids' in selection, (q) => q.where('playlist.id', 'in', (selection as { ids: string[] }).ids))
    .$if('page' in selection, (q) => {
      const { size, from } = (selection as { page: { size: number; from: number } }).page;
      return q.orderBy('playlist.sortName').orderBy('playlist.id').limit(size).offset(from);
    })
    .execute();

export const readPlaylists = workerQuery('playlists', async (db, selection: PlaylistSelection) => {
  const rows = await rowsOf(db, selection);
  return { rows, entries: await serializedEntries(db, rows.map(({ id }) => id)) }; // prettier-ignore
});

type PlaylistEntries = Playlist['playlist_entries'];

/** Loads playlists with all entries and whether each entry is archived. */
async function findAll(db: Db, selection: PlaylistSelection) {
  const { rows, entries } = await readPlaylists(db, selection);
  return rows.map((row, index) => ({ ...row, entries: new RawJson<PlaylistEntries>(entries[index]!) }));
}

/** Returns one page of playlists by name. */
export const listPlaylists = (
  db: Db,
  { id, isStaff }: Viewer,
  { channel, subscribed, type }: PlaylistFilter,
  page: { size: number; from: number },
) => findAll(db, { viewer: { id, isStaff }, filter: { channel, subscribed, type }, page });

export async function countPlaylists(db: Db, viewer: Viewer, { channel, subscribed, type }: PlaylistFilter): Promise<number> {
  const { total } = await filteredPlaylists(db, viewer, { channel, subscribed, type })
    .select((e) => e.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return total;
}

/** Whether the playlist exists and is visible to the user. */
export const playlistExists = async (db: Db, viewer: Viewer, id: string): Promise<boolean> =>
  (await filteredPlaylists(db, viewer, {}).select('id').where('id', '=', id).executeTakeFirst()) !== undefined;

/** Loads one playlist. Only entries that are not cached are serialized, in the database thread. */
export async function findPlaylist(db: Db, { id: userId, isStaff }: Viewer, id: string) {
  const selection = { viewer: { id: userId, isStaff }, ids: [id] };
  const cached = (await cachedEntriesOf(db.lookups, [id])).get(id);
  if (!cached) return (await findAll(db, selection))[0];
  const [row] = await rowsOf(db.lookups, selection);
  return row && { ...row, entries: new RawJson<PlaylistEntries>(cached) };
}

/** Returns playlists in the order of the ids, without unknown ids and private playlists of others. */
export async function findPlaylists(db: Db, { id, isStaff }: Viewer, ids: string[]) {
  if (ids.length === 0) return [];
  return (await findAll(db, { viewer: { id, isStaff }, ids })).sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
}
export type PlaylistRow = NonNullable<Awaited<ReturnType<typeof findPlaylist>>>;

/** A playlist as listed by its site. */
interface ListedPlaylist {
  id: string;
  name: string;
  description: string | null;
  channelId: string | null;
  channelName: string | null;
  url: string;
  isSubscribed?: 1;
  entries: { videoId: string; title: string; uploader: string | null }[];
}

/** Replaces the entries of a playlist. Rows before the first difference are left unchanged. */
export async function writeEntries(tx: Tx, playlistId: string, entries: ListedPlaylist['entries'], now: number): Promise<void> {
  const before = await tx
    .selectFrom('playlistEntry')
    .select(['videoId', 'title', 'uploader', 'position', 'addedOrder'])
    .where('playlistId', '=', playlistId)
    .orderBy('position')
    .execute();
  const addedOrders = new Map(before.map((entry) => [entry.videoId, entry.addedOrder]));
  const listed = entries.map((entry, position) => ({
    ...entry,
    playlistId,
    position,
    addedOrder: addedOrders.get(entry.videoId) ?? now,
  }));
  const isSame = (row: (typeof before)[number], index: number) => {
    const entry = listed[index];
    return entry && row.position === index && row.videoId === entry.videoId && row.title === entry.title && row.uploader === entry.uploader; // prettier-ignore
  };
  const change = before.findIndex((row, index) => !isSame(row, index));
  const same = change === -1 ? before.length : change;
  if (same < before.length)
    await tx
      .deleteFrom('playlistEntry')
      .where('playlistId', '=', playlistId)
      .where('position', '>=', before[same]!.position)
      .execute();
  for (const part of chunks(listed.slice(same), 500)) await tx.insertInto('playlistEntry').values(part).execute();
}

/** Inserts or updates a playlist with data from its site. Subscription and sort order are not changed. */
export function savePlaylist(db: Db, { entries, name, ...playlist }: ListedPlaylist, now: number) {
  const siteState = { refreshedAt: now, isActive: 1 as const, unavailableSince: null, unavailableReason: null };
  const row = { ...playlist, name, sortName: normalizeText(name), ...siteState };
  return inTransaction(db, async (tx) => {
    await tx
      .insertInto('playlist')
      .values({ ...row, kind: 'regular' })
      .onConflict((c) => c.column('id').doUpdateSet(row))
      .execute();
    await writeEntries(tx, playlist.id, entries, now);
  });
}

/** Changes what is given. `autoStart` null: the default of the settings. */
export async function updateSubscription(
  db: Db,
  id: string,
  { subscribed, autoStart }: { subscribed: boolean | undefined; autoStart: boolean | null | undefined },
): Promise<void> {
  if (subscribed === undefined && autoStart === undefined) return;
  await db
    .updateTable('playlist')
    .set({
      ...(subscribed !== undefined && { isSubscribed: subscribed ? 1 : 0 }),
      ...(autoStart !== undefined && { autoStart: autoStart === null ? null : autoStart ? 1 : 0 }),
    })
    .where('id', '=', id)
    .execute();
}

export const findSortOrder = async (db: Db, id: string) =>
  (await db.selectFrom('playlist').select('sortOrder').where('id', '=', id).executeTakeFirst())?.sortOrder;

/** Returns whether any of these videos is archived. */
export async function hasArchivedEntry(db: Db, ids: string[]): Promise<boolean> {
  for (const part of chunks(ids))
    if (await db.selectFrom('video').select('id').where('id', 'in', part).limit(1).executeTakeFirst()) return true;
  return false;
}
