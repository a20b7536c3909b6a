import { readdir, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import type { AppContext } from '../../platform/context/app-context.ts';
import { whyMediaUnavailable } from '../../archive/storage/mount-check.ts';
import { isMissingFile } from '../../archive/video/store.ts';
import { moveFiles } from '../../platform/files/move.ts';
import { trashFolder, exists } from '../../platform/files/files.ts';
import { readSettings } from '../../archive/settings/store.ts';
import { removeEmptyFolders, moveTrashFiles, unknownTrashFolders } from '../../archive/storage/trash-files.ts';
import { purge } from './purge.ts';
import { advanceRetentionClock, retainedFor } from './retention-clock.ts';

/** Returns the path that an unknown file in the trash folder belongs to, if a video expects one there and the path is free. */
async function homeOf({ db }: AppContext, path: string): Promise<string | null> {
  const name = basename(path);
  const endsSo = (one: string) => one === name || one.endsWith(`/${name}`);
  const id = name.slice(0, -extname(name).length);
  const video = await db.selectFrom('video').select(['mediaPath', 'sizeBytes']).where('id', '=', id).executeTakeFirst();
  if (video && endsSo(video.mediaPath)) return (await stat(path)).size === video.sizeBytes ? video.mediaPath : null;
  const [, sidecarOf] = /^(.+?)(?:\.info\.json|\.[A-Za-z]{2,3}(?:-[A-Za-z0-9]+)*\.vtt)$/.exec(name) ?? [];
  if (!sidecarOf) return null;
  const row = await db.selectFrom('video').select('mediaPath').where('id', '=', sidecarOf).executeTakeFirst();
  return row ? row.mediaPath.slice(0, -extname(row.mediaPath).length) + name.slice(sidecarOf.length) : null;
}

/**
 * Moves files in the trash folder that have no trash entry back to their videos: after a restored backup, the videos can be in
 * the library again without their files. Existing files are not overwritten, and nothing is removed.
 */
export async function moveReturnedFiles(app: AppContext): Promise<void> {
  const root = app.config.mediaFolder;
  for await (const folder of unknownTrashFolders(app)) {
    const names = await readdir(join(trashFolder(root), folder)).catch(() => []);
    for (const name of names) {
      const isGoing = await app.db
        .selectFrom('pendingDeletion')
        .select('path')
        .where('path', '=', `.trash/${folder}/${name}`)
        .executeTakeFirst();
      const from = join(trashFolder(root), folder, name);
      const home = isGoing ? null : await homeOf(app, from);
      if (home === null || (await exists(join(root, home)))) continue;
      const [became] = await moveFiles([{ from, to: join(root, home) }]);
      if (became !== 'moved') continue;
      const video = await app.db.selectFrom('video').select(['id', 'damage']).where('mediaPath', '=', home).executeTakeFirst();
      if (video && isMissingFile(video.damage))
        await app.db
          .updateTable('video')
          .set({ damage: null })
          .where('id', '=', video.id)
          .where('damage', '=', video.damage)
          .execute();
      app.log.info({ path: home }, 'restored a missing file from the trash folder');
    }
    await removeEmptyFolders(app, folder);
  }
}

/** Retries pending moves, and purges entries whose retention time has ended. */
export async function purgeExpired(app: AppContext, steadySeconds?: number): Promise<void> {
  await app.recovered;
  await advanceRetentionClock(app, steadySeconds);
  await moveTrashFiles(app);
  if (await whyMediaUnavailable(app)) return; // no purge while the media disk is unavailable
  await moveReturnedFiles(app);
  const { days } = (await readSettings(app.db)).trash;
  await purge(
    app,
    (await retainedFor(app, days)).map(({ number }) => number),
  );
}
