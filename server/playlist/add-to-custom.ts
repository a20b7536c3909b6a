import type { Archive } from '../archive.ts';
import { chunks, inTransaction } from '../db/db.ts';
import { lookLikeTheirFirst } from './artwork.ts';
import { customPlaylist } from './custom.ts';

/** Adds videos to the end of a playlist of somebody's own, in this order; answers how many were not in it before. */
export async function addToCustom(archive: Archive, playlistId: string, ids: string[]): Promise<number> {
  const { db, announce } = archive;
  const playlist = await customPlaylist(db, playlistId);
  const added = await inTransaction(db, async (tx) => {
    const there = await tx
      .selectFrom('playlistEntry')
      .select(['videoId', 'position'])
      .where('playlistId', '=', playlistId)
      .execute();
    const known = new Set(there.map(({ videoId }) => videoId));
    let position = Math.max(-1, ...there.map((entry) => entry.position));
    const wanted = ids.filter((id) => !known.has(id));
    let count = 0;
    for (const some of chunks(wanted, 500)) {
      const rows = await tx
        .selectFrom('video')
        .innerJoin('channel', 'channel.id', 'video.channelId')
        .select(['video.id', 'video.title', 'channel.name'])
        .where('video.id', 'in', some)
        .execute();
      const rowOf = new Map(rows.map((row) => [row.id, row]));
      const entries = some.flatMap((videoId) => {
        const row = rowOf.get(videoId);
        return row ? [{ playlistId, videoId, position: ++position, title: row.title, uploader: row.name }] : [];
      });
      if (entries.length > 0) await tx.insertInto('playlistEntry').values(entries).execute();
      count += entries.length;
    }
    return count;
  });
  if (playlist.hasThumb === 0) await lookLikeTheirFirst(archive, [playlistId]);
  announce('playlist', 'video');
  return added;
}
