import { readdir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Archive } from '../archive.ts';
import { leavingOf, restingPath, strangeFolders } from '../bin/files.ts';
import { chunks, pagesById } from '../db/db.ts';
import { hasWork } from '../download/incoming.ts';
import { inBatches } from '../in-batches.ts';
import { binFolder, exists, incomingFolder } from '../media/shelf.ts';
import { wrongEntries } from '../playlist/written-entries.ts';
import { wrongWritten } from '../video/written-right.ts';
import { whereIs } from './removal.ts';
import { wrongTallies } from './tallies-right.ts';
import { mediaEndings, walkMedia } from './walk-media.ts';

type Part = Pick<Archive, 'db' | 'config'>;

const pageSize = 1000;

async function* everyVideo({ db }: Part) {
  const next = (after: string) =>
    db
      .selectFrom('video')
      .select(['id', 'mediaPath', 'sizeBytes', 'commentCount'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(pageSize)
      .execute();
  for await (const page of pagesById(next)) yield* page;
}

/** Each video has its file, of the size that was recorded. */
async function* videosWithoutTheirFile(part: Part) {
  for await (const { id, mediaPath, sizeBytes } of everyVideo(part)) {
    const found = await stat(join(part.config.mediaFolder, mediaPath)).catch(() => null);
    if (!found) yield `Video ${id} has no file: ${mediaPath} is missing.`;
    else if (found.size !== sizeBytes)
      yield `Video ${id}: ${mediaPath} has ${found.size} bytes, not ${sizeBytes} as when it was archived.`;
  }
}

const infoEnding = '.info.json';

/** Each file on the shelf belongs to a video, wherever people moved it. */
async function* filesOfNobody({ db, config }: Part) {
  for await (const batch of inBatches(walkMedia(config.mediaFolder), pageSize / 2)) {
    for (const found of batch) if (found.what === 'unread') yield `The folder ${found.path} cannot be read (${found.code}).`;
    const paths = batch.filter(({ what }) => what !== 'unread').map(({ path }) => path);
    if (paths.length === 0) continue;
    // The information beside a file has its name, and any of the endings that media have.
    const withInfo = paths
      .filter((path) => path.endsWith(infoEnding))
      .flatMap((path) => [...mediaEndings].map((ending) => path.slice(0, -infoEnding.length) + ending));
    const known = new Set<string>();
    for (const part of chunks([...paths, ...withInfo])) {
      const rows = await db.selectFrom('video').select('mediaPath').where('mediaPath', 'in', part).execute();
      for (const { mediaPath } of rows) known.add(mediaPath).add(mediaPath.replace(/\.[^.]+$/, infoEnding));
    }
    for (const { path } of await db.selectFrom('subtitle').select('path').where('path', 'in', paths).execute()) known.add(path);
    for (const path of await leavingOf({ db }, paths)) known.add(path);
    for (const path of paths) if (!known.has(path)) yield `The file ${path} belongs to no video.`;
  }
}

/** What waits in the queue is not in the archive already, unless it was asked for again. */
async function* queuedTwice({ db }: Part) {
  const rows = await db
    .selectFrom('download')
    .innerJoin('video', 'video.id', 'download.id')
    .select('download.id')
    .where('download.status', '=', 'pending')
    .where('download.isForced', '=', 0)
    .execute();
  for (const { id } of rows) yield `Queue item ${id} is in the archive already.`;
}

/** Each number that is kept is the number it counts. */
async function* wrongCounts(part: Part) {
  const rows = await part.db
    .selectFrom('comment')
    .select((e) => ['videoId', e.fn.countAll<number>().as('count')])
    .groupBy('videoId')
    .execute();
  const counts = new Map(rows.map((row) => [row.videoId, row.count]));
  for await (const { id, commentCount } of everyVideo(part))
    if (commentCount !== null && commentCount !== (counts.get(id) ?? 0))
      yield `Video ${id} says ${commentCount} comments and has ${counts.get(id) ?? 0}.`;
}

/** Downloads under way belong to the queue, or are whole and wait to be put on the shelf. */
async function* strayDownloads(part: Part) {
  const folder = incomingFolder(part.config.mediaFolder);
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (!(/^\d+$/.test(name) && (await hasWork(part, Number(name)))))
      yield `${relative(part.config.mediaFolder, path)} belongs to no download.`;
  }
}

/** Each file that is to rest in the bin rests there, and nothing else does. */
async function* wrongBin(part: Part) {
  const next = (after: string) =>
    part.db
      .selectFrom('bin')
      .select(['number', 'videoId', 'folder as id'])
      .where('folder', '>', after)
      .orderBy('folder')
      .limit(pageSize)
      .execute();
  for await (const page of pagesById(next))
    for (const { id: folder, videoId } of page) {
      const files = await part.db.selectFrom('binFile').selectAll().where('folder', '=', folder).execute();
      const places = files.flatMap((file) => [whereIs(part, restingPath(file)), whereIs(part, file.path)]);
      const there = await Promise.all(places.map(exists));
      // Without any it was put back just now.
      if (files.length > 0 && !there.includes(true)) yield `Video ${videoId} in the bin has no file.`;
    }
  for await (const folder of strangeFolders(part))
    for (const name of await readdir(join(binFolder(part.config.mediaFolder), folder)).catch(() => []))
      yield `.bin/${folder}/${name} on the media disk belongs to nothing in the bin.`;
}

/** Every promise about files and rows that does not hold, one sentence each. Reads only; streams, whatever the size of the library. */
export async function* brokenPromises(part: Part): AsyncGenerator<string> {
  yield* videosWithoutTheirFile(part);
  yield* filesOfNobody(part);
  yield* queuedTwice(part);
  yield* wrongCounts(part);
  yield* wrongTallies(part.db);
  yield* wrongWritten(part.db);
  yield* wrongEntries(part.db);
  yield* strayDownloads(part);
  yield* wrongBin(part);
}
