import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { message, type Message } from '#contract/messages.ts';
import type { Fetching } from '../../archive/publish/archive-video.ts';
import { formatClock, stageReport } from '../../archive/publish/download-report.ts';
import { readRecordingState, writeRecordingState, type RecordingState } from '../../archive/publish/recording-state.ts';
import { claimRecording, leaseSeconds, queuedIds, type QueueItem } from '../../archive/queue/claims.ts';
import { ytdlpSession } from '../../archive/sites/ytdlp-session.ts';
import { missingMediaSpace } from '../../archive/storage/disk-space.ts';
import { isSameEdit } from '../../archive/video/quality.ts';
import type { EndReason } from '../../archive/video/recording.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { Stopped, type TaskWork } from '../../platform/context/task.ts';
import { gigabyte } from '../../platform/files/free-space.ts';
import { cutIncompleteFragment } from '../../platform/media/fragments.ts';
import { YtdlpFailed } from '../../platform/ytdlp/failure.ts';
import { readJson } from '../../platform/ytdlp/info.ts';
import { loadedFragments, recordedFiles, recordLive, type FragmentCounts } from '../../platform/ytdlp/record-live.ts';
import { requeueArchived } from './requeue-archived.ts';
import { isRunning, joinRecording, usualFragmentSeconds, type FetchingOptions } from './join-recording.ts';
import { startCollectingChat } from './record-chat.ts';
import { processItem } from './process-item.ts';
import type { StreamWanted } from './record-stream-task.ts';

// How a recording survives interruptions: docs/decisions/live-streams.md.

/** Reason of the signal that ends a recording before the stream ends: what is recorded is archived. */
class RecordingEnds extends Error {
  readonly reason: EndReason;
  constructor(reason: EndReason) {
    super('The recording ends.');
    this.reason = reason;
  }
}

const endMessages: Record<EndReason, (hours: number) => Message> = {
  'disk-full': () => message('live.disk-full'),
  'too-long': (hours) => message('live.too-long', { hours }),
  stopped: () => message('live.stopped'),
  'no-more': () => message('live.no-more'),
};

/** Between two looks at the limits of a recording. */
const lookSeconds = 30;
/** Before yt-dlp is continued: after it got nothing new, and after the site did not answer. */
const pauseSeconds = { interrupted: 10, failed: 60 };
/** So many times in a row nothing new is recorded before a recording ends. */
const maxFruitless = 20;
const claimAgainSeconds = 5;

/** Returns the length of the fragments of a stream (null if unknown), and about how many bytes a second of it has (0 if unknown). */
async function readFormats(folder: string, siteId: string) {
  const text = await readFile(join(folder, `${siteId}.info.json`), 'utf8').catch(() => '{}');
  const { format_id: chosen, formats } = readJson(text) as { format_id?: unknown; formats?: Record<string, unknown>[] };
  const ids = String(chosen).split('+');
  const recorded = (Array.isArray(formats) ? formats : []).filter(({ format_id: id }) => ids.includes(String(id)));
  const numbers = (name: string) => recorded.map((format) => Number(format[name])).filter((value) => value > 0);
  const kilobits = numbers('tbr').reduce((sum, rate) => sum + rate, 0);
  return { fragmentSeconds: numbers('target_duration')[0] ?? null, bytesPerSecond: kilobits * 125 };
}

