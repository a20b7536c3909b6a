import { message } from '#contract/messages.ts';
import { createReadStream, createWriteStream } from 'node:fs';
import { link } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ProcessError } from '../../../platform/process/run.ts';
import { freeSpaceIn, whyBucketFull } from '../../../archive/storage/disk-space.ts';
import { gigabyte } from '../../../platform/files/free-space.ts';
import type { ContainerMetadata } from '../../../platform/media/container-metadata.ts';
import { IncompleteFileError, type Probe } from '../../../platform/media/probe.ts';
import { fitsMp4, remuxToMp4 } from '../../../platform/media/remux.ts';
import { removeFile } from '../../../platform/files/files.ts';
import { infoAttachments } from './sidecars.ts';
import { NoSpaceError, type ImportContext } from './context.ts';

/** Throws NoSpaceError if `bytes` more do not fit into the bucket. */
async function needBucketSpace({ app }: ImportContext, bytes: number) {
  const why = await whyBucketFull(app, bytes);
  if (why) throw new NoSpaceError(why);
}

/** Throws NoSpaceError if `bytes` more would use the reserved free space. */
async function needRoom({ app }: ImportContext, bytes: number) {
  const { free, reserve } = await freeSpaceIn(app, app.config.mediaFolder);
  if (free - bytes < reserve)
    throw new NoSpaceError(message('import.no-space', { folder: app.config.mediaFolder, reserve: reserve / gigabyte }));
}

// Another file system, no support for hard links, or a file of another user that may be read but not linked.
const noLink = new Set(['EXDEV', 'EPERM', 'EACCES', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EROFS']);

/** Creates a hard link, which needs no space, or else copies the file. The original stays unchanged. */
async function linkOrCopy(
  importing: ImportContext,
  source: string,
  { target, sizeBytes }: { target: string; sizeBytes: number },
) {
  try {
    await link(source, target);
  } catch (error) {
    if (!noLink.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    await needRoom(importing, sizeBytes);
    // `copyFile` cannot be aborted.
    await pipeline(createReadStream(source), createWriteStream(target, { flags: 'wx' }), { signal: importing.work.signal });
  }
}

/**
 * Places a media file in the work folder and returns its name. MKV is remuxed to MP4 if no re-encoding is needed, because not
 * every browser plays MKV; other formats stay unchanged.
 */
export async function placeMedia(
  importing: ImportContext,
  { source, found, inside }: { source: string; found: Probe; inside: ContainerMetadata },
  folder: string,
): Promise<{ file: string; found: Probe }> {
  const { ffmpeg, work, app } = importing;
  const ending = extname(source).toLowerCase();
  await needBucketSpace(importing, found.sizeBytes);
  if (ending === '.mkv' && fitsMp4(found, inside, infoAttachments(inside))) {
    const target = join(folder, 'media.mp4');
    await needRoom(importing, found.sizeBytes * 2); // moving the index to the front writes the file a second time
    try {
      return { file: 'media.mp4', found: await remuxToMp4(ffmpeg, { source, target, found, inside }, work.signal) };
    } catch (problem) {
      work.signal.throwIfAborted();
      if (!(problem instanceof ProcessError) && !(problem instanceof IncompleteFileError)) throw problem;
      app.log.info({ source, err: problem }, 'cannot remux to MP4; keeping the MKV file');
      await removeFile(target);
    }
  }
  const file = `media${ending === '.m4v' ? '.mp4' : ending}`; // the same format under an extension that every browser knows
  await linkOrCopy(importing, source, { target: join(folder, file), sizeBytes: found.sizeBytes });
  return { file, found };
}
