import { messagesOf } from '../../../platform/messages/message-error.ts';
import { message, messages } from '#contract/messages.ts';
import { stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { z } from 'zod';
import type { AppContext } from '../../../platform/context/app-context.ts';
import { filesMovingToTrash } from '../../../archive/storage/trash-files.ts';
import { inTransaction, pagesById } from '../../../platform/db/db.ts';
import { batchesOf } from '../../../platform/lib/batch.ts';
import { exists } from '../../../platform/files/files.ts';
import { MessageError } from '../../../platform/messages/message-error.ts';
import { parseMessages, storeMessages } from '../../../platform/messages/stored.ts';
import { defineTask, type TaskWork } from '../../../platform/context/task.ts';
import { registerFile, idInFileName } from './register-file.ts';
import { whyMediaUnavailable } from '../../../archive/storage/mount-check.ts';
import { isMissingFile } from '../../../archive/video/store.ts';
import { findUnknownObjects, noObjects, sizeOfObject, type MediaObjects } from '../../../archive/storage/media-objects.ts';
import { StorageError } from '../../../platform/storage/file-store.ts';
import { chatEnding } from '../../../archive/chat/store.ts';
import { thumbnailCheck } from './thumbnail-check.ts';
import { walkMedia } from '../../../archive/storage/walk.ts';

const Input = z.object({
  ignore_error: z.boolean().default(false),
  /** Prefers local metadata over that of the site. */
  prefer_local: z.boolean().default(false),
  dry_run: z.boolean().default(false),
});
export type RescanInput = z.infer<typeof Input>;

interface Counts {
  seen: number;
  moved: number;
  adopted: number;
  /** Objects of a bucket that belong to no video. */
  unknown: number;
  missing: number;
  changed: number;
}
interface Round {
  app: AppContext;
  work: TaskWork<RescanInput>;
  counts: Counts;
  /** New paths of moved files by video id. In a dry run the rows still contain the old paths. */
  followed: Map<string, string>;
  /** Returns the size of a media file; null if it does not exist. @throws if that is unknown */
  sizeOf(path: string): Promise<number | null>;
}

const batchSize = 500;
const atOnce = 32; // disks handle some requests in parallel; a hundred are not faster

/** Runs a function for each item of a list, `atOnce` at a time. */
async function eachOf<T>(list: T[], what: (one: T) => Promise<void>) {
  for (let from = 0; from < list.length; from += atOnce) await Promise.all(list.slice(from, from + atOnce).map(what));
}

const stemOf = (path: string) => path.slice(0, -extname(path).length);
/**
 * Returns the size of a file; null if it does not exist.
 * @throws if that is unknown: no permission, or the disk does not respond.
 */
const sizeOnDisk = (path: string) =>
  stat(path).then(
    ({ size }) => size,
    (error: unknown) => {
      if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
      throw error;
    },
  );

/** Updates the row of a file that was moved manually, and of the subtitles and the chat that moved with it. */
async function follow({ app, work, counts, followed }: Round, id: string, { from, to }: { from: string; to: string }) {
  counts.moved++;
  followed.set(id, to);
  work.skip(basename(to), message('files.moved', { from, to }));
  if (work.input.dry_run) return;
  const { db, config } = app;
  await inTransaction(db, async (tx) => {
    await tx.updateTable('video').set({ mediaPath: to }).where('id', '=', id).execute();
    for (const { path, lang } of await tx.selectFrom('subtitle').select(['path', 'lang']).where('videoId', '=', id).execute()) {
      const expectedPath = `${stemOf(to)}.${lang}.vtt`;
      if (path !== expectedPath && (await exists(join(config.mediaFolder, expectedPath))))
        await tx.updateTable('subtitle').set({ path: expectedPath }).where('videoId', '=', id).where('lang', '=', lang).execute();
    }
    const chatPath = `${stemOf(to)}${chatEnding}`;
    if (await exists(join(config.mediaFolder, chatPath)))
      await tx
        .updateTable('chat')
        .set({ path: chatPath })
        .where('videoId', '=', id)
        .where('path', '=', `${stemOf(from)}${chatEnding}`)
        .execute();
  });
}

/** Handles a file without a row: a known video that moved, a second copy, or a new video. */
async function placeStranger(round: Round, path: string) {
  const { app, work, counts, followed } = round;
  const { db, config } = app;
  const id = idInFileName(path) ?? basename(stemOf(path)); // for other sites the id is the whole name
  const video = await db.selectFrom('video').select(['id', 'mediaPath']).where('id', '=', id).executeTakeFirst();
  if (video) {
    const first = followed.get(id) ?? ((await exists(join(config.mediaFolder, video.mediaPath))) ? video.mediaPath : null);
    if (first !== null) return work.skip(path, message('files.duplicate', { path: first }));
    return follow(round, id, { from: video.mediaPath, to: path });
  }
  if (work.input.dry_run) {
    counts.adopted++;
    return work.skip(path, message('files.unknown'));
  }
  await registerFile(app, path, { preferLocal: work.input.prefer_local, work });
  counts.adopted++;
}

/** Registers a subtitle file that was added next to an archived video. */
async function addSubtitle({ app, work }: Round, path: string) {
  const [, stem, lang] = /^(.*)\.([A-Za-z]{2,3}(?:-[A-Za-z0-9]+)*)\.vtt$/.exec(path) ?? [];
  if (!stem || !lang || work.input.dry_run) return;
  const video = await app.db.selectFrom('video').select('id').where('id', '=', basename(stem)).executeTakeFirst();
  if (!video) return;
  await app.db
    .insertInto('subtitle')
    .values({ videoId: video.id, lang, source: 'file', name: lang, path })
    .onConflict((c) => c.doNothing())
    .execute();
}

/** Scans the disk for files without a row. */
async function fromDisk(round: Round) {
  const { app, work, counts } = round;
  const { db, config } = app;
  for await (const batch of batchesOf(walkMedia(config.mediaFolder), batchSize)) {
    work.signal.throwIfAborted();
    for (const found of batch)
      if (found.what === 'unread') work.skip(found.path, message('files.folder-unreadable', { why: found.code }));
    const files = batch.filter(({ what }) => what === 'media' || what === 'subtitle');
    counts.seen += files.length;
    work.report({ messages: [message('files.scanning'), message('files.scanning-progress', { count: counts.seen })] });
    if (files.length === 0) continue;
    const paths = files.map(({ path }) => path);
    const videos = await db.selectFrom('video').select('mediaPath').where('mediaPath', 'in', paths).execute();
    const subtitles = await db.selectFrom('subtitle').select('path').where('path', 'in', paths).execute();
    const leaving = await filesMovingToTrash(app, paths); // deleted, but not yet moved
    const known = new Set([...videos.map((row) => row.mediaPath), ...subtitles.map((row) => row.path), ...leaving]);
    for (const { path, what } of files) {
      if (known.has(path)) continue;
      try {
        await (what === 'media' ? placeStranger(round, path) : addSubtitle(round, path));
      } catch (problem) {
        work.signal.throwIfAborted();
        work.skip(path, problem as Error);
      }
    }
  }
}

/** Whether the damage is disproved by a file of the right size. Databases of earlier versions contain English text. */
const isOutdated = (damage: string | null) =>
  isMissingFile(damage) ||
  (damage !== null && (damage.startsWith('The file has ') || parseMessages(damage).some(({ id }) => id === 'files.size')));

/** Checks each row for a missing or changed file. Rows of missing files stay, because they hold users' data. */
async function fromRows({ app, work, counts, followed, sizeOf }: Round) {
  const { db } = app;
  const next = (after: string) =>
    db
      .selectFrom('video')
      .select(['id', 'title', 'mediaPath', 'sizeBytes', 'sha256', 'damage'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(batchSize)
      .execute();
  for await (const page of pagesById(next)) {
    work.signal.throwIfAborted();
    await eachOf(page, async ({ id, title, mediaPath, sizeBytes, sha256, damage }) => {
      let size;
      try {
        size = await sizeOf(followed.get(id) ?? mediaPath);
      } catch (error) {
        if (error instanceof StorageError) throw error;
        return work.skip(title, message('files.unreadable', { why: (error as NodeJS.ErrnoException).code ?? messagesOf(error) }));
      }
      // An imported video whose file was never here gets the size of the first file found.
      const isFirst = sha256 === '' && isMissingFile(damage);
      const found =
        size === null
          ? message('files.missing')
          : size === sizeBytes || isFirst
            ? null
            : message('files.size', { bytes: size, before: sizeBytes });
      if (size === null) counts.missing++;
      else if (found) counts.changed++;
      if (found) work.skip(title, found);
      // Damage found by reading the whole file is kept even if the size is right.
      const newDamage = found ? storeMessages(found) : isOutdated(damage) ? null : damage;
      if (newDamage !== damage && !work.input.dry_run)
        await db
          .updateTable('video')
          .set({ damage: newDamage, sizeBytes: (isFirst && size) || sizeBytes })
          .where('id', '=', id)
          .execute();
    });
  }
}

/** Lists the bucket and reports the objects that no row names. They may be anything, so they are not added to the archive. */
async function fromBucket({ app, work, counts }: Round, objects: MediaObjects) {
  for await (const path of findUnknownObjects(app, objects, work.signal)) {
    counts.unknown++;
    work.skip(path, message('files.unknown-object'));
    work.report({
      messages: [message('files.scanning'), message('files.scanning-progress', { count: objects.sizes.size + counts.unknown })],
    });
  }
  counts.seen = objects.sizes.size + counts.unknown;
}

/** Compares the archive with the disk or the bucket: finds missing and changed files and, on a disk, moved and new ones. */
export const rescanFilesystem = defineTask<RescanInput>({
  name: 'rescan_filesystem',
  title: messages['task.rescan_filesystem'],
  group: 'setting:filesystemscan',
  isStartable: true,
  isStoppable: true,
  needs: ['ffmpeg'],
  input: Input,

  async run(work, app) {
    const why = await whyMediaUnavailable(app);
    if (why) throw new MessageError(why);
    const counts: Counts = { seen: 0, moved: 0, adopted: 0, unknown: 0, missing: 0, changed: 0 };
    const { files, config } = app;
    const objects = noObjects();
    const round: Round = {
      app,
      work,
      counts,
      followed: new Map(),
      sizeOf: (path) => (files.isRemote ? sizeOfObject(files, objects, path) : sizeOnDisk(join(config.mediaFolder, path))),
    };
    if (files.isRemote) await fromBucket(round, objects);
    else await fromDisk(round);
    await fromRows(round);
    app.announce('video', 'channel');
    if (!work.input.dry_run) await app.tasks.start(thumbnailCheck, {});
    if (files.isRemote) return message('files.rescanned-bucket', { ...counts });
    return message(work.input.dry_run ? 'files.rescanned-dry' : 'files.rescanned', { ...counts });
  },
});
