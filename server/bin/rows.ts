import { addExactly, pagesOf, type PlainRow } from '../db/copy.ts';
import type { Tx } from '../db/db.ts';
import { tablesOfVideo } from '../db/kept.ts';

// What a video in the bin was: its rows, as they stood, in parts of JSON. So no query of the library knows of the bin.

const rowsInPart = 500;

const writePart = (tx: Tx, binNumber: number, ofTable: string, part: number, rows: object[]) =>
  tx
    .insertInto('binRows')
    .values({ binNumber, ofTable, part, rows: JSON.stringify(rows) })
    .execute();

/** Where people have a video in playlists of their own; those of sites keep its place by themselves. */
const placesOf = (tx: Tx, videoId: string) =>
  tx
    .selectFrom('playlistEntry')
    .innerJoin('playlist', 'playlist.id', 'playlistEntry.playlistId')
    .selectAll('playlistEntry')
    .where('videoId', '=', videoId)
    .where('playlist.kind', '=', 'custom')
    .execute();

/** Writes down all rows of a video, with that of its channel, before they go. */
export async function keepRows(tx: Tx, binNumber: number, videoId: string): Promise<void> {
  const video = await tx.selectFrom('video').selectAll().where('id', '=', videoId).executeTakeFirstOrThrow();
  const channel = await tx.selectFrom('channel').selectAll().where('id', '=', video.channelId).executeTakeFirstOrThrow();
  await writePart(tx, binNumber, 'video', 0, [video]);
  await writePart(tx, binNumber, 'channel', 0, [channel]);
  const places = await placesOf(tx, videoId);
  if (places.length > 0) await writePart(tx, binNumber, 'playlistEntry', 0, places);
  for (const table of tablesOfVideo) {
    let part = 0;
    for await (const rows of pagesOf(tx, table, rowsInPart, { videoId })) await writePart(tx, binNumber, table, part++, rows);
  }
}

/** The rows of a table that were kept, some at a time. */
async function* keptRows(tx: Tx, binNumber: number, ofTable: string): AsyncGenerator<PlainRow[]> {
  for (let part = 0; ; part++) {
    const kept = await tx
      .selectFrom('binRows')
      .select('rows')
      .where('binNumber', '=', binNumber)
      .where('ofTable', '=', ofTable)
      .where('part', '=', part)
      .executeTakeFirst();
    if (!kept) return;
    yield JSON.parse(kept.rows) as PlainRow[];
  }
}

async function onlyRow(tx: Tx, binNumber: number, table: 'video' | 'channel'): Promise<PlainRow> {
  for await (const [row] of keptRows(tx, binNumber, table)) if (row) return row;
  throw new Error(`The bin has lost what it knew of the ${table}.`);
}

/** The media file of a video in the bin, below the media folder. */
export const mediaPathOf = async (tx: Tx, binNumber: number) => String((await onlyRow(tx, binNumber, 'video'))['mediaPath']);

/** The pictures that a video in the bin had before. */
export async function earlierPicturesOf(tx: Tx, binNumber: number): Promise<string[]> {
  const names: string[] = [];
  for await (const rows of keptRows(tx, binNumber, 'earlier'))
    for (const { what, value } of rows) if (what === 'thumbnail') names.push(String(value));
  return names;
}

/** A place in a playlist of somebody's own: the one it had while that is free, else the end. */
async function putInPlace(tx: Tx, row: PlainRow): Promise<void> {
  const playlistId = String(row['playlistId']);
  const entries = () => tx.selectFrom('playlistEntry').where('playlistId', '=', playlistId);
  const list = await tx.selectFrom('playlist').select('kind').where('id', '=', playlistId).executeTakeFirst();
  if (list?.kind !== 'custom') return; // the list is gone
  const taken = await entries().select('videoId').where('position', '=', Number(row['position'])).executeTakeFirst();
  const last = await entries()
    .select((e) => e.fn.max<number | null>('position').as('position'))
    .executeTakeFirst();
  await addExactly(tx, 'playlistEntry', [taken ? { ...row, position: (last?.position ?? -1) + 1 } : row]);
}

/** Writes the rows of a video back. What belonged to people or lists that are gone stays away. */
export async function putRowsBack(tx: Tx, binNumber: number, changes: { damage?: string; isKept?: 1 } = {}): Promise<void> {
  const [video, channel] = [await onlyRow(tx, binNumber, 'video'), await onlyRow(tx, binNumber, 'channel')];
  const known = await tx.selectFrom('channel').select('id').where('id', '=', String(channel['id'])).executeTakeFirst();
  if (!known) await addExactly(tx, 'channel', [channel]);
  await addExactly(tx, 'video', [{ ...video, ...changes }]);
  const people = new Set((await tx.selectFrom('account').select('id').execute()).map(({ id }) => id));
  for (const table of tablesOfVideo)
    for await (const rows of keptRows(tx, binNumber, table))
      await addExactly(tx, table, table === 'watch' ? rows.filter((row) => people.has(Number(row['accountId']))) : rows);
  for await (const rows of keptRows(tx, binNumber, 'playlistEntry')) for (const row of rows) await putInPlace(tx, row);
}
