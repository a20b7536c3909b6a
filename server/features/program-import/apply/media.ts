import { message } from '#contract/messages.ts';
import { randomUUID } from 'node:crypto';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join, relative } from 'node:path';
import { whyMediaUnavailable } from '../../../archive/storage/mount-check.ts';
import { mediaEndings } from '../../../archive/storage/walk.ts';
import { existingIds } from '../../../archive/video/store.ts';
import { exists } from '../../../platform/files/files.ts';
import { inTransaction } from '../../../platform/db/db.ts';
import { MessageError } from '../../../platform/messages/message-error.ts';
import { createTempDir } from '../../../platform/process/temp-dir.ts';
import { ImportInput, NoSpaceError, skippedReason, type ImportContext } from '../../library/import/context.ts';
import type { ForeignMetadata } from '../../library/import/foreign-metadata.ts';
import { groupOfFile } from '../../library/import/group-files.ts';
import { importFile } from '../../library/import/import-file.ts';
import type { MediaFile } from '../item/item.ts';
import { unzipText } from '../source/read.ts';
import { checkPath, mapPath, type PathMap } from '../source/safe-path.ts';
import { recordChanges, type Applying } from './context.ts';
import { isDiskFull } from '../../../platform/files/free-space.ts';

/** State of importing video files. */
export interface MediaImport {
  folders: readonly string[];
  map: PathMap;
  /** The folder of the program's data, with its stored info JSON; null if it is a single file. */
  dataFolder: string | null;
  importing: Omit<ImportContext, 'notes'> | null;
}

/** Prepares the import of video files. Originals are linked or copied, never moved or deleted. @throws MessageError */
export async function prepareMedia(
  { app, signal, isDry, report }: Applying,
  options: Omit<MediaImport, 'importing'>,
): Promise<MediaImport> {
  if (isDry) return { ...options, importing: null };
  const { ffmpeg } = app.tools;
  if (!ffmpeg) throw new MessageError(message('migrate.no-ffmpeg'));
  const why = await whyMediaUnavailable(app);
  if (why) throw new MessageError(why);
  const work: ImportContext['work'] = {
    id: randomUUID(),
    input: ImportInput.parse({ leave_files: true, prefer_local: true }),
    againSince: null,
    signal,
    report: () => {},
    skip: (subject, why) => report('note', subject, why instanceof Error ? skippedReason(why) : why),
    note: () => {},
  };
  return { ...options, importing: { app, ffmpeg, work, seen: { ids: new Set(), channels: new Set(), requests: 0 } } };
}

/** Finds the file of a stored path. @throws MessageError with the reason why it cannot be used */
async function locate({ folders, map }: MediaImport, { path }: MediaFile): Promise<string> {
  if (!mediaEndings.has(extname(path).toLowerCase())) throw new MessageError(message('migrate.file-kind'));
  const mapped = mapPath(map, path);
  if (mapped === null) throw new MessageError(message('migrate.file-unmapped', { path }));
  const checked = await checkPath(folders, mapped);
  if (!(await stat(checked)).isFile()) throw new MessageError(message('migrate.file-missing', { path: mapped }));
  return checked;
}

/** Writes the stored info JSON of a video to a temporary file. Returns its path, or null if there is none. */
async function unpackInfo(applying: Applying, media: MediaImport, { infoPath, video }: MediaFile, folder: string) {
  if (infoPath === null || media.dataFolder === null || !(await exists(join(media.dataFolder, infoPath)))) return null;
  try {
    const path = await checkPath([media.dataFolder], infoPath);
    const bytes = await readFile(path);
    const text = path.endsWith('.gz') ? await unzipText(bytes) : bytes.toString('utf8');
    const target = join(folder, 'info.json');
    await writeFile(target, text);
    return target;
  } catch (error) {
    applying.signal.throwIfAborted();
    applying.report('note', video.title, message('migrate.metadata', { why: skippedReason(error) }));
    return null;
  }
}

/** What the database of the program says about a file, with the field names of an info.json. */
const noteOf = ({ video, description, downloadedAt }: MediaFile): ForeignMetadata => ({
  by: 'database',
  extractor: video.site,
  id: video.siteId,
  url: video.url,
  isWhole: video.channelId !== '',
  fetchedAt: downloadedAt,
  fields: {
    title: video.title,
    acodec: 'unknown', // there is one, so that a file without audio is reported
    description,
    ...(video.channelId && { channel_id: video.channelId }),
    ...(video.channelName && { channel: video.channelName }),
    ...(video.publishedAt !== null && { timestamp: video.publishedAt }),
    ...(video.durationSeconds !== null && { duration: video.durationSeconds }),
    ...(video.kind === 'streams' && { live_status: 'was_live' }),
    ...(video.kind === 'shorts' && { media_type: 'short' }),
  },
});

