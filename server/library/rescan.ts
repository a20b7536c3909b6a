import { stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { z } from 'zod';
import type { Archive } from '../archive.ts';
import { leavingOf } from '../bin/files.ts';
import { inTransaction, pagesById } from '../db/db.ts';
import { inBatches } from '../in-batches.ts';
import { exists } from '../media/shelf.ts';
import { defineTask, type Work } from '../task/task.ts';
import { adoptFile, idInName } from './adopt.ts';
import { whyNotBelieved } from './media-marker.ts';
import { missingFile } from './missing-file.ts';
import { thumbnailCheck } from './thumbnail-check.ts';
import { walkMedia } from './walk-media.ts';

const Input = z.object({
  ignore_error: z.boolean().default(false),
  /** What a file says of itself goes before what its site says. */
  prefer_local: z.boolean().default(false),
  dry_run: z.boolean().default(false),
});
export type RescanInput = z.infer<typeof Input>;

interface Counts {
  seen: number;
  moved: number;
  adopted: number;
  missing: number;
  changed: number;
}
interface Round {
  archive: Archive;
  work: Work<RescanInput>;
  counts: Counts;
  /** Those whose new place was found, and it: in a dry run their rows still name the old one. */
  followed: Map<string, string>;
}

const batchSize = 500;
const atOnce = 32; // a disk answers more than one question at a time, and a hundred not better

/** Does something with each of a list, some at once. */
async function eachOf<T>(list: T[], what: (one: T) => Promise<void>) {
  for (let from = 0; from < list.length; from += atOnce) await Promise.all(list.slice(from, from + atOnce).map(what));
}

const stemOf = (path: string) => path.slice(0, -extname(path).length);
/** How large a file is; null where none is. Throws where nobody can tell: the folder may not be read, or the disk does not answer. */
const sizeOf = (path: string) =>
  stat(path).then(
    ({ size }) => size,
    (error: unknown) => {
      if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
      throw error;
    },
  );

/** A file that was moved by hand: the row follows it, with the subtitles that moved along. */
async function follow({ archive, work, counts, followed }: Round, id: string, { from, to }: { from: string; to: string }) {
  counts.moved++;
  followed.set(id, to);
  work.skip(basename(to), `Moved from ${from} to ${to}; the archive follows.`);
  if (work.input.dry_run) return;
  const { db, config } = archive;
  await inTransaction(db, async (tx) => {
    await tx.updateTable('video').set({ mediaPath: to }).where('id', '=', id).execute();
    for (const { path, lang } of await tx.selectFrom('subtitle').select(['path', 'lang']).where('videoId', '=', id).execute()) {
      const beside = `${stemOf(to)}.${lang}.vtt`;
      if (path !== beside && (await exists(join(config.mediaFolder, beside))))
        await tx.updateTable('subtitle').set({ path: beside }).where('videoId', '=', id).where('lang', '=', lang).execute();
    }
  });
}

/** What stands on the disk and no row names: a known video that moved, a second copy, or something new. */
async function placeStranger(round: Round, path: string) {
  const { archive, work, counts, followed } = round;
  const { db, config } = archive;
  const id = idInName(path) ?? basename(stemOf(path)); // of other sites it is the whole name
  const video = await db.selectFrom('video').select(['id', 'mediaPath']).where('id', '=', id).executeTakeFirst();
  if (video) {
    const first = followed.get(id) ?? ((await exists(join(config.mediaFolder, video.mediaPath))) ? video.mediaPath : null);
    if (first !== null) return work.skip(path, `A second copy of ${first}; it was left where it is.`);
    return follow(round, id, { from: video.mediaPath, to: path });
  }
  if (work.input.dry_run) {
    counts.adopted++;
    return work.skip(path, 'Belongs to no video; it would be taken into the archive, if it can be told what it is.');
  }
  await adoptFile(archive, path, { preferLocal: work.input.prefer_local, work });
  counts.adopted++;
}

/** A subtitle that somebody put beside a video of the archive. */
async function addSubtitle({ archive, work }: Round, path: string) {
  const [, stem, lang] = /^(.*)\.([A-Za-z]{2,3}(?:-[A-Za-z0-9]+)*)\.vtt$/.exec(path) ?? [];
  if (!stem || !lang || work.input.dry_run) return;
  const video = await archive.db.selectFrom('video').select('id').where('id', '=', basename(stem)).executeTakeFirst();
  if (!video) return;
  await archive.db
    .insertInto('subtitle')
    .values({ videoId: video.id, lang, source: 'file', name: lang, path })
    .onConflict((c) => c.doNothing())
    .execute();
}

/** Goes over the disk: what is there that no row names? */
async function fromDisk(round: Round) {
  const { archive, work, counts } = round;
  const { db, config } = archive;
  for await (const batch of inBatches(walkMedia(config.mediaFolder), batchSize)) {
    work.signal.throwIfAborted();
    for (const found of batch) if (found.what === 'unread') work.skip(found.path, `The folder cannot be read (${found.code}).`);
    const files = batch.filter(({ what }) => what === 'media' || what === 'subtitle');
    counts.seen += files.length;
    work.report({ messages: ['Looking at the files.', `${counts.seen} so far.`] });
    if (files.length === 0) continue;
    const paths = files.map(({ path }) => path);
    const videos = await db.selectFrom('video').select('mediaPath').where('mediaPath', 'in', paths).execute();
    const subtitles = await db.selectFrom('subtitle').select('path').where('path', 'in', paths).execute();
    const leaving = await leavingOf(archive, paths); // deleted, and not moved yet
    const known = new Set([...videos.map((row) => row.mediaPath), ...subtitles.map((row) => row.path), ...leaving]);
    for (const { path, what } of files) {
      if (known.has(path)) continue;
      try {
        await (what === 'media' ? placeStranger(round, path) : addSubtitle(round, path));
      } catch (problem) {
        work.signal.throwIfAborted();
        work.skip(path, problem);
      }
    }
  }
}

/** Goes over the rows: whose file is not there, or not as it was? Rows stay: what people did with a video is worth keeping. */
async function fromRows({ archive, work, counts, followed }: Round) {
  const { db, config } = archive;
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
        size = await sizeOf(join(config.mediaFolder, followed.get(id) ?? mediaPath));
      } catch (error) {
        return work.skip(title, `The file cannot be read (${(error as NodeJS.ErrnoException).code}).`);
      }
      // One that another program told of and that was never here is as it comes.
      const isFirst = sha256 === '' && damage === missingFile;
      const found =
        size === null
          ? missingFile
          : size === sizeBytes || isFirst
            ? null
            : `The file has ${size} bytes, not ${sizeBytes} as when it came.`;
      if (size === null) counts.missing++;
      else if (found) counts.changed++;
      if (found) work.skip(title, found);
      // What reading it to the end found out is not to be forgotten because its size is right.
      const says = found ?? (damage?.startsWith('The file is missing') || damage?.startsWith('The file has ') ? null : damage);
      if (says !== damage && !work.input.dry_run)
        await db
          .updateTable('video')
          .set({ damage: says, sizeBytes: (isFirst && size) || sizeBytes })
          .where('id', '=', id)
          .execute();
    });
  }
}

/** Compares the archive with the disk: files that vanished, changed, moved, or came. */
export const rescanFilesystem = defineTask<RescanInput>({
  name: 'rescan_filesystem',
  title: 'Rescan your Filesystem',
  group: 'setting:filesystemscan',
  isStartable: true,
  isStoppable: true,
  input: Input,

  async run(work, archive) {
    const why = await whyNotBelieved(archive);
    if (why) throw new Error(why);
    const counts: Counts = { seen: 0, moved: 0, adopted: 0, missing: 0, changed: 0 };
    const round = { archive, work, counts, followed: new Map<string, string>() };
    await fromDisk(round);
    await fromRows(round);
    archive.announce('video', 'channel');
    if (!work.input.dry_run) await archive.tasks.start(thumbnailCheck, {});
    const { seen, moved, adopted, missing, changed } = counts;
    return `${seen} files: ${moved} moved, ${adopted} new, ${missing} missing, ${changed} changed.${work.input.dry_run ? ' Nothing was changed.' : ''}`;
  },
});
