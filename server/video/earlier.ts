import { copyFile, mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Archive } from '../archive.ts';
import type { Tx } from '../db/db.ts';
import { exists, fingerprint, removeFile } from '../media/shelf.ts';
import { thumbnailPath } from './thumbnail-path.ts';

// What a video was called, said of itself and looked like before its site changed it. Pictures stand in the data folder: they
// cannot be had again, as those of the cache can.

const nameOf = (videoId: string, until: number) => `${videoId}-${until}.jpg`;
export const earlierFolder = ({ config }: Pick<Archive, 'config'>) => join(config.dataFolder, 'earlier');
export const earlierUrl = (name: string) => `/cache/earlier/${name}`;

/** Keeps the title and the description that a video had, where they are about to change. */
export async function keepEarlierWords(
  tx: Tx,
  { id, title, description }: { id: string; title: string; description: string | null },
  now: number,
): Promise<void> {
  const before = await tx.selectFrom('video').select(['title', 'description']).where('id', '=', id).executeTakeFirst();
  if (!before) return;
  const changed = [
    ...(before.title !== title ? [{ what: 'title' as const, value: before.title }] : []),
    ...(before.description && before.description !== description
      ? [{ what: 'description' as const, value: before.description }]
      : []),
  ];
  for (const one of changed)
    await tx
      .insertInto('earlier')
      .values({ videoId: id, until: now, ...one })
      .onConflict((c) => c.doNothing())
      .execute();
}

/** Puts a new thumbnail in place of the one that is there, and keeps that one when it looked different. */
export async function replaceThumbnail(archive: Archive, videoId: string, made: string): Promise<void> {
  const { db, config, now } = archive;
  const target = join(config.cacheFolder, thumbnailPath(videoId));
  if (await exists(target)) {
    const [before, after] = await Promise.all([fingerprint(target), fingerprint(made)]);
    if (before.sha256 === after.sha256) return removeFile(made);
    const name = nameOf(videoId, now());
    await mkdir(earlierFolder(archive), { recursive: true });
    await copyFile(target, join(earlierFolder(archive), name));
    await db
      .insertInto('earlier')
      .values({ videoId, what: 'thumbnail', until: now(), value: name })
      .onConflict((c) => c.doNothing())
      .execute();
  }
  await rename(made, target);
}

/** The pictures that go with a video when it is deleted. */
export const earlierPictures = async (tx: Tx, videoId: string) =>
  (await tx.selectFrom('earlier').select('value').where('videoId', '=', videoId).where('what', '=', 'thumbnail').execute()).map(
    ({ value }) => value,
  );
