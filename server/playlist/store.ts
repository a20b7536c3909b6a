import { chunks, inTransaction, type Db, type Tx } from '../db/db.ts';
import { reading } from '../db/reading.ts';
import { little } from '../db/recall.ts';
import { foldText } from '../fold-text.ts';
import { Written } from '../http/written.ts';

interface PlaylistFilter {
  channel?: string | undefined;
  subscribed?: boolean | undefined;
  type?: 'regular' | 'custom' | undefined;
}

const matching = (db: Db, filter: PlaylistFilter) =>
  db
    .selectFrom('playlist')
    .$if(filter.channel !== undefined, (q) => q.where('channelId', '=', filter.channel!))
    .$if(filter.subscribed !== undefined, (q) => q.where('isSubscribed', '=', filter.subscribed ? 1 : 0))
    .$if(filter.type !== undefined, (q) => q.where('kind', '=', filter.type!));

/** One page of playlists by name, each with all its entries, and which of those are archived. */
export async function listPlaylists(db: Db, filter: PlaylistFilter, page: { size: number; from: number }) {
  const rows = await matching(db, filter)
    .selectAll()
    .orderBy('sortName')
    .orderBy('id')
    .limit(page.size)
    .offset(page.from)
    .execute();
  return withEntries(db, rows);
}

export async function countPlaylists(db: Db, { channel, subscribed, type }: PlaylistFilter): Promise<number> {
  const list = JSON.stringify([channel, subscribed, type]);
  const { total } = await db.recall.one(`playlists ${list}`, { from: ['playlist'], bytes: little }, () =>
    matching(db, { channel, subscribed, type })
      .select((e) => e.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow(),
  );
  return total;
}

export async function findPlaylist(db: Db, id: string) {
  const row = await db.selectFrom('playlist').selectAll().where('id', '=', id).executeTakeFirst();
  return row && (await withEntries(db, [row]))[0];
}

/** Playlists by id, in the order of the ids, each with all its entries; those that do not exist are left out. */
export async function findPlaylists(db: Db, ids: string[]) {
  if (ids.length === 0) return [];
  const rows = await db.selectFrom('playlist').selectAll().where('id', 'in', ids).execute();
  rows.sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
  return withEntries(db, rows);
}

/** All rows with their entries. Of a playlist of thousands those are most of the work, and seldom another than the last time. */
async function withEntries<Row extends { id: string }>(db: Db, rows: Row[]) {
  const from = ['playlistEntry', 'video'] as const;
  const ids = rows.map((row) => row.id);
  const written = await db.recall.each('entries', ids, { from }, (missing) => writtenEntries(db, missing));
  return rows.map((row, at) => ({ ...row, entries: new Written([written[at]!]) }));
}

const utf8 = new TextEncoder();

/** The entries of playlists as the API has them, each playlist's as JSON in UTF-8. */
export const writtenEntries = reading('entries of playlists', async (db, ids: string[]): Promise<Map<string, Uint8Array>> => {
  const isOne = ids.length === 1;
  // Two pieces of an index, instead of asking for each of thousands whether it is a video. Of one, whose they are is not told of each.
  const [entries, shown] = await Promise.all([
    db
      .selectFrom('playlistEntry')
      .select(['videoId', 'title', 'uploader'])
      .$if(!isOne, (q) => q.select('playlistId').orderBy('playlistId'))
      .where('playlistId', 'in', ids)
      .orderBy('position')
      .execute(),
    db.selectFrom('playlistShown').select('videoId').where('playlistId', 'in', ids).execute(),
  ]);
  const archived = new Set(shown.map(({ videoId }) => videoId));
  // Where somebody's own list lost a video, positions have a gap; what is told has none.
  const shaped = (entry: (typeof entries)[number], idx: number) => ({
    youtube_id: entry.videoId,
    title: entry.title,
    uploader: entry.uploader,
    idx,
    downloaded: archived.has(entry.videoId),
  });
  const entriesOf = isOne ? new Map([[ids[0]!, entries]]) : Map.groupBy(entries, (entry) => entry.playlistId!);
  return new Map(ids.map((id) => [id, utf8.encode(JSON.stringify((entriesOf.get(id) ?? []).map(shaped)))]));
});
export type PlaylistRow = NonNullable<Awaited<ReturnType<typeof findPlaylist>>>;

/** A playlist as its site lists it. */
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

/** Writes the entries of a playlist, in this order, over those that it had. What is the same from its beginning on is left as it is. */
export async function writeEntries(tx: Tx, playlistId: string, entries: ListedPlaylist['entries']): Promise<void> {
  const listed = entries.map((entry, position) => ({ ...entry, playlistId, position }));
  const before = await tx
    .selectFrom('playlistEntry')
    .select(['videoId', 'title', 'uploader', 'position'])
    .where('playlistId', '=', playlistId)
    .orderBy('position')
    .execute();
  const isSame = (row: (typeof before)[number], at: number) => {
    const entry = listed[at];
    return entry && row.position === at && row.videoId === entry.videoId && row.title === entry.title && row.uploader === entry.uploader; // prettier-ignore
  };
  const change = before.findIndex((row, at) => !isSame(row, at));
  const same = change === -1 ? before.length : change;
  if (same < before.length)
    await tx
      .deleteFrom('playlistEntry')
      .where('playlistId', '=', playlistId)
      .where('position', '>=', before[same]!.position)
      .execute();
  for (const part of chunks(listed.slice(same), 500)) await tx.insertInto('playlistEntry').values(part).execute();
}

/** Writes what the site says of a playlist over what we knew; subscription and sort order stay. */
export function savePlaylist(db: Db, { entries, name, ...playlist }: ListedPlaylist, now: number) {
  const here = { refreshedAt: now, isActive: 1 as const, goneSince: null, goneAs: null };
  const row = { ...playlist, name, sortName: foldText(name), ...here };
  return inTransaction(db, async (tx) => {
    await tx
      .insertInto('playlist')
      .values({ ...row, kind: 'regular' })
      .onConflict((c) => c.column('id').doUpdateSet(row))
      .execute();
    await writeEntries(tx, playlist.id, entries);
  });
}

export const findSortOrder = async (db: Db, id: string) =>
  (await db.selectFrom('playlist').select('sortOrder').where('id', '=', id).executeTakeFirst())?.sortOrder;

/** Whether any of these videos is in the archive. */
export async function hasArchivedEntry(db: Db, ids: string[]): Promise<boolean> {
  for (const part of chunks(ids))
    if (await db.selectFrom('video').select('id').where('id', 'in', part).limit(1).executeTakeFirst()) return true;
  return false;
}
