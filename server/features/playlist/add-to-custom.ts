import type { AppContext } from '../../platform/context/app-context.ts';
import { chunks, inTransaction } from '../../platform/db/db.ts';
import { updateCustomArtwork } from '../../archive/playlist/artwork.ts';
import type { Viewer } from '../../platform/db/schema/playlist-access.ts';
import { customPlaylist } from './custom.ts';

/** Appends videos to a custom playlist in this order. Returns the number of videos that were not in it before. */
export async function addToCustom(app: AppContext, user: Viewer, playlistId: string, ids: string[]): Promise<number> {
  const { db, now, announce } = app;
  const playlist = await customPlaylist(db, user, playlistId);
  const added = await inTransaction(db, async (tx) => {
    const entries = await tx
      .selectFrom('playlistEntry')
      .select(['videoId', 'position'])
      .where('playlistId', '=', playlistId)
      .execute();
    const known = new Set(entries.map(({ videoId }) => videoId));
    let position = Math.max(-1, ...entries.map((entry) => entry.position));
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
        if (!row) return [];
        return [{ playlistId, videoId, position: ++position, title: row.title, uploader: row.name, addedOrder: now() }];
      });
      if (entries.length > 0) await tx.insertInto('playlistEntry').values(entries).execute();
      count += entries.length;
    }
    return count;
  });
  if (playlist.hasThumb === 0) await updateCustomArtwork(app, [playlistId]);
  announce('playlist', 'video');
  return added;
}
