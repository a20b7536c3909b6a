import { message, type Message } from '#contract/messages.ts';
import type { AppContext } from '../../../platform/context/app-context.ts';
import { chunks } from '../../../platform/db/db.ts';
import { batchesOf } from '../../../platform/lib/batch.ts';
import { StorageError } from '../../../platform/storage/file-store.ts';
import { inCache, withoutPrefix } from '../../../platform/storage/stored-path.ts';
import { findUnknownObjects, noObjects, sizeOfObject } from '../../../archive/storage/media-objects.ts';
import { whyMediaUnavailable } from '../../../archive/storage/mount-check.ts';

type Part = Pick<AppContext, 'db' | 'files'>;

const batchSize = 500;

/** Images in the trash that no trash entry names. */
async function* unknownTrashImages({ db, files }: Part): AsyncGenerator<Message> {
  for await (const batch of batchesOf(files.list(inCache('.trash/')), batchSize)) {
    const folderOf = (path: string) => withoutPrefix(path).split('/')[1]!;
    const folders = [...new Set(batch.map(({ path }) => folderOf(path)))];
    const known = new Set<string>();
    for (const some of chunks(folders)) {
      const rows = await db.selectFrom('trashFile').select('folder').distinct().where('folder', 'in', some).execute();
      for (const { folder } of rows) known.add(folder);
    }
    const paths = batch.map(({ path }) => path);
    for (const some of chunks(paths))
      for (const { path } of await db.selectFrom('pendingDeletion').select('path').where('path', 'in', some).execute())
        known.add(path);
    for (const path of paths)
      if (!known.has(folderOf(path)) && !known.has(path))
        yield message('consistency.trash-unknown-file', { path: withoutPrefix(path) });
  }
}

interface Rows {
  videos: AsyncIterable<{ id: string; mediaPath: string; sizeBytes: number }>;
  trash: AsyncIterable<{ videoId: string; folder: string }>;
}

async function* compare(part: Part, { videos, trash }: Rows): AsyncGenerator<Message> {
  const { db, files } = part;
  const objects = noObjects();
  for await (const path of findUnknownObjects(part, objects)) yield message('consistency.unknown-object', { path });
  for await (const { id, mediaPath: path, sizeBytes } of videos) {
    const size = await sizeOfObject(files, objects, path);
    if (size === sizeBytes) continue;
    const isStillHere = await db.selectFrom('video').select('id').where('mediaPath', '=', path).executeTakeFirst();
    if (!isStillHere) continue;
    yield size === null
      ? message('consistency.no-file', { id, path })
      : message('consistency.size', { id, path, bytes: size, before: sizeBytes });
  }
  for await (const { videoId, folder } of trash) {
    if (objects.trashFolders.has(folder)) continue;
    const rows = await db.selectFrom('trashFile').select('path').where('folder', '=', folder).execute();
    const found = await Promise.all(rows.map(({ path }) => files.stat(path)));
    // A trash entry without file rows was restored just now.
    if (rows.length > 0 && found.every((one) => one === null)) yield message('consistency.trash-no-file', { id: videoId });
  }
  yield* unknownTrashImages(part);
}

/** Yields a message for every inconsistency between the bucket and the rows, or why that could not be found out. */
export async function* compareBucket(part: Part & Pick<AppContext, 'config'>, rows: Rows): AsyncGenerator<Message> {
  const why = await whyMediaUnavailable(part);
  if (why) return yield message('consistency.bucket', { why });
  try {
    yield* compare(part, rows);
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    yield message('consistency.bucket', { why: error.messages });
  }
}
