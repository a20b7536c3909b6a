import { createReadStream, createWriteStream } from 'node:fs';
import { link } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ChildFailed } from '../child/run.ts';
import { gigabyte, roomIn } from '../download/room-left.ts';
import type { Inside } from '../media/inside.ts';
import { Incomplete, type Probe } from '../media/probe.ts';
import { fitsMp4, remuxToMp4 } from '../media/remux.ts';
import { removeFile } from '../media/shelf.ts';
import { infoAttachments } from './import-local.ts';
import { NoRoom, type Importing } from './importing.ts';

/** Throws NoRoom when so many bytes more would take what is to stay free. */
async function needRoom({ archive }: Importing, bytes: number) {
  const { free, reserve } = await roomIn(archive, archive.config.mediaFolder);
  if (free - bytes < reserve)
    throw new NoRoom(
      `There is no room for a copy in ${archive.config.mediaFolder}: ${reserve / gigabyte} GB are to stay free (under Settings). Make room, then start the import again; it goes on where it ended.`,
    );
}

// Another file system, or one that knows no links, or a file of somebody else that may be read but not linked.
const noLink = new Set(['EXDEV', 'EPERM', 'EACCES', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EROFS']);

/** Gives a file a second name, which costs nothing; else copies it. The original stays as it is. */
async function linkOrCopy(importing: Importing, source: string, { target, sizeBytes }: { target: string; sizeBytes: number }) {
  try {
    await link(source, target);
  } catch (error) {
    if (!noLink.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    await needRoom(importing, sizeBytes);
    // Not copyFile: that would not hear a stop.
    await pipeline(createReadStream(source), createWriteStream(target, { flags: 'wx' }), { signal: importing.work.signal });
  }
}

/**
 * Brings a media file into the folder as it is to stand on the shelf; answers its name there. MKV becomes MP4 where that can
 * be without encoding anything anew, since not every browser plays MKV; everything else stays what it is.
 */
export async function placeMedia(
  importing: Importing,
  { source, found, inside }: { source: string; found: Probe; inside: Inside },
  folder: string,
): Promise<{ file: string; found: Probe }> {
  const { ffmpeg, work, archive } = importing;
  const ending = extname(source).toLowerCase();
  if (ending === '.mkv' && fitsMp4(found, inside, infoAttachments(inside))) {
    const target = join(folder, 'media.mp4');
    await needRoom(importing, found.sizeBytes * 2); // the index is moved to the front through a second writing
    try {
      return { file: 'media.mp4', found: await remuxToMp4(ffmpeg, { source, target, found, inside }, work.signal) };
    } catch (problem) {
      work.signal.throwIfAborted();
      if (!(problem instanceof ChildFailed) && !(problem instanceof Incomplete)) throw problem;
      archive.log.info({ source, err: problem }, 'it stays an MKV');
      await removeFile(target);
    }
  }
  const file = `media${ending === '.m4v' ? '.mp4' : ending}`; // the same by another name, which every browser knows
  await linkOrCopy(importing, source, { target: join(folder, file), sizeBytes: found.sizeBytes });
  return { file, found };
}
