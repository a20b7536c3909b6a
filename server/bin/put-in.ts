import { randomBytes } from 'node:crypto';
import type { Tx } from '../db/db.ts';
import { listFiles } from './files.ts';
import { keepRows } from './rows.ts';

/** Who or what deleted a video. */
export interface DeletedBy {
  /** A person's name; null when a rule did it. */
  by: string | null;
  /** What the rule said. */
  why: string | null;
}

/**
 * Puts a video into the bin, in the transaction in which its rows go: what it was is written down, and which files are to be
 * moved. Answers the folder that they go to.
 */
export async function putInBin(
  tx: Tx,
  videoId: string,
  { by, why, now, files, madeIgnored }: DeletedBy & { now: number; files: string[]; madeIgnored: boolean },
): Promise<string> {
  const video = await tx
    .selectFrom('video')
    .innerJoin('channel', 'channel.id', 'video.channelId')
    .select(['video.title', 'video.sizeBytes', 'video.channelId', 'channel.name as channelName'])
    .where('video.id', '=', videoId)
    .executeTakeFirstOrThrow();
  // Never a name that was given before, also not by an archive that was gone back from.
  const folder = randomBytes(9).toString('hex');
  const { number } = await tx
    .insertInto('bin')
    .values({
      ...video,
      videoId,
      deletedAt: now,
      deletedBy: by,
      why,
      madeIgnored: madeIgnored ? 1 : 0,
      folder,
      restedSeconds: 0,
      lookedAt: now,
    })
    .returning('number')
    .executeTakeFirstOrThrow();
  await keepRows(tx, number, videoId);
  await listFiles(tx, folder, files);
  return folder;
}
