import { extname, join } from 'node:path';
import type { Archive } from '../archive.ts';
import { inTransaction } from '../db/db.ts';
import { whatLacks } from '../download/room-left.ts';
import { keepFiles, letGo, removePending } from '../library/removal.ts';
import { whyNotBelieved } from '../library/media-marker.ts';
import { swapPath } from '../library/swap.ts';
import { lookInside } from '../media/inside.ts';
import { probe } from '../media/probe.ts';
import { fitsMp4, remuxToMp4 } from '../media/remux.ts';
import { fingerprint, removeFile, shelveFiles, syncFile } from '../media/shelf.ts';
import { dropRenditions } from '../rendition/keep.ts';
import type { Work } from '../task/task.ts';

/** What packs files anew; throws a sentence for people where it, or the disk with the files, is not there. */
export async function canPack(archive: Archive) {
  const why = await whyNotBelieved(archive);
  if (why) throw new Error(why);
  if (!archive.tools.ffmpeg) throw new Error('ffmpeg is not there.');
  return archive.tools.ffmpeg;
}

/**
 * Packs the file of a video anew as MP4, which more browsers open. The new file is put on the shelf beside the old one; then
 * the row names it, and only then the old one goes. May be done again from any point. Answers what came of it.
 */
export async function packAnew(
  archive: Archive,
  id: string,
  { signal, report }: Pick<Work<unknown>, 'signal' | 'report'>,
): Promise<string> {
  const { db, config } = archive;
  const ffmpeg = await canPack(archive);
  const video = await db.selectFrom('video').select(['title', 'mediaPath', 'sizeBytes']).where('id', '=', id).executeTakeFirst();
  if (!video) return 'The video is not in the archive any more.';
  if (extname(video.mediaPath).toLowerCase() === '.mp4') return `“${video.title}” is an MP4 already.`;
  report({ messages: [`Packing anew: ${video.title}`] });
  const source = join(config.mediaFolder, video.mediaPath);
  const mediaPath = `${video.mediaPath.slice(0, -extname(video.mediaPath).length)}.mp4`;
  const taken = await db.selectFrom('video').select('id').where('mediaPath', '=', mediaPath).executeTakeFirst();
  if (taken) throw new Error('Another video has a file of that name.');

  const lacks = await whatLacks(archive, config.mediaFolder, video.sizeBytes);
  if (lacks) throw new Error(`There is no room for the new file beside the old one: ${lacks}`);

  const target = swapPath(archive, id, '.mp4');
  await removeFile(target);
  try {
    const found = await probe(ffmpeg, source, signal);
    const inside = await lookInside(ffmpeg, source, signal);
    if (!fitsMp4(found, inside, []))
      throw new Error('What is in the file cannot stand in an MP4 without being encoded anew, so it was left as it is.');
    const made = await remuxToMp4(ffmpeg, { source, target, found, inside }, signal);
    await syncFile(target);
    const sums = await fingerprint(target, signal);
    await shelveFiles([{ from: target, to: join(config.mediaFolder, mediaPath), ...sums }], { replaces: true });
    const gone = await inTransaction(db, async (tx) => {
      const change = { mediaPath, ...sums, damage: null };
      const row = await tx.updateTable('video').set(change).where('id', '=', id).returning('id').executeTakeFirst();
      // Deleted meanwhile: then it is the new file that nobody wants.
      const leaves = row ? video.mediaPath : mediaPath;
      if (row) {
        await keepFiles(tx, [mediaPath]);
        await tx.deleteFrom('stream').where('videoId', '=', id).execute();
        for (const { index, type, codec, bitrate, width = null, height = null } of made.streams)
          await tx.insertInto('stream').values({ videoId: id, position: index, type, codec, bitrate, width, height }).execute();
      }
      await letGo(tx, [leaves]);
      return leaves;
    });
    await removePending(archive, [gone]);
    await dropRenditions(archive, id);
  } finally {
    await removeFile(target);
  }
  archive.announce('video');
  return `“${video.title}” is an MP4 now.`;
}
