import { insertExactly, pagesOf, type PlainRow } from '../../platform/db/copy/bulk-copy.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import type { Selectable } from 'kysely';
import type { VideoTable } from '../../platform/db/schema/tables.ts';
import { maxTries, parseLimitation } from '../../archive/video/limitation.ts';
import { dropOtherCopy } from '../../archive/video/small-copy.ts';
import { parseUpgradeLog, withoutAttempts } from '../../archive/video/upgrade.ts';
import { storeRows } from '../../archive/storage/trash-entry.ts';
import { tablesOfVideo } from '../../platform/db/schema/table-policies.ts';

// Archived rows of a video in the trash, as chunks of JSON, so that library queries do not need to exclude the trash.

const rowsInPart = 500;

/** Returns the positions of a video in custom playlists. Playlists of sites keep the position without the video. */
const placesOf = (tx: Tx, videoId: string) =>
  tx
    .selectFrom('playlistEntry')
    .innerJoin('playlist', 'playlist.id', 'playlistEntry.playlistId')
    .selectAll('playlistEntry')
    .where('videoId', '=', videoId)
    .where('playlist.kind', '=', 'custom')
    .execute();

/** Archives all rows of a video and the row of its channel, before they are deleted. */
export async function archiveRows(tx: Tx, trashNumber: number, videoId: string): Promise<void> {
  const video = await tx.selectFrom('video').selectAll().where('id', '=', videoId).executeTakeFirstOrThrow();
  const channel = await tx.selectFrom('channel').selectAll().where('id', '=', video.channelId).executeTakeFirstOrThrow();
  await storeRows(tx, trashNumber, 'video', 0, [video]);
  await storeRows(tx, trashNumber, 'channel', 0, [channel]);
  const places = await placesOf(tx, videoId);
  if (places.length > 0) await storeRows(tx, trashNumber, 'playlistEntry', 0, places);
  for (const table of tablesOfVideo) {
    let part = 0;
    for await (const rows of pagesOf(tx, table, rowsInPart, { videoId })) await storeRows(tx, trashNumber, table, part++, rows);
  }
}

/** Yields the archived rows of a table in chunks. */
async function* keptRows(tx: Db, trashNumber: number, tableName: string): AsyncGenerator<PlainRow[]> {
  for (let part = 0; ; part++) {
    const stored = await tx
      .selectFrom('trashRows')
      .select('rows')
      .where('trashNumber', '=', trashNumber)
      .where('tableName', '=', tableName)
      .where('part', '=', part)
      .executeTakeFirst();
    if (!stored) return;
    yield JSON.parse(stored.rows) as PlainRow[];
  }
}

async function onlyRow(tx: Db, trashNumber: number, table: 'video' | 'channel'): Promise<PlainRow> {
  for await (const [row] of keptRows(tx, trashNumber, table)) if (row) return row;
  throw new Error(`The trash entry has no rows of ${table}, so the video cannot be restored.`);
}

/** Returns the media path of a video in the trash, relative to the media folder. */
export const mediaPathOf = async (tx: Db, trashNumber: number) => String((await onlyRow(tx, trashNumber, 'video'))['mediaPath']);

/** Returns the previous thumbnails of a video in the trash. */
export async function historyThumbnailsOf(tx: Tx, trashNumber: number): Promise<string[]> {
  const names: string[] = [];
  for await (const rows of keptRows(tx, trashNumber, 'metadataHistory'))
    for (const { field, value } of rows) if (field === 'thumbnail') names.push(String(value));
  return names;
}

/** Restores an entry of a custom playlist: at its former position if that is free, otherwise at the end. */
async function putInPlace(tx: Tx, row: PlainRow): Promise<void> {
  const playlistId = String(row['playlistId']);
  const entries = () => tx.selectFrom('playlistEntry').where('playlistId', '=', playlistId);
  const list = await tx.selectFrom('playlist').select('kind').where('id', '=', playlistId).executeTakeFirst();
  if (list?.kind !== 'custom') return; // the playlist was deleted
  const taken = await entries().select('videoId').where('position', '=', Number(row['position'])).executeTakeFirst();
  const last = await entries()
    .select((e) => e.fn.max<number | null>('position').as('position'))
    .executeTakeFirst();
  await insertExactly(tx, 'playlistEntry', [taken ? { ...row, position: (last?.position ?? -1) + 1 } : row]);
}

/** Gives a video the archived rows of a file that it had before, instead of those of its present one. */
export async function restoreFileRows(tx: Tx, trashNumber: number, videoId: string): Promise<void> {
  const row = await onlyRow(tx, trashNumber, 'video');
  const { sizeBytes, sha256, mediaPath, width, height, durationSeconds, verifiedAt, damage } =
    row as unknown as Selectable<VideoTable>;
  const limitation = parseLimitation((row['limitation'] ?? null) as string | null);
  const present = await tx.selectFrom('video').select('upgradeLog').where('id', '=', videoId).executeTakeFirst();
  const log = withoutAttempts(parseUpgradeLog(present?.upgradeLog ?? null));
  const file = { sizeBytes, sha256, mediaPath, width, height, durationSeconds, verifiedAt, damage };
  await tx
    .updateTable('video')
    // A user prefers this file, so it is not downloaded again automatically.
    .set({
      ...file,
      limitation: limitation && JSON.stringify({ ...limitation, tries: maxTries }),
      upgrade: null,
      upgradeLog: JSON.stringify(log),
    })
    .where('id', '=', videoId)
    .execute();
  await dropOtherCopy(tx, videoId, durationSeconds);
  await tx.deleteFrom('stream').where('videoId', '=', videoId).execute();
  for await (const rows of keptRows(tx, trashNumber, 'stream')) await insertExactly(tx, 'stream', rows);
}

const withoutNumber = (row: PlainRow): PlainRow => {
  const { number: _, ...others } = row;
  return others;
};

/** Restores the rows of a video, except rows of deleted users or playlists. */
export async function restoreRows(
  tx: Tx,
  trashNumber: number,
  changes: { damage?: string; isProtected?: 1 } = {},
): Promise<void> {
  const [video, channel] = [await onlyRow(tx, trashNumber, 'video'), await onlyRow(tx, trashNumber, 'channel')];
  const known = await tx.selectFrom('channel').select('id').where('id', '=', String(channel['id'])).executeTakeFirst();
  if (!known) await insertExactly(tx, 'channel', [channel]);
  await insertExactly(tx, 'video', [{ ...video, ...changes }]);
  const people = new Set((await tx.selectFrom('account').select('id').execute()).map(({ id }) => id));
  for (const table of tablesOfVideo)
    for await (const rows of keptRows(tx, trashNumber, table)) {
      const known = rows.filter((row) => !('accountId' in row) || people.has(Number(row['accountId'])));
      // After the restore of a backup, other clips may have their numbers.
      await insertExactly(tx, table, table === 'clip' ? known.map(withoutNumber) : known);
    }
  for await (const rows of keptRows(tx, trashNumber, 'playlistEntry')) for (const row of rows) await putInPlace(tx, row);
}
