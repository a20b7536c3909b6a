import { chunks, inTransaction, type Db, type Tx } from '../db/db.ts';
import { reading } from '../db/reading.ts';
import { little } from '../db/recall.ts';
import { foldText } from '../fold-text.ts';
import { Written } from '../http/written.ts';
import { entriesFrom, keptTogether, writtenEntries } from './written-entries.ts';

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

/** One page of what matches, by name; or those of some ids. */
type Asked = { filter: PlaylistFilter; page: { size: number; from: number } } | { ids: string[] };

const rowsOf = (db: Db, asked: Asked) =>
  'ids' in asked
    ? db.selectFrom('playlist').selectAll().where('id', 'in', asked.ids).execute()
    : matching(db, asked.filter)
        .selectAll()
        .orderBy('sortName')
        .orderBy('id')
        .limit(asked.page.size)
        .offset(asked.page.from)
        .execute();

export const readPlaylists = reading('playlists', async (db, asked: Asked) => {
  const rows = await rowsOf(db, asked);
  return { rows, kept: await keptTogether(db, rows.map(({ id }) => id)) }; // prettier-ignore
});

/** Playlists with all their entries, and which of those are archived. */
async function findAll(db: Db, asked: Asked) {
  const { rows, kept } = await readPlaylists(db, asked);
  // Of a playlist of thousands they are most of the work, and seldom another than the last time.
  const others = rows.flatMap(({ id }) => (kept.has(id) ? [] : [id]));
  const written = await db.recall.each('entries', others, { from: entriesFrom }, (missing) => writtenEntries(db, missing));
  for (const [at, id] of others.entries()) kept.set(id, written[at]!);
  return rows.map((row) => ({ ...row, entries: new Written([kept.get(row.id)!]) }));
}

/** One page of playlists by name. */
export const listPlaylists = (db: Db, filter: PlaylistFilter, page: { size: number; from: number }) =>
  findAll(db, { filter, page });

export async function countPlaylists(db: Db, { channel, subscribed, type }: PlaylistFilter): Promise<number> {
  const list = JSON.stringify([channel, subscribed, type]);
  const { total } = await db.recall.one(`playlists ${list}`, { from: ['playlist'], bytes: little }, () =>
    matching(db, { channel, subscribed, type })
      .select((e) => e.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow(),
  );
  return total;
}

export const findPlaylist = async (db: Db, id: string) => (await findAll(db, { ids: [id] }))[0];

/** Playlists by id, in the order of the ids; those that do not exist are left out. */
export async function findPlaylists(db: Db, ids: string[]) {
  if (ids.length === 0) return [];
  return (await findAll(db, { ids })).sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
}
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
