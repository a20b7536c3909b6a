import type { RestoreCounts } from '#contract/backup.ts';
import type { Db } from '../../../platform/db/db.ts';
import { openSqliteReadOnly } from '../../../platform/db/sqlite/sqlite.ts';
import { detectFormat, tubearchivistName } from '../files/detect-format.ts';
import { readManifest } from '../files/manifest.ts';
import { openZip, type ZipFile } from '../../../platform/files/zip.ts';

const newline = 0x0a;

/** Counts what the archive contains now. */
export async function countContents(db: Db): Promise<RestoreCounts> {
  const countOf = async (table: 'video' | 'channel' | 'playlist' | 'account') => {
    const row = await db
      .selectFrom(table)
      .select((e) => e.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    return Number(row.count);
  };
  const [videos, channels, playlists, users] = [
    await countOf('video'),
    await countOf('channel'),
    await countOf('playlist'),
    await countOf('account'),
  ];
  return { videos, channels, playlists, users };
}

/** Counts the contents of a snapshot file. */
export async function countSnapshot(path: string): Promise<RestoreCounts> {
  const db = openSqliteReadOnly(path);
  try {
    return await countContents(db);
  } finally {
    await db.destroy();
  }
}

/** Counts the documents of an index in a TubeArchivist backup: two lines each. */
async function countDocuments({ entries }: ZipFile, index: string, signal: AbortSignal): Promise<number> {
  let lines = 0;
  for (const [name, entry] of entries) {
    if (tubearchivistName.exec(name)?.[1] !== index) continue;
    let last = newline;
    for await (const piece of entry.read(signal)) {
      for (let at = piece.indexOf(newline); at >= 0; at = piece.indexOf(newline, at + 1)) lines++;
      last = piece.at(-1) ?? last;
    }
    if (last !== newline) lines++;
  }
  return Math.floor(lines / 2);
}

/**
 * Counts the contents of a backup. TubeArchivist's have no users.
 * @throws InvalidBackupError
 */
export async function countBackup(path: string, signal: AbortSignal): Promise<RestoreCounts> {
  const zip = await openZip(path);
  try {
    if (detectFormat(zip) === 'ours') {
      const { tables } = await readManifest(zip);
      const rowsOf = (table: string) => tables[table]?.rows ?? 0;
      return { videos: rowsOf('video'), channels: rowsOf('channel'), playlists: rowsOf('playlist'), users: rowsOf('account') };
    }
    return {
      videos: await countDocuments(zip, 'video', signal),
      channels: await countDocuments(zip, 'channel', signal),
      playlists: await countDocuments(zip, 'playlist', signal),
      users: null,
    };
  } finally {
    zip.close();
  }
}
