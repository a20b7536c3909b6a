import { mkdir, rename, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { message } from '#contract/messages.ts';
import type { FailureKind } from '#contract/download.ts';
import type { Fetching } from '../../archive/publish/archive-video.ts';
import { stageReport } from '../../archive/publish/download-report.ts';
import { readRecordingState } from '../../archive/publish/recording-state.ts';
import type { QueueItem } from '../../archive/queue/claims.ts';
import { ytdlpSession } from '../../archive/sites/ytdlp-session.ts';
import { gapsOf } from '../../archive/video/recording.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import type { TaskWork } from '../../platform/context/task.ts';
import { exists, removeFolder } from '../../platform/files/files.ts';
import { joinRecorded } from '../../platform/media/fragments.ts';
import { ProcessError } from '../../platform/process/run.ts';
import { YtdlpFailed, type Failure } from '../../platform/ytdlp/failure.ts';
import {
  collectDetails,
  fetchDetails,
  fetchVideo,
  isStillDownloading,
  type FetchedDetails,
} from '../../platform/ytdlp/fetch-video.ts';
import { lookUp } from '../../platform/ytdlp/listing.ts';
import { collectedChat } from './record-chat.ts';
import { recordedFiles } from '../../platform/ytdlp/record-live.ts';

export type FetchingOptions = Parameters<Fetching>[1];

/** Length of a fragment if the site does not tell it. */
export const usualFragmentSeconds = 5;

// Other failures may pass while the stream runs.
const endings: FailureKind[] = ['gone', 'private', 'members-only', 'not-yet'];

/**
 * Returns whether a stream still runs.
 * @throws YtdlpFailed if the site does not answer
 */
export async function isRunning(app: AppContext, { url, settings, signal }: FetchingOptions): Promise<boolean> {
  try {
    const { live } = await lookUp(await ytdlpSession(app), url, { lang: settings.extractor_lang, signal });
    return live === 'live';
  } catch (problem) {
    if (problem instanceof YtdlpFailed && endings.includes(problem.failure.kind)) return false;
    throw problem;
  }
}

async function moveInto(folder: string, path: string): Promise<string> {
  const target = join(folder, basename(path));
  await rename(path, target);
  return target;
}

/** Returns the metadata after the stream; those of its start if the site has none any more. */
async function detailsAfter(app: AppContext, { url, folder, settings, signal }: FetchingOptions): Promise<FetchedDetails> {
  const after = join(folder, 'after');
  await removeFolder(after);
  await mkdir(after);
  try {
    const { infoPath, thumbnailPath, ...details } = await fetchDetails(await ytdlpSession(app), {
      url,
      folder: after,
      settings,
      signal,
    });
    return {
      ...details,
      infoPath: await moveInto(folder, infoPath),
      thumbnailPath: thumbnailPath && (await moveInto(folder, thumbnailPath)),
    };
  } catch (problem) {
    signal.throwIfAborted();
    app.log.info({ err: problem }, 'the metadata of a recording are those of its start');
    return collectDetails(folder);
  }
}

const diskFull: Failure = { kind: 'disk-full', message: message('failure.disk-full') };
const unreadable: Failure = { kind: 'incomplete', message: message('live.unreadable') };

const isFull = ({ lastWords }: ProcessError) => /No space left on device|Disk quota exceeded/i.test(lastWords);

/** Where recorded files that cannot be joined are kept while the video is downloaded. */
const setAside = 'recorded';

/** Returns the paths of the recorded files. If they were set aside, those in the folder itself belong to the download. */
async function recordedIn(folder: string): Promise<string[]> {
  const aside = join(folder, setAside);
  const paths = [];
  for (const path of await recordedFiles((await exists(aside)) ? aside : folder))
    if ((await stat(path)).size > 0) paths.push(path);
  return paths;
}

async function setRecordedAside(folder: string): Promise<void> {
  const aside = join(folder, setAside);
  if (await exists(aside)) return;
  const files = await recordedFiles(folder);
  await mkdir(aside);
  for (const path of files) await moveInto(aside, path);
}

/**
 * Joins the recorded files of a stream and looks its metadata up.
 * @throws YtdlpFailed if the disk is full or a file is unreadable
 */
export async function joinRecording(app: AppContext, item: QueueItem, options: FetchingOptions, work: TaskWork<unknown>) {
  const { folder, signal } = options;
  work.report(stageReport(item, message('download.merging')));
  const paths = await recordedIn(folder);
  let mediaPath: string;
  try {
    mediaPath = await joinRecorded(app.tools.ffmpeg!, { paths, target: join(folder, 'recording') }, signal);
  } catch (problem) {
    if (!(problem instanceof ProcessError)) throw problem;
    throw new YtdlpFailed(isFull(problem) ? diskFull : unreadable, { cause: problem });
  }
  const { reason, lost, fragmentSeconds } = await readRecordingState(folder);
  const { info, ...details } = await detailsAfter(app, options);
  // The length at the site is not that of the recording.
  const ofRecording = { durationSeconds: null, kind: 'streams', wantsAudio: true, wantsVideo: true } as const;
  const recording = {
    startedAt: info.startsAt,
    reason,
    gaps: gapsOf(lost, fragmentSeconds ?? usualFragmentSeconds),
  };
  const chat = await collectedChat(folder, recording.startedAt);
  return {
    ...details,
    mediaPath,
    limitedBy: null,
    recording,
    chat,
    siteSeconds: info.durationSeconds,
    info: { ...info, ...ofRecording },
  };
}

/**
 * Returns what fetches a video whose recording was not archived: it is continued if the stream still runs, else joined. The site is asked
 * for the video only if the recorded files cannot be read, which are kept until it is there.
 */
export const fetchRecorded =
  (app: AppContext, item: QueueItem, work: TaskWork<unknown>): Fetching =>
  async (session, options) => {
    const { folder, signal } = options;
    const { reason } = await readRecordingState(folder);
    // A recording is continued by its task.
    if (!reason && (await isRunning(app, options))) throw new YtdlpFailed(isStillDownloading);
    try {
      if ((await recordedIn(folder)).length > 0) return await joinRecording(app, item, options, work);
    } catch (problem) {
      signal.throwIfAborted();
      if (!(problem instanceof YtdlpFailed) || problem.failure.kind === 'disk-full') throw problem;
      app.log.warn({ id: item.id, err: problem }, 'a recording cannot be joined');
      await setRecordedAside(folder);
    }
    return fetchVideo(session, options);
  };
