import { mkdir, readFile, rename, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { message, type Message } from '#contract/messages.ts';
import type { FailureKind } from '#contract/download.ts';
import type { Fetching } from '../../archive/publish/archive-video.ts';
import { formatClock, stageReport } from '../../archive/publish/download-report.ts';
import { claimRecording, leaseSeconds, queuedIds, type QueueItem } from '../../archive/queue/claims.ts';
import { ytdlpSession } from '../../archive/sites/ytdlp-session.ts';
import { missingMediaSpace } from '../../archive/storage/disk-space.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { Stopped, type TaskWork } from '../../platform/context/task.ts';
import { removeFolder } from '../../platform/files/files.ts';
import { gigabyte } from '../../platform/files/free-space.ts';
import { cutIncompleteFragment, joinRecorded } from '../../platform/media/fragments.ts';
import { YtdlpFailed } from '../../platform/ytdlp/failure.ts';
import { collectDetails, fetchDetails, type FetchedDetails } from '../../platform/ytdlp/fetch-video.ts';
import { readJson } from '../../platform/ytdlp/info.ts';
import { lookUp } from '../../platform/ytdlp/listing.ts';
import { recordedFiles, recordLive, type FragmentCounts } from '../../platform/ytdlp/record-live.ts';
import { processItem } from './process-item.ts';
import type { StreamWanted } from './record-stream-task.ts';

// How a recording survives interruptions: docs/decisions/live-streams.md.

/** Reason of the signal that ends a recording before the stream ends: what is recorded is archived. */
class RecordingEnds extends Error {
  readonly why: Message;
  constructor(why: Message) {
    super('The recording ends.');
    this.why = why;
  }
}

/** Length of a fragment if the site does not tell it. */
const usualFragmentSeconds = 5;
/** Between two looks at the limits of a recording. */
const lookSeconds = 30;
/** Before yt-dlp is continued: after it got nothing new, and after the site did not answer. */
const pauseSeconds = { interrupted: 10, failed: 60 };
/** So many times in a row nothing new is recorded before a recording ends. */
const maxFruitless = 20;
const claimAgainSeconds = 5;

type Options = Parameters<Fetching>[1];

/** Returns the length of the fragments of a stream in seconds. */
async function fragmentSeconds(folder: string, siteId: string): Promise<number> {
  const text = await readFile(join(folder, `${siteId}.info.json`), 'utf8').catch(() => '{}');
  const { requested_formats: formats } = readJson(text) as { requested_formats?: { target_duration?: unknown }[] };
  const seconds = Array.isArray(formats) ? formats[0]?.target_duration : null;
  return typeof seconds === 'number' && seconds > 0 ? seconds : usualFragmentSeconds;
}

/** Follows the progress of a recording: reports it, and ends it at the limits. */
function follow(app: AppContext, item: QueueItem, { folder, settings }: Options, { report, end }: Recorder) {
  const counts: FragmentCounts = new Map();
  const bytes = new Map<string, number>();
  let secondsEach = 0;
  let lookedAt = 0;
  const recordedSeconds = () => Math.max(0, ...counts.values()) * secondsEach;

  const look = async () => {
    secondsEach ||= await fragmentSeconds(folder, item.siteId);
    // At the end the formats are joined into a second file.
    if (await missingMediaSpace(app, sumOf(bytes))) end.abort(new RecordingEnds(message('live.disk-full')));
    if (recordedSeconds() >= settings.live_hours * 3600)
      end.abort(new RecordingEnds(message('live.too-long', { hours: settings.live_hours })));
  };

  const onProgress: Options['onProgress'] = ({ fragments, downloadedBytes }) => {
    bytes.set(fragments?.path ?? '', downloadedBytes);
    const gigabytes = Math.round((10 * sumOf(bytes)) / gigabyte) / 10;
    report(stageReport(item, message('live.recording', { length: formatClock(recordedSeconds()), gigabytes })));
    if (app.now() < lookedAt + lookSeconds) return;
    lookedAt = app.now();
    look().catch((error: unknown) => app.log.warn({ id: item.id, err: error }, 'cannot check the limits of a recording'));
  };
  return { counts, onProgress };
}

const sumOf = (numbers: Map<string, number>) => [...numbers.values()].reduce((sum, number) => sum + number, 0);

// Other failures may pass while the stream runs.
const endings: FailureKind[] = ['gone', 'private', 'members-only', 'not-yet'];

/** Returns whether a stream still runs; null if the site does not answer. */
async function isRunning(app: AppContext, { url, settings, signal }: Options): Promise<boolean | null> {
  try {
    const { live } = await lookUp(await ytdlpSession(app), url, { lang: settings.extractor_lang, signal });
    return live === 'live';
  } catch (problem) {
    signal.throwIfAborted();
    return problem instanceof YtdlpFailed && endings.includes(problem.failure.kind) ? false : null;
  }
}

interface Recorder {
  report: TaskWork<unknown>['report'];
  end: AbortController;
}

/** Records a stream until it is over or the recording has to end. Returns how many fragments were left out. */
async function record(app: AppContext, item: QueueItem, options: Options, recorder: Recorder): Promise<number> {
  const { url, folder, settings, choice, signal } = options;
  const { end } = recorder;
  const { counts, onProgress } = follow(app, item, options, recorder);
  let [skipped, fruitless] = [0, 0];
  while (!end.signal.aborted) {
    const before = sumOf(counts);
    // yt-dlp counts an incomplete fragment as loaded, so it is missing then.
    for (const path of await recordedFiles(folder)) if ((await cutIncompleteFragment(path)) > 0) skipped++;
    try {
      await recordLive(await ytdlpSession(app), {
        url,
        folder,
        settings,
        format: choice.format,
        counts,
        signal: AbortSignal.any([signal, end.signal]),
        onSkipped: () => skipped++,
        onStage: () => {},
        onProgress,
      });
    } catch (problem) {
      signal.throwIfAborted();
      // Nothing is recorded, so that the item fails or waits as a download does.
      if ((await recordedFiles(folder)).length === 0) throw problem;
      if (problem instanceof YtdlpFailed && problem.failure.kind === 'disk-full')
        end.abort(new RecordingEnds(message('live.disk-full')));
      if (!end.signal.aborted) app.log.info({ id: item.id, err: problem }, 'a recording was interrupted');
    }
    if (end.signal.aborted) break;
    fruitless = sumOf(counts) > before ? 0 : fruitless + 1;
    const runs = await isRunning(app, options);
    if (runs === false) break;
    if (fruitless >= maxFruitless) end.abort(new RecordingEnds(message('live.no-more')));
    const seconds = pauseSeconds[runs ? 'interrupted' : 'failed'];
    await wait(seconds * 1000, undefined, { signal: AbortSignal.any([signal, end.signal]) }).catch(() => signal.throwIfAborted());
  }
  return skipped;
}

async function moveInto(folder: string, path: string): Promise<string> {
  const target = join(folder, basename(path));
  await rename(path, target);
  return target;
}

/** Returns the metadata after the stream; those of its start if the site has none any more. */
async function detailsAfter(app: AppContext, { url, folder, settings, signal }: Options): Promise<FetchedDetails> {
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

async function hasContent(path: string): Promise<boolean> {
  return (await stat(path)).size > 0;
}

/** Returns what fetches a video by recording it. `end` ends the recording. */
const recording =
  (app: AppContext, item: QueueItem, work: TaskWork<unknown>, end: AbortController): Fetching =>
  async (_session, options) => {
    const { folder, signal } = options;
    work.report(stageReport(item, message('live.starting')));
    const skipped = await record(app, item, options, { report: work.report, end });
    if (end.signal.aborted) {
      const { why } = end.signal.reason as RecordingEnds;
      work.note({ kind: 'step', what: item.title, why, videoId: item.id });
    }
    if (skipped > 0) work.skip(item.title, message('live.skipped', { count: skipped }), { videoId: item.id });
    work.report(stageReport(item, message('download.merging')));
    const paths = [];
    for (const path of await recordedFiles(folder)) if (await hasContent(path)) paths.push(path);
    const mediaPath = await joinRecorded(app.tools.ffmpeg!, { paths, target: join(folder, 'recording') }, signal);
    const { info, ...details } = await detailsAfter(app, options);
    // The length at the site is not that of the recording.
    const ofRecording = { durationSeconds: null, kind: 'streams', wantsAudio: true, wantsVideo: true } as const;
    return { ...details, mediaPath, limitedBy: null, info: { ...info, ...ofRecording } };
  };

/** Claims the item of a stream. Waits while a download, which tries it at the same time, holds it; undefined if it is gone. */
async function claim({ db, nodes, runId, now }: AppContext, id: string, signal: AbortSignal): Promise<QueueItem | undefined> {
  const giveUpAt = now() + 2 * leaseSeconds;
  for (;;) {
    const item = await claimRecording(db, id, { runId, now: now(), egress: nodes.egress });
    if (item || now() > giveUpAt || (await queuedIds(db, [id])).get(id) !== 'pending') return item;
    await wait(claimAgainSeconds * 1000, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

/** The work of the task. */
export async function recordStreamOf(work: TaskWork<StreamWanted>, app: AppContext): Promise<Message | void> {
  const item = await claim(app, work.input.id, work.signal);
  if (!item) return;
  // A stop by a person ends the recording, and what there is of it is archived.
  const [end, interruption] = [new AbortController(), new AbortController()];
  const onAbort = () => {
    const reason: unknown = work.signal.reason;
    if (reason instanceof Stopped) end.abort(new RecordingEnds(message('live.stopped')));
    else interruption.abort(reason);
  };
  if (work.signal.aborted) onAbort();
  else work.signal.addEventListener('abort', onAbort, { once: true });
  const inRun = { ...work, signal: interruption.signal };
  const outcome = await processItem(app, item, inRun, { pausesFirst: false, fetch: recording(app, item, inRun, end) });
  interruption.signal.throwIfAborted();
  return outcome === 'archived' ? message('live.done', { title: item.title }) : undefined;
}
