import { message } from '#contract/messages.ts';
import type { Settings } from '#contract/settings.ts';
import { rm } from 'node:fs/promises';
import type { AppContext } from '../../platform/context/app-context.ts';
import type { TaskWork } from '../../platform/context/task.ts';
import { inTransaction } from '../../platform/db/db.ts';
import { fingerprint } from '../../platform/files/files.ts';
import { verifyComplete, type ProbedStream } from '../../platform/media/probe.ts';
import { MessageError } from '../../platform/messages/message-error.ts';
import { YtdlpFailed } from '../../platform/ytdlp/failure.ts';
import { fetchSmallCopy } from '../../platform/ytdlp/fetch-video.ts';
import { makeLookupFolder } from '../sites/lookup-folder.ts';
import { ytdlpSession } from '../sites/ytdlp-session.ts';
import { localPathOrNull } from '../../platform/storage/file-store.ts';
import { missingMediaSpace } from '../storage/disk-space.ts';
import { cancelDeletion, deletePendingFiles, scheduleDeletion } from '../storage/pending-deletions.ts';
import { beginUpload, commitUpload, newStem, putFiles, stemOf } from '../storage/upload.ts';
import { isSameEdit } from '../video/quality.ts';
import { stageReport, transferReport } from './download-report.ts';

/** Height of a copy that a person asks for where the settings name none. */
export const usualCopyHeight = 720;

// Old phones and TVs decode no higher pictures.
const maxHeightEverywhere = 1080;

interface Picture {
  codec: string;
  bitDepth: number | null;
  width: number | null;
  height: number | null;
}

/** Whether every browser plays a file, which then needs no copy. */
const playsEverywhere = (mediaPath: string, picture: Picture, sound: string | undefined): boolean =>
  /\.(mp4|m4v)$/i.test(mediaPath) &&
  picture.codec === 'h264' &&
  (picture.bitDepth ?? 8) === 8 &&
  Math.min(picture.width ?? 0, picture.height ?? 0) <= maxHeightEverywhere &&
  (sound === undefined || sound === 'aac');

interface CopiedVideo {
  id: string;
  title: string;
  mediaPath: string;
  durationSeconds: number;
  channelId: string;
}

interface CopyOptions {
  url: string;
  /** Highest picture, in pixels. */
  height: number;
  settings: Settings['downloads'];
}

type Work = Pick<TaskWork<unknown>, 'signal' | 'report'>;

/** @throws MessageError if a file is not a copy that plays everywhere */
function verifyCopy(streams: ProbedStream[], durationSeconds: number, video: CopiedVideo): ProbedStream {
  const picture = streams.find(({ type }) => type === 'video')!;
  const isPlain = picture.codec === 'h264' && (picture.format?.bitDepth ?? 8) === 8;
  const sounds = streams.filter(({ type }) => type === 'audio');
  if (!isPlain || sounds.some(({ codec }) => codec !== 'aac')) throw new MessageError(message('copy.not-offered'));
  const lengths = { came: Math.round(durationSeconds), stored: video.durationSeconds };
  if (!isSameEdit(durationSeconds, video.durationSeconds)) throw new MessageError(message('copy.other-length', lengths));
  return picture;
}

/** Records the path before its file is written: after a crash without a row, the next start deletes the file. */
const announceFile = (app: AppContext, path: string) =>
  app.files.isRemote
    ? beginUpload(app, { id: path, number: 0, paths: [path] })
    : inTransaction(app.db, (tx) => scheduleDeletion(tx, [path]));