/** Follows the progress of a recording: reports it, and ends it at the limits. */
function follow(app: AppContext, item: QueueItem, { folder, settings }: FetchingOptions, { work, end, state }: Recorder) {
  const counts: FragmentCounts = new Map();
  const bytes = new Map<string, number>();
  let lookedAt = 0;
  const recordedSeconds = () => Math.max(0, ...counts.values()) * (state.fragmentSeconds ?? usualFragmentSeconds);

  /** Says so before a stream is recorded that the disk may be too small for, which is no reason not to record its beginning. */
  const warn = async (bytesPerSecond: number) => {
    const hours = settings.live_hours;
    const needed = bytesPerSecond * hours * 3600;
    // At the end the formats are joined into a second file.
    if (needed > 0 && (await missingMediaSpace(app, 2 * needed)))
      work.note({
        kind: 'step',
        what: item.title,
        why: message('live.little-space', { hours, gigabytes: Math.ceil((2 * needed) / gigabyte) }),
        videoId: item.id,
      });
  };

  const look = async () => {
    if (state.fragmentSeconds === null) {
      const { fragmentSeconds, bytesPerSecond } = await readFormats(folder, item.siteId);
      state.fragmentSeconds = fragmentSeconds ?? usualFragmentSeconds;
      await warn(bytesPerSecond);
    }
    if (await missingMediaSpace(app, sumOf(bytes))) end.abort(new RecordingEnds('disk-full'));
    if (recordedSeconds() >= settings.live_hours * 3600) end.abort(new RecordingEnds('too-long'));
  };

  const onProgress: FetchingOptions['onProgress'] = ({ fragments, downloadedBytes }) => {
    bytes.set(fragments?.path ?? '', downloadedBytes);
    const gigabytes = Math.round((10 * sumOf(bytes)) / gigabyte) / 10;
    work.report(stageReport(item, message('live.recording', { length: formatClock(recordedSeconds()), gigabytes })));
    if (app.now() < lookedAt + lookSeconds) return;
    lookedAt = app.now();
    look().catch((error: unknown) => app.log.warn({ id: item.id, err: error }, 'cannot check the limits of a recording'));
  };
  return { counts, onProgress };
}

const sumOf = (numbers: Map<string, number>) => [...numbers.values()].reduce((sum, number) => sum + number, 0);

interface Recorder {
  work: TaskWork<unknown>;
  end: AbortController;
  /** Saved when a fragment is missing, and when yt-dlp has ended. */
  state: RecordingState;
}

/** Cuts incomplete fragments off the recorded files, which yt-dlp counts as loaded, so that they are missing. */
async function cutFiles(folder: string, onLost: (fragment: number) => void): Promise<void> {
  for (const path of await recordedFiles(folder)) {
    if ((await cutIncompleteFragment(path)) === 0) continue;
    const loaded = await loadedFragments(path);
    if (loaded) onLost(loaded - 1);
  }
}

/** Adds the fragments to the missing ones that only some of the formats have at the end. */
function addUnequalEnds(counts: FragmentCounts, { lost }: RecordingState): void {
  const loaded = [...counts.values()];
  for (let fragment = Math.min(...loaded); fragment < Math.max(...loaded); fragment++) lost.push(fragment);
}

/** Records a stream until it is over or the recording has to end. */
async function record(app: AppContext, item: QueueItem, options: FetchingOptions, recorder: Recorder): Promise<void> {
  const { url, folder, settings, choice, signal } = options;
  const { end, state } = recorder;
  const { counts, onProgress } = follow(app, item, options, recorder);
  let saved = Promise.resolve();
  const save = () => (saved = saved.catch(() => undefined).then(() => writeRecordingState(folder, state)));
  const onLost = (fragment: number) => {
    state.lost.push(fragment);
    save().catch((error: unknown) => app.log.warn({ id: item.id, err: error }, 'cannot note a missing part of a recording'));
  };
  let fruitless = 0;
  while (!end.signal.aborted) {
    const before = sumOf(counts);
    await cutFiles(folder, onLost);
    try {
      await recordLive(await ytdlpSession(app), {
        url,
        folder,
        settings,
        format: choice.format,
        counts,
        signal: AbortSignal.any([signal, end.signal]),
        onLost,
        onStage: () => {},
        onProgress,
      });
    } catch (problem) {
      // Nothing is recorded, so that the item fails or waits as a download does.
      if (!signal.aborted && (await recordedFiles(folder)).length === 0) throw problem;
      if (problem instanceof YtdlpFailed && problem.failure.kind === 'disk-full') end.abort(new RecordingEnds('disk-full'));
      if (!end.signal.aborted) app.log.info({ id: item.id, err: problem }, 'a recording was interrupted');
    }
    await save();
    signal.throwIfAborted();
    if (end.signal.aborted) break;
    fruitless = sumOf(counts) > before ? 0 : fruitless + 1;
    const runs = await isRunning(app, options).catch(() => null);
    signal.throwIfAborted();
    if (runs === false) break;
    if (fruitless >= maxFruitless) end.abort(new RecordingEnds('no-more'));
    const seconds = pauseSeconds[runs ? 'interrupted' : 'failed'];
    await wait(seconds * 1000, undefined, { signal: AbortSignal.any([signal, end.signal]) }).catch(() => signal.throwIfAborted());
  }
  if (!end.signal.aborted) addUnequalEnds(counts, state);
}

