import { sql } from 'kysely';
import { pagesById, type Db, type Tx } from '../../platform/db/db.ts';
import { concatBytes } from '../../platform/lib/concat-bytes.ts';

/**
 * Format number of the serialized entries in `serializedPlaylist`. Increase it whenever the same rows serialize differently;
 * entries-json.test.ts checks this. Rows of another format are serialized again.
 */
export const entriesFormat = 1;

/** The tables that serialized entries are built from. */
export const entriesFromRows = ['playlistEntry', 'playlistVideo'] as const;

// Every archived video rewrites the cached entries of its playlists, once per batch of the periodic job. For playlists with more
// than about 7,000 entries that costs more than it saves, so these are serialized on request.
const maxBytes = 1_000_000;
// Lower bound for the size of an entry, to skip very long playlists without serializing them.
const minBytesPerEntry = 70;

const utf8 = new TextEncoder();

/** Loads cached entries of the current format. */
const loadCachedEntries = (db: Db, ids: readonly string[]) =>
  db
    .selectFrom('serializedPlaylist')
    .select(['playlistId', 'json'])
    .where('playlistId', 'in', ids)
    .where(sql<boolean>`${sql.ref('format')} + 0 = ${sql.lit(entriesFormat)}`) // "+ 0" disables the index: nearly all rows have the current format
    .execute();

/** Serializes the entries of playlists from their rows. Returns UTF-8 JSON by playlist id. */
async function serializeEntriesOf(db: Db | Tx, ids: readonly string[]): Promise<Map<string, Uint8Array<ArrayBuffer>>> {
  const isOne = ids.length === 1;
  // Two index range scans instead of a lookup per entry. For a single playlist the id is not selected with every row.
  const [entries, archivedEntries] = await Promise.all([
    db
      .selectFrom('playlistEntry')
      .select(['videoId', 'title', 'uploader'])
      .$if(!isOne, (q) => q.select('playlistId').orderBy('playlistId'))
      .where('playlistId', 'in', ids)
      .orderBy('position')
      .execute(),
    db.selectFrom('playlistVideo').select('videoId').where('playlistId', 'in', ids).execute(),
  ]);
  const archived = new Set(archivedEntries.map(({ videoId }) => videoId));
  // Positions of custom playlists have gaps where videos were deleted; `idx` has none.
  const serializeEntry = (entry: (typeof entries)[number], idx: number) => ({
    youtube_id: entry.videoId,
    title: entry.title,
    uploader: entry.uploader,
    idx,
    downloaded: archived.has(entry.videoId),
  });
  const entriesBy = isOne ? new Map([[ids[0]!, entries]]) : Map.groupBy(entries, (entry) => entry.playlistId!);
  return new Map(ids.map((id) => [id, utf8.encode(JSON.stringify((entriesBy.get(id) ?? []).map(serializeEntry)))]));
}

/** Returns the cached entries of playlists as UTF-8 JSON, by id. */
export const cachedEntriesOf = async (db: Db, ids: readonly string[]): Promise<Map<string, Uint8Array>> =>
  new Map((await loadCachedEntries(db, ids)).map(({ playlistId, json }) => [playlistId, json]));

/** Returns the entries of playlists as UTF-8 JSON in the order of the ids: cached, or serialized from their rows. */
export async function serializedEntries(db: Db, ids: readonly string[]): Promise<Uint8Array[]> {
  if (ids.length === 0) return [];
  const entries = await cachedEntriesOf(db, ids);
  const uncached = ids.filter((id) => !entries.has(id));
  const serialized = uncached.length > 0 ? await serializeEntriesOf(db, uncached) : new Map<string, Uint8Array>();
  return concatBytes(ids.map((id) => [entries.get(id) ?? serialized.get(id)!]));
}

/** Caches the serialized entries of playlists. Returns the ids of those that were cached; very long playlists are not. */
export async function cacheEntries(tx: Tx, ids: readonly string[]): Promise<string[]> {
  const tooLong = await tx
    .selectFrom('playlistEntry')
    .select('playlistId')
    .where('playlistId', 'in', ids)
    .groupBy('playlistId')
    .having((e) => e.fn.countAll<number>(), '>', Math.floor(maxBytes / minBytesPerEntry))
    .execute();
  const cacheable = ids.filter((id) => !tooLong.some(({ playlistId }) => playlistId === id));
  if (cacheable.length === 0) return [];
  const rows = [...(await serializeEntriesOf(tx, cacheable))]
    .filter(([, json]) => json.byteLength <= maxBytes)
    .map(([playlistId, json]) => ({ playlistId, format: entriesFormat, json }));
  if (rows.length > 0)
    await tx
      .insertInto('serializedPlaylist')
      .values(rows)
      .onConflict((c) =>
        c.column('playlistId').doUpdateSet((e) => ({ format: e.ref('excluded.format'), json: e.ref('excluded.json') })),
      )
      .execute();
  return rows.map(({ playlistId }) => playlistId);
}

const pageSize = 50;

/** Compares cached entries with the rows. Yields one message per difference. */
export async function* findStaleEntries(db: Db): AsyncGenerator<string> {
  const next = (after: string) =>
    db.selectFrom('playlist').select('id').where('id', '>', after).orderBy('id').limit(pageSize).execute();
  for await (const page of pagesById(next)) {
    const cached = await cachedEntriesOf(db, page.map(({ id }) => id)); // prettier-ignore
    if (cached.size === 0) continue;
    const rows = await serializeEntriesOf(db, [...cached.keys()]);
    for (const [playlistId, json] of cached)
      if (!Buffer.from(rows.get(playlistId)!).equals(json))
        yield `What is shown of the entries of playlist ${playlistId} is not what is known of them.`;
  }
}