const hasIntent = async ({ app: { db }, importId }: Applying, id: string) =>
  (await db
    .selectFrom('migrationChange')
    .select('number')
    .where('migrationId', '=', importId)
    .where('kind', '=', 'video')
    .where('subject', '=', id)
    .executeTakeFirst()) !== undefined;

const forget = ({ app: { db }, importId }: Applying, id: string) =>
  db
    .deleteFrom('migrationChange')
    .where('migrationId', '=', importId)
    .where('kind', '=', 'video')
    .where('subject', '=', id)
    .execute();

/** Records the imported file, and the channel if it is new, so that an undo removes exactly these. */
async function recordVideo(applying: Applying, id: string, startedAt: number) {
  const { app, importId } = applying;
  await inTransaction(app.db, async (tx) => {
    const video = await tx
      .selectFrom('video')
      .innerJoin('channel', 'channel.id', 'video.channelId')
      .select(['video.sha256', 'channel.id as channelId', 'channel.addedAt'])
      .where('video.id', '=', id)
      .executeTakeFirst();
    if (!video) return;
    await tx
      .updateTable('migrationChange')
      .set({ state: JSON.stringify({ sha256: video.sha256 }) })
      .where('migrationId', '=', importId)
      .where('kind', '=', 'video')
      .where('subject', '=', id)
      .execute();
    if (video.addedAt < startedAt) return;
    const known = await tx
      .selectFrom('migrationChange')
      .select('number')
      .where('migrationId', '=', importId)
      .where('kind', '=', 'channel')
      .where('subject', '=', video.channelId)
      .executeTakeFirst();
    if (!known) await recordChanges(tx, applying, [{ take: null, kind: 'channel', subject: video.channelId }]);
  });
}

async function importOne(applying: Applying, media: MediaImport & { importing: object }, item: MediaFile, path: string) {
  const { app } = applying;
  const { id } = item.video;
  const startedAt = app.now();
  const folder = await createTempDir();
  // Recorded before, so that after a crash the undo knows the video. It is not recorded if it was here before.
  const isRepeated = await hasIntent(applying, id);
  const isHere = (await existingIds(app.db, [id])).has(id);
  const isRecorded = isRepeated || !isHere;
  let isDone = false;
  try {
    const group = await groupOfFile(dirname(path), basename(path));
    if (!group) throw new MessageError(message('migrate.file-kind'));
    const info = await unpackInfo(applying, media, item, folder);
    group.path = path;
    if (info) group.info = relative(group.folder, info);
    if (!isRepeated && isRecorded)
      await inTransaction(app.db, (tx) => recordChanges(tx, applying, [{ take: 'videos', kind: 'video', subject: id }]));
    const notes = new Map([[path.normalize('NFC'), noteOf(item)]]);
    const outcome = await importFile({ ...media.importing, notes } as ImportContext, group);
    isDone = outcome.what === 'brought in' || isRepeated;
    if (isDone && isRecorded) await recordVideo(applying, id, startedAt);
    return outcome.what;
  } finally {
    if (!isDone && isRecorded && !isRepeated) await forget(applying, id);
    await rm(folder, { recursive: true, force: true });
  }
}

/** Imports one video file. Returns whether its video is in the archive; the reason otherwise is a line of the report. */
export async function applyMedia(applying: Applying, media: MediaImport, item: MediaFile): Promise<boolean> {
  const { app, isDry, signal, count, report, known } = applying;
  const { id, title } = item.video;
  try {
    const path = await locate(media, item);
    if (isDry) {
      const isHere = known.has('videos', id) || (await existingIds(app.db, [id])).has(id);
      known.add('videos', id);
      count('videos', { found: 1, ...(isHere ? { here: 1 } : { added: 1 }) });
      return true;
    }
    const outcome = await importOne(applying, media as MediaImport & { importing: object }, item, path);
    count('videos', { found: 1, ...(outcome === 'brought in' ? { added: 1 } : { here: 1 }) });
    return true;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof NoSpaceError) throw error;
    if (isDiskFull(error)) throw new NoSpaceError(message('import.disk-full'));
    count('videos', { found: 1, left: 1 });
    report('problem', title === id ? item.path : `${title} (${id})`, skippedReason(error));
    return false;
  }
}