/** Returns what fetches a video by recording it. `end` ends the recording, `onSite` receives the length at the site. */
const recording =
  (
    app: AppContext,
    item: QueueItem,
    work: TaskWork<unknown>,
    { end, onSite }: { end: AbortController; onSite(seconds: number | null): void },
  ): Fetching =>
  async (_session, options) => {
    const { folder, settings } = options;
    const state = await readRecordingState(folder);
    // A recording that has ended and could not be joined is not continued.
    if (!state.reason) {
      work.report(stageReport(item, message('live.starting')));
      await writeRecordingState(folder, state);
      const endChat = await startCollectingChat(app, item, options);
      try {
        await record(app, item, options, { work, end, state });
      } finally {
        await endChat();
      }
      if (end.signal.aborted) {
        state.reason = (end.signal.reason as RecordingEnds).reason;
        await writeRecordingState(folder, state);
        work.note({ kind: 'step', what: item.title, why: endMessages[state.reason](settings.live_hours), videoId: item.id });
      }
      const count = new Set(state.lost).size;
      if (count > 0) work.skip(item.title, message('live.skipped', { count }), { videoId: item.id });
    }
    const { siteSeconds, ...fetched } = await joinRecording(app, item, options, work);
    // An early end was wanted, or the disk has no space for more.
    onSite(state.reason === null || state.reason === 'no-more' ? siteSeconds : null);
    return fetched;
  };

/** Downloads the site's version of a stream that was not recorded to its end, which replaces the recording when it is verified. */
async function completeBySite(app: AppContext, { id, title }: QueueItem, siteSeconds: number, work: TaskWork<unknown>) {
  const video = await app.db.selectFrom('video').select('durationSeconds').where('id', '=', id).executeTakeFirst();
  if (!video || siteSeconds <= video.durationSeconds) return;
  if (isSameEdit(siteSeconds, video.durationSeconds, { wasRecorded: true })) return;
  if ((await requeueArchived(app, [id], 'edited')) > 0)
    work.note({ kind: 'step', what: title, why: message('live.completed-by-site'), videoId: id });
}

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
    if (reason instanceof Stopped) end.abort(new RecordingEnds('stopped'));
    else interruption.abort(reason);
  };
  if (work.signal.aborted) onAbort();
  else work.signal.addEventListener('abort', onAbort, { once: true });
  const inRun = { ...work, signal: interruption.signal };
  let siteSeconds: number | null = null;
  const onSite = (seconds: number | null) => (siteSeconds = seconds);
  const fetch = recording(app, item, inRun, { end, onSite });
  const outcome = await processItem(app, item, inRun, { pausesFirst: false, fetch });
  interruption.signal.throwIfAborted();
  if (outcome === 'archived' && siteSeconds !== null) await completeBySite(app, item, siteSeconds, inRun);
  return outcome === 'archived' ? message('live.done', { title: item.title }) : undefined;
}