/** Puts a verified copy next to the file of its video, and writes its row, unless the video was deleted or changed meanwhile. */
async function place(app: AppContext, video: CopiedVideo, local: string, picture: ProbedStream, signal: AbortSignal) {
  const { db, files, now } = app;
  const sums = await fingerprint(local, signal);
  const stem = files.isRemote ? newStem(app, video.channelId, video.id) : stemOf(video.mediaPath);
  const path = `${stem}.small.mp4`;
  await announceFile(app, path);
  await putFiles(app, [{ local, path, ...sums }], signal);
  await inTransaction(db, async (tx) => {
    if (files.isRemote) await commitUpload(tx, path);
    const row = await tx
      .selectFrom('video')
      .select('durationSeconds')
      .where('id', '=', video.id)
      .where('mediaPath', '=', video.mediaPath)
      .executeTakeFirst();
    if (row?.durationSeconds !== video.durationSeconds) return scheduleDeletion(tx, [path]);
    const { width = 0, height = 0 } = picture;
    const copy = { path, ...sums, width, height, durationSeconds: row.durationSeconds, fetchedAt: now() };
    // A download of the video may have fetched one at the same time.
    const before = await tx.selectFrom('smallCopy').select('path').where('videoId', '=', video.id).executeTakeFirst();
    await tx
      .insertInto('smallCopy')
      .values({ videoId: video.id, ...copy })
      .onConflict((c) => c.column('videoId').doUpdateSet(copy))
      .execute();
    if (before && before.path !== path) await scheduleDeletion(tx, [before.path]);
    await cancelDeletion(tx, [path]);
  });
  await deletePendingFiles(app, [path]);
}

async function fetchAndPlace(
  app: AppContext,
  video: CopiedVideo,
  options: CopyOptions & { infoPath?: string; hasSound: boolean },
  { signal, report }: Work,
): Promise<void> {
  const folder = await makeLookupFolder(app);
  try {
    report(stageReport(video, message('copy.fetching')));
    const path = await fetchSmallCopy(await ytdlpSession(app), {
      ...options,
      folder,
      signal,
      onProgress: (now) => report(transferReport(video, now)),
      onStage: () => {},
    }).catch((error: unknown) => {
      // Not the format of the settings.
      throw error instanceof YtdlpFailed && error.failure.kind === 'format'
        ? new MessageError(message('copy.not-offered'))
        : error;
    });
    const expected = { announcedSeconds: null, wantsAudio: options.hasSound, wantsVideo: true };
    const { streams, durationSeconds } = await verifyComplete(app.tools.ffmpeg!, path, expected, signal);
    await place(app, video, path, verifyCopy(streams, durationSeconds, video), signal);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Fetches a copy of a video as H.264 and AAC from its site and verifies it, unless the video has one or plays everywhere. `isFresh`: it
 * was downloaded just now, so that the site is only asked for the media. Returns whether a copy was added.
 * @throws YtdlpFailed or MessageError: the site does not offer it, or it is another edit
 */
export async function addSmallCopyOf(
  app: AppContext,
  id: string,
  { isFresh, ...options }: CopyOptions & { isFresh: boolean },
  work: Work,
): Promise<boolean> {
  const { db, files } = app;
  const video = await db
    .selectFrom('video')
    .leftJoin('smallCopy', 'smallCopy.videoId', 'video.id')
    .select([
      'video.id',
      'title',
      'channelId',
      'mediaPath',
      'video.durationSeconds',
      'video.sizeBytes',
      'smallCopy.path as copyPath',
    ])
    .where('video.id', '=', id)
    .executeTakeFirst();
  if (!video || video.copyPath !== null) return false;
  const streams = await db
    .selectFrom('stream')
    .select(['type', 'codec', 'bitDepth', 'width', 'height'])
    .where('videoId', '=', id)
    .orderBy('position')
    .execute();
  const picture = streams.find(({ type }) => type === 'video');
  const sound = streams.find(({ type }) => type === 'audio')?.codec;
  if (!picture || playsEverywhere(video.mediaPath, picture, sound)) return false;
  const lacks = await missingMediaSpace(app, video.sizeBytes);
  if (lacks) throw new MessageError(message('remux.no-space', lacks));
  const infoPath = isFresh ? await localPathOrNull(files, `${stemOf(video.mediaPath)}.info.json`) : null;
  await fetchAndPlace(app, video, { ...options, ...(infoPath !== null && { infoPath }), hasSound: sound !== undefined }, work);
  return true;
}
