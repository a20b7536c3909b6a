import { rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Archive } from '../archive.ts';
import { inTransaction } from '../db/db.ts';
import { notFound } from '../http/problem.ts';
import { removeFile } from '../media/shelf.ts';
import { forgetChannels } from '../bin/go-for-good.ts';
import { playlistArtPath } from '../playlist/artwork.ts';
import { deleteIfThere } from '../video/delete-video.ts';
import { findChannel } from './store.ts';

/** Deletes a channel, its videos with their files, and its playlists. What waits in the queue stays, and strange files too. */
export async function deleteChannel(archive: Archive, id: string, { by }: { by: string }): Promise<void> {
  const { db, config, announce } = archive;
  if (!(await findChannel(db, id))) throw notFound('channel');
  // Nothing new of it comes in meanwhile.
  await db.updateTable('channel').set({ isSubscribed: 0 }).where('id', '=', id).execute();
  for (;;) {
    const videos = await db.selectFrom('video').select('id').where('channelId', '=', id).limit(100).execute();
    if (videos.length === 0) break;
    for (const video of videos) await deleteIfThere(archive, video.id, { by });
  }
  const lists = await db.selectFrom('playlist').select('id').where('channelId', '=', id).where('kind', '=', 'regular').execute();
  await inTransaction(db, async (tx) => {
    await tx.deleteFrom('playlist').where('channelId', '=', id).where('kind', '=', 'regular').execute();
    await tx.deleteFrom('listed').where('channelId', '=', id).execute();
    await tx.deleteFrom('channel').where('id', '=', id).execute();
  });
  await forgetChannels(archive, [id]);
  for (const list of lists) await removeFile(join(config.cacheFolder, playlistArtPath(list.id)));
  // Only when nothing is left in it: a file that we did not put there is not ours to delete.
  await rmdir(join(config.mediaFolder, id)).catch(() => undefined);
  announce('channel', 'video', 'playlist');
}
