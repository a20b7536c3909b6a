import { readdir, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import type { Archive } from '../archive.ts';
import { whyNotBelieved } from '../library/media-marker.ts';
import { missingFile } from '../library/missing-file.ts';
import { moveFiles } from '../media/move.ts';
import { binFolder, exists } from '../media/shelf.ts';
import { currentSettings } from '../settings/read.ts';
import { removeEmpty, settleFiles, strangeFolders } from './files.ts';
import { goForGood } from './go-for-good.ts';
import { countRest, restedFor } from './rest.ts';

/** Where a file that the bin does not know belongs: to a video, or beside it, that has no file there now. */
async function homeOf({ db }: Archive, path: string): Promise<string | null> {
  const name = basename(path);
  const endsSo = (one: string) => one === name || one.endsWith(`/${name}`);
  const id = name.slice(0, -extname(name).length);
  const video = await db.selectFrom('video').select(['mediaPath', 'sizeBytes']).where('id', '=', id).executeTakeFirst();
  if (video && endsSo(video.mediaPath)) return (await stat(path)).size === video.sizeBytes ? video.mediaPath : null;
  const [, beside] = /^(.+?)(?:\.info\.json|\.[A-Za-z]{2,3}(?:-[A-Za-z0-9]+)*\.vtt)$/.exec(name) ?? [];
  if (!beside) return null;
  const row = await db.selectFrom('video').select('mediaPath').where('id', '=', beside).executeTakeFirst();
  return row ? row.mediaPath.slice(0, -extname(row.mediaPath).length) + name.slice(beside.length) : null;
}

/**
 * What rests in the bin's folder and the bin does not know: after going back to a backup its videos may be in the archive
 * again, and miss these very files. They are put where they belong when nothing stands there; nothing is removed.
 */
export async function bringHome(archive: Archive): Promise<void> {
  const root = archive.config.mediaFolder;
  for await (const folder of strangeFolders(archive)) {
    const names = await readdir(join(binFolder(root), folder)).catch(() => []);
    for (const name of names) {
      const isGoing = await archive.db
        .selectFrom('removal')
        .select('path')
        .where('path', '=', `.bin/${folder}/${name}`)
        .executeTakeFirst();
      const from = join(binFolder(root), folder, name);
      const home = isGoing ? null : await homeOf(archive, from);
      if (home === null || (await exists(join(root, home)))) continue;
      const [became] = await moveFiles([{ from, to: join(root, home) }]);
      if (became !== 'moved') continue;
      await archive.db
        .updateTable('video')
        .set({ damage: null })
        .where('mediaPath', '=', home)
        .where('damage', '=', missingFile)
        .execute();
      archive.log.info({ path: home }, 'a file that its video missed was found in the folder of the bin');
    }
    await removeEmpty(archive, folder);
  }
}

/** Looks after the bin: what could not be moved is tried again, what has rested for long enough goes for good. */
export async function keepBin(archive: Archive, steadySeconds?: number): Promise<void> {
  await archive.recovered;
  await countRest(archive, steadySeconds);
  await settleFiles(archive);
  if (await whyNotBelieved(archive)) return; // nothing goes while its disk is away
  await bringHome(archive);
  const { days } = (await currentSettings(archive)).bin;
  await goForGood(
    archive,
    (await restedFor(archive, days)).map(({ number }) => number),
  );
}
