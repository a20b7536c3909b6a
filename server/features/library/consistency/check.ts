import { message, plainText, type Message } from '#contract/messages.ts';
import { readdir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { AppContext } from '../../../platform/context/app-context.ts';
import { filesMovingToTrash, pathInTrash, unknownTrashFolders } from '../../../archive/storage/trash-files.ts';
import { pagesById } from '../../../platform/db/db.ts';
import { hasWorkDir } from '../../../archive/publish/work-dir.ts';
import { batchesOf } from '../../../platform/lib/batch.ts';
import { trashFolder, exists, workFolder } from '../../../platform/files/files.ts';
import { findStaleEntries } from '../../../archive/playlist/entries-json.ts';
import { findStaleVideos } from '../../../archive/video-json/verify-response-cache.ts';
import { findWrongCounts } from './counts.ts';
import { knownPaths } from '../../../archive/storage/known-paths.ts';
import { compareBucket } from './compare-bucket.ts';
import { walkMedia } from '../../../archive/storage/walk.ts';
import { resolveStoredPath } from '../../../platform/storage/stored-path.ts';

type Part = Pick<AppContext, 'db' | 'config' | 'files'>;

const pageSize = 1000;

// Each of several servers has its own work folder.
const nodePrefix = 'node-';

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

/** Each video has a file of the recorded size. */
async function* videosWithoutTheirFile(part: Part) {
  for await (const { id, mediaPath, sizeBytes } of everyVideo(part)) {
    const found = await stat(join(part.config.mediaFolder, mediaPath)).catch(() => null);
    if (!found) yield message('consistency.no-file', { id, path: mediaPath });
    else if (found.size !== sizeBytes)
      yield message('consistency.size', { id, path: mediaPath, bytes: found.size, before: sizeBytes });
  }
}

/** Each small copy has its file. */
async function* copiesWithoutTheirFile({ db, files }: Part) {
  const next = (after: string) =>
    db
      .selectFrom('smallCopy')
      .select(['videoId as id', 'path', 'sizeBytes'])
      .where('videoId', '>', after)
      .orderBy('videoId')
      .limit(pageSize)
      .execute();
  for await (const page of pagesById(next))
    for (const { id, path, sizeBytes } of page) {
      const found = await files.stat(path);
      if (found?.sizeBytes !== sizeBytes) yield message('consistency.copy', { id, path });
    }
}

/** Each chat has its file. */
async function* chatsWithoutTheirFile({ db, files }: Part) {
  const next = (after: string) =>
    db
      .selectFrom('chat')
      .select(['videoId as id', 'path', 'sizeBytes'])
      .where('path', 'is not', null)
      .where('videoId', '>', after)
      .orderBy('videoId')
      .limit(pageSize)
      .execute();
  for await (const page of pagesById(next))
    for (const { id, path, sizeBytes } of page)
      if ((await files.stat(path!))?.sizeBytes !== sizeBytes) yield message('consistency.chat', { id, path: path! });
}

/** Each file in the media folder belongs to a video, wherever users moved it. */
async function* filesOfNobody({ db, config }: Part) {
  for await (const batch of batchesOf(walkMedia(config.mediaFolder), pageSize / 2)) {
    for (const found of batch)
      if (found.what === 'unread') yield message('disk.unreadable', { folder: found.path, why: found.code });
    const paths = batch.filter(({ what }) => what !== 'unread').map(({ path }) => path);
    if (paths.length === 0) continue;
    const { media, others } = await knownPaths(db, paths);
    const known = media.union(others).union(await filesMovingToTrash({ db }, paths));
    for (const path of paths) if (!known.has(path)) yield message('consistency.unknown-file', { path });
  }
}

/** No queued video is in the archive already, unless a new download was requested. */
async function* queuedTwice({ db }: Part) {
  const rows = await db
    .selectFrom('download')
    .innerJoin('video', 'video.id', 'download.id')
    .select('download.id')
    .where('download.status', '=', 'pending')
    .where('download.isForced', '=', 0)
    .execute();
  for (const { id } of rows) yield message('consistency.queued', { id });
}

/** Stored comment counts match the comments. */
async function* wrongCounts(part: Part) {
  const rows = await part.db
    .selectFrom('comment')
    .select((e) => ['videoId', e.fn.countAll<number>().as('count')])
    .groupBy('videoId')
    .execute();
  const counts = new Map(rows.map((row) => [row.videoId, row.count]));
  for await (const { id, commentCount } of everyVideo(part))
    if (commentCount !== null && commentCount !== (counts.get(id) ?? 0))
      yield message('consistency.comments', { id, found: counts.get(id) ?? 0, recorded: commentCount });
}

/** Each folder in the work folders of all servers belongs to a queue item, or to a complete download that is about to be published. */
async function* strayDownloads(part: Part) {
  const ofAll = workFolder({ mediaFolder: part.config.mediaFolder });
  const nodes = (await readdir(ofAll).catch(() => [])).filter((name) => name.startsWith(nodePrefix));
  for (const node of [undefined, ...nodes.map((name) => name.slice(nodePrefix.length))]) {
    const config = { ...part.config, node };
    for (const name of await readdir(workFolder(config)).catch(() => [])) {
      if (node === undefined && name.startsWith(nodePrefix)) continue;
      if (!(/^\d+$/.test(name) && (await hasWorkDir({ db: part.db, config }, Number(name)))))
        yield message('consistency.work-dir', { path: relative(config.mediaFolder, join(workFolder(config), name)) });
    }
  }
}

async function* everyTrashEntry({ db }: Part) {
  const next = (after: string) =>
    db
      .selectFrom('trash')
      .select(['videoId', 'folder', 'folder as id'])
      .where('folder', '>', after)
      .orderBy('folder')
      .limit(pageSize)
      .execute();
  for await (const page of pagesById(next)) yield* page;
}

/** Each file of a trash entry is in the trash folder, which contains nothing else. */
async function* wrongBin(part: Part) {
  for await (const { folder, videoId } of everyTrashEntry(part)) {
    const files = await part.db.selectFrom('trashFile').selectAll().where('folder', '=', folder).execute();
    const places = files.flatMap((file) => [
      resolveStoredPath(part, pathInTrash(part.files, file)),
      resolveStoredPath(part, file.path),
    ]);
    const hasFile = await Promise.all(places.map(exists));
    // A trash entry without file rows was restored just now.
    if (files.length > 0 && !hasFile.includes(true)) yield message('consistency.trash-no-file', { id: videoId });
  }
  for await (const folder of unknownTrashFolders(part))
    for (const name of await readdir(join(trashFolder(part.config.mediaFolder), folder)).catch(() => []))
      yield message('consistency.trash-unknown-file', { path: `.trash/${folder}/${name}` });
}

/** Yields a message for every inconsistency between files and rows. Reads only, and streams libraries of any size. */
export async function* findInconsistencies(part: Part): AsyncGenerator<Message> {
  if (part.files.isRemote) yield* compareBucket(part, { videos: everyVideo(part), trash: everyTrashEntry(part) });
  else {
    yield* videosWithoutTheirFile(part);
    yield* filesOfNobody(part);
    yield* wrongBin(part);
  }
  yield* copiesWithoutTheirFile(part);
  yield* chatsWithoutTheirFile(part);
  yield* queuedTwice(part);
  yield* wrongCounts(part);
  yield* findWrongCounts(part.db);
  for await (const text of findStaleVideos(part.db)) yield plainText(text);
  for await (const text of findStaleEntries(part.db)) yield plainText(text);
  yield* strayDownloads(part);
}
