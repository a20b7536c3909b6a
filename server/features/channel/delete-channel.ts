import { rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { AppContext } from '../../platform/context/app-context.ts';
import { inTransaction } from '../../platform/db/db.ts';
import { notFound } from '../../platform/http/http-error.ts';
import { deleteUnusedChannels } from '../trash/purge.ts';
import { playlistArtPath } from '../../archive/playlist/artwork.ts';
import { removeImages } from '../../archive/storage/remove-images.ts';
import { deleteIfExists } from '../trash/delete-video.ts';
import { findChannel, setSubscribed } from '../../archive/channel/store.ts';

/** Deletes a channel, its videos with their files, and its playlists. Queue items and files of unknown origin are kept. */
export async function deleteChannel(app: AppContext, id: string, { by }: { by: string }): Promise<void> {
  const { db, config, announce } = app;
  if (!(await findChannel(db, id))) throw notFound('error.channel');
  // Unsubscribing first keeps scans from adding videos during the deletion.
  await setSubscribed(db, id, false);
  for (;;) {
    const videos = await db.selectFrom('video').select('id').where('channelId', '=', id).limit(100).execute();
    if (videos.length === 0) break;
    for (const video of videos) await deleteIfExists(app, video.id, { by });
  }
  const lists = await db.selectFrom('playlist').select('id').where('channelId', '=', id).where('kind', '=', 'regular').execute();
  await inTransaction(db, async (tx) => {
    await tx.deleteFrom('playlist').where('channelId', '=', id).where('kind', '=', 'regular').execute();
    await tx.deleteFrom('seenEntry').where('channelId', '=', id).execute();
    await tx.deleteFrom('channel').where('id', '=', id).execute();
  });
  await deleteUnusedChannels(app, [id]);
  await removeImages(
    app,
    lists.map((list) => playlistArtPath(list.id)),
  );
  // `rmdir` fails if the folder still contains files that Reelkeep did not create.
  await rmdir(join(config.mediaFolder, id)).catch(() => undefined);
  announce('channel', 'video', 'playlist');
}
