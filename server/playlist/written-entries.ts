import { sql } from 'kysely';
import { pagesById, type Db, type Tx } from '../db/db.ts';
import { reading } from '../db/reading.ts';
import { writtenOnce } from '../db/written-once.ts';

/**
 * What is kept of a playlist as it was written (`writtenPlaylist`) is of this form. It changes with whatever changes in what is written of the
 * same rows, which written-entries.test.ts notices: what is of another form is written anew.
 */
export const entriesForm = 1;

/** The tables of whose rows it is written. */
export const entriesFrom = ['playlistEntry', 'playlistShown'] as const;

// With each video that comes, what is kept of its playlists is written anew: of those with many thousands that would be more writing than it
// saves reading. They are few, and recalled.
const mostBytes = 100_000;
// No entry takes less, so that very long ones need not be written to see it.
const leastBytesOfEntry = 70;

const utf8 = new TextEncoder();

/** What is kept of playlists in the present form. */
const keptEntries = writtenOnce(
  (db, ids) =>
    db
      .selectFrom('writtenPlaylist')
      .select(['playlistId', 'written'])
      .where('playlistId', 'in', ids)
      .where(sql<boolean>`${sql.ref('form')} + 0 = ${sql.lit(entriesForm)}`), // "+ 0": nearly all are of this form
);

/** The entries of playlists as their rows say, each playlist's as JSON in UTF-8. */
async function entriesOf(db: Db | Tx, ids: readonly string[]): Promise<Map<string, Uint8Array<ArrayBuffer>>> {
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
  const entriesBy = isOne ? new Map([[ids[0]!, entries]]) : Map.groupBy(entries, (entry) => entry.playlistId!);
  return new Map(ids.map((id) => [id, utf8.encode(JSON.stringify((entriesBy.get(id) ?? []).map(shaped)))]));
}

/** What is kept of these playlists, all in one block of memory that is nobody else's: between threads whole blocks cross. */
export async function keptTogether(db: Db, ids: readonly string[]): Promise<Map<string, Uint8Array>> {
  const kept = ids.length > 0 ? await keptEntries(db, ids) : [];
  const block = new Uint8Array(kept.reduce((sum, { written }) => sum + written.byteLength, 0));
  let end = 0;
  return new Map(
    kept.map(({ playlistId, written }) => {
      block.set(written, end);
      return [playlistId, block.subarray(end, (end += written.byteLength))];
    }),
  );
}

/** The entries of playlists of which none are kept, each playlist's as JSON in UTF-8. */
export const writtenEntries = reading('entries of playlists', (db, ids: string[]): Promise<Map<string, Uint8Array>> =>
  entriesOf(db, ids),
);

/** Keeps the entries of these playlists as they are sent; answers of which it does. */
export async function keepEntries(tx: Tx, ids: readonly string[]): Promise<string[]> {
  const long = await tx
    .selectFrom('playlistEntry')
    .select('playlistId')
    .where('playlistId', 'in', ids)
    .groupBy('playlistId')
    .having((e) => e.fn.countAll<number>(), '>', Math.floor(mostBytes / leastBytesOfEntry))
    .execute();
  const others = ids.filter((id) => !long.some(({ playlistId }) => playlistId === id));
  if (others.length === 0) return [];
  const rows = [...(await entriesOf(tx, others))]
    .filter(([, written]) => written.byteLength <= mostBytes)
    .map(([playlistId, written]) => ({ playlistId, form: entriesForm, written }));
  if (rows.length > 0)
    await tx
      .insertInto('writtenPlaylist')
      .values(rows)
      .onConflict((c) =>
        c.column('playlistId').doUpdateSet((e) => ({ form: e.ref('excluded.form'), written: e.ref('excluded.written') })),
      )
      .execute();
  return rows.map(({ playlistId }) => playlistId);
}

const pageSize = 50;

/** What is kept of playlists as it was written says what their rows say; what does not, one sentence each. */
export async function* wrongEntries(db: Db): AsyncGenerator<string> {
  const next = (after: string) =>
    db.selectFrom('playlist').select('id').where('id', '>', after).orderBy('id').limit(pageSize).execute();
  for await (const page of pagesById(next)) {
    const kept = await keptTogether(db, page.map(({ id }) => id)); // prettier-ignore
    if (kept.size === 0) continue;
    const rows = await entriesOf(db, [...kept.keys()]);
    for (const [playlistId, written] of kept)
      if (!Buffer.from(rows.get(playlistId)!).equals(written))
        yield `What is shown of the entries of playlist ${playlistId} is not what is known of them.`;
  }
}
