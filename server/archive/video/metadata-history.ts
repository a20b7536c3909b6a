import { copyFile, mkdir, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { AppContext } from '../../platform/context/app-context.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import { fingerprint, removeFile } from '../../platform/files/files.ts';
import { thumbnailPath } from '../storage/thumbnail-path.ts';
import { localPathOrNull } from '../../platform/storage/file-store.ts';
import { inCache, inHistory, resolveStoredPath } from '../../platform/storage/stored-path.ts';

// Titles, descriptions and thumbnails before a site changed them. Thumbnails are in the data folder, because unlike files of the
// cache they cannot be downloaded again.

const nameOf = (videoId: string, replacedAt: number) => `${videoId}-${replacedAt}.jpg`;
export const historyUrl = (name: string) => `/cache/history/${name}`;

/** Saves the current title and description of a video to the history if they will change. */
export async function saveTextHistory(
  tx: Tx,
  { id, title, description }: { id: string; title: string; description: string | null },
  now: number,
): Promise<void> {
  const before = await tx.selectFrom('video').select(['title', 'description']).where('id', '=', id).executeTakeFirst();
  if (!before) return;
  const changes = [
    ...(before.title !== title ? [{ field: 'title' as const, value: before.title }] : []),
    ...(before.description && before.description !== description
      ? [{ field: 'description' as const, value: before.description }]
      : []),
  ];
  for (const entry of changes)
    await tx
      .insertInto('metadataHistory')
      .values({ videoId: id, replacedAt: now, ...entry })
      .onConflict((c) => c.doNothing())
      .execute();
}

/** Replaces a thumbnail. If the old one differs, it is saved to the history. */
export async function replaceThumbnail(app: AppContext, videoId: string, newFile: string): Promise<void> {
  const { db, files, now } = app;
  const path = inCache(thumbnailPath(videoId));
  const old = await localPathOrNull(files, path);
  if (old) {
    const [before, after] = await Promise.all([fingerprint(old), fingerprint(newFile)]);
    if (before.sha256 === after.sha256) return removeFile(newFile);
    const name = nameOf(videoId, now());
    const earlier = resolveStoredPath(app, inHistory(name));
    await mkdir(dirname(earlier), { recursive: true });
    await copyFile(old, earlier);
    await files.save(inHistory(name));
    await db
      .insertInto('metadataHistory')
      .values({ videoId, field: 'thumbnail', replacedAt: now(), value: name })
      .onConflict((c) => c.doNothing())
      .execute();
  }
  await rename(newFile, resolveStoredPath(app, path));
  await files.save(path);
}

/** Returns the earlier values of a video, latest first. */
export const listHistory = (db: Db, videoId: string) =>
  db
    .selectFrom('metadataHistory')
    .select(['field', 'replacedAt', 'value'])
    .where('videoId', '=', videoId)
    .orderBy('replacedAt', 'desc')
    .orderBy('field')
    .execute();

/** Returns the earlier thumbnails of a video, to delete them with it. */
export const historyThumbnails = async (tx: Tx, videoId: string) =>
  (
    await tx
      .selectFrom('metadataHistory')
      .select('value')
      .where('videoId', '=', videoId)
      .where('field', '=', 'thumbnail')
      .execute()
  ).map(({ value }) => value);
