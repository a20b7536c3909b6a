import { queueDownloadFailure } from '../../archive/outbox/queue-event.ts';
import { message, type Message } from '#contract/messages.ts';
import { parseMessages } from '../../platform/messages/stored.ts';
import type { Failure } from '../../platform/ytdlp/failure.ts';
import { isStillDownloading } from '../../platform/ytdlp/fetch-video.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { inTransaction } from '../../platform/db/db.ts';
import { readSettings } from '../../archive/settings/store.ts';
import { isLeaseLost, Shutdown, type TaskWork } from '../../platform/context/task.ts';
import { retryWrite } from '../../platform/tasks/retry-write.ts';
import { archiveVideo, type Fetching } from '../../archive/publish/archive-video.ts';
import { stageReport } from '../../archive/publish/download-report.ts';
import { classifyDownloadError } from '../../archive/publish/classify-error.ts';
import { removeLostWorkDir, workDirOf } from '../../archive/publish/work-dir.ts';
import { keepLeaseRenewed } from '../../archive/queue/renew-lease.ts';
import { readManifest, removeDownload } from '../../archive/publish/manifest.ts';
import { hasRecording } from '../../archive/publish/recording-state.ts';
import { usesLogin } from '../../archive/sites/login-egress.ts';
import { failuresWithoutLogin } from '../../archive/queue/retry-now.ts';
import { jitteredDelay } from '../../archive/sites/jittered-delay.ts';
import { needPoTokens } from '../../archive/sites/po-tokens.ts';
import { nextAttemptAt } from '../../archive/sites/retry-policy.ts';
import { registerDownload, ItemRemovedError } from '../../archive/queue/active-downloads.ts';
import { countResponse, countFailure } from '../../archive/sites/site-stats.ts';
import { forgetCooldowns, startCooldown } from '../../archive/sites/site-cooldowns.ts';
import { limitationMessages, parseLimitation } from '../../archive/video/limitation.ts';
import { leaveToLogin, recordFailure, releaseLease, type QueueItem } from '../../archive/queue/claims.ts';

// How long the removal of the files of a lost download is retried.
const lostMs = 60_000;

// Until then the plugin for PO tokens is installed.
const withPoTokensSeconds = 30;

/** Why a stream or premiere is not downloaded now, and when it is tried again. */
export interface StreamSchedule extends Failure {
  retryAt: number | null;
  /** Epoch seconds; null if the site has not said so. */
  startsAt: number | null;
}

interface HowToProcess {
  /** Pauses before the site is asked. */
  pausesFirst: boolean;
  /** Default: as a download. */
  fetch?: Fetching;
  /** Records a running stream if that is wanted. Returns whether it is recorded. */
  recordIfWanted?(item: QueueItem): Promise<boolean>;
  /** Returns when a stream is tried that is to be recorded (stream-schedule.ts). */
  scheduleAfter?(item: QueueItem, failure: Failure, signal: AbortSignal): Promise<StreamSchedule | null>;
}

/**
 * Downloads one item while renewing its lease. Pauses first if the previous request to the site was just made. Returns why the
 * present file was kept, if it was to become better.
 */
async function download(app: AppContext, item: QueueItem, work: TaskWork<unknown>, { pausesFirst, ...how }: HowToProcess) {
  const renewal = keepLeaseRenewed(app, item);
  let kept: Message | null = null;
  try {
    await registerDownload(app, item.number, AbortSignal.any([work.signal, renewal.lost]), async (signal) => {
      if (pausesFirst) {
        work.report(stageReport(item, message('download.pausing')));
        await jitteredDelay((await readSettings(app.db)).downloads.sleep_interval, signal);
      }
      const inSignal = { ...work, signal };
      const fetch =
        how.fetch ??
        ((await hasRecording(workDirOf(app, item.number)))
          ? (await import('./join-recording.ts')).fetchRecorded(app, item, inSignal)
          : undefined);
      kept = await archiveVideo(app, item, inSignal, fetch);
    });
    return kept;
  } finally {
    renewal.end();
  }
}

/**
 * Releases an item without a result. A stop removes the partial download; a shutdown keeps it for resuming. A complete and
 * verified download is always kept, and so is a recording, unless the item was removed.
 */
async function releaseItem(app: AppContext, item: QueueItem, reason: unknown) {
  const folder = workDirOf(app, item.number);
  const isKept =
    reason instanceof Shutdown ||
    (await readManifest(folder)) !== null ||
    (!(reason instanceof ItemRemovedError) && (await hasRecording(folder)));
  if (!isKept) await removeDownload(folder);
  await releaseLease(app.db, item);
  app.announce('download');
}

/**
 * Media of YouTube that are refused again, although the link was new: the client needs a PO token, which yt-dlp does not say of its default
 * clients.
 */
function asRepeatedRefusal(item: QueueItem, failure: Failure): Failure {
  const isRefusal = (one: Message | undefined) => one?.id.startsWith('failure.forbidden') === true;
  const isRepeated = item.failure !== null && isRefusal(failure.message) && isRefusal(parseMessages(item.message)?.[0]);
  return isRepeated && item.site === 'youtube' ? { kind: 'token', message: message('failure.forbidden-again') } : failure;
}

/** Records why a download failed, unless another server has claimed the item, or should because it uses the cookies. */
async function noteWhy(
  app: AppContext,
  item: QueueItem,
  problem: unknown,
  { signal, how }: { signal: AbortSignal; how: HowToProcess },
) {
  const { db, log } = app;
  const found = asRepeatedRefusal(item, classifyDownloadError(problem));
  const schedule = how.scheduleAfter ? await how.scheduleAfter(item, found, signal).catch(() => null) : null;
  const failure = schedule ?? found;
  const now = app.now();
  log.warn({ id: item.id, failure: failure.kind, err: problem }, 'a download failed');
  app.metrics.downloadFailures.inc({ site: app.metrics.site(item.site), class: failure.kind });
  const retryAt = (await needPoTokens(app, failure).catch(() => false))
    ? now + withPoTokensSeconds
    : (schedule?.retryAt ??
      nextAttemptAt(failure.kind, { failures: item.failures + 1, now, againInSeconds: failure.againInSeconds }));
  const write = async () => {
    if (failuresWithoutLogin.includes(failure.kind) && !usesLogin(app, await readSettings(db))) {
      await leaveToLogin(db, item);
      return 'left to login';
    }
    return inTransaction(db, async (tx) => {
      await startCooldown(app, item.site, failure, tx);
      if (!(await recordFailure(tx, item, { ...failure, retryAt }))) return 'lost';
      // A retry that fails in the same way is no news.
      if (item.failure !== failure.kind) await queueDownloadFailure(tx, item, { ...failure, retryAt }, now);
      await countFailure(tx, item.site, failure.kind, now);
      return failure;
    });
  };
  return retryWrite(write, app, signal).catch((error: unknown) => {
    // The item becomes available again when its lease expires.
    log.error({ id: item.id, err: error }, 'cannot record the failure of a download');
    return failure;
  });
}

/** Removes the files of an item that another server has claimed. */
async function putDownLost(app: AppContext, item: QueueItem): Promise<'put down'> {
  app.log.warn({ id: item.id }, 'the lease of a download was lost; another server continues it');
  // After a freeze the connection to the database may have to be opened again.
  await retryWrite(() => removeLostWorkDir(app, item.number), app, AbortSignal.timeout(lostMs)).catch((error: unknown) =>
    app.log.error({ id: item.id, err: error }, 'cannot remove the files of a lost download'),
  );
  return 'put down';
}

/** Counts the bytes of an archived video, and notes it in the history of the run. */
async function noteArchived({ db, metrics }: AppContext, { id, site, title }: QueueItem, work: TaskWork<unknown>) {
  const video = await db.selectFrom('video').select(['sizeBytes', 'limitation']).where('id', '=', id).executeTakeFirst();
  metrics.downloadedBytes.inc({ site: metrics.site(site) }, video?.sizeBytes ?? 0);
  const limitation = parseLimitation(video?.limitation ?? null);
  work.note({ kind: 'new', what: title, videoId: id, ...(limitation && { why: limitationMessages(limitation) }) });
}

/** Result of processing one item. */
export type ItemOutcome = 'archived' | 'failed' | 'disk-full' | 'put down';

/** Processes one queue item until it is archived, failed with a reason, or released by a stop. Never throws. */
export async function processItem(
  app: AppContext,
  item: QueueItem,
  work: TaskWork<unknown>,
  how: HowToProcess,
): Promise<ItemOutcome> {
  app.announce('download');
  try {
    const kept = await download(app, item, work, how);
    await forgetCooldowns(app, item.site);
    await countResponse(app.db, item.site, 'archived', app.now());
    if (kept) work.note({ kind: 'left-out', what: item.title, videoId: item.id, why: kept });
    else await noteArchived(app, item, work);
    return 'archived';
  } catch (problem) {
    if (isLeaseLost(problem, work.signal)) return putDownLost(app, item);
    if (work.signal.aborted || problem instanceof ItemRemovedError) {
      await releaseItem(app, item, work.signal.aborted ? work.signal.reason : problem).catch((error: unknown) =>
        app.log.error({ id: item.id, err: error }, 'cannot release a download'),
      );
      return 'put down';
    }
    const failure = await noteWhy(app, item, problem, { signal: work.signal, how });
    if (failure === 'lost') return putDownLost(app, item);
    if (failure === 'left to login') return 'put down';
    if (failure.message.id === isStillDownloading.message.id) {
      // It was over before the recording began, as the download has said.
      if (!how.recordIfWanted) return 'failed';
      const isRecorded = await how
        .recordIfWanted(item)
        .catch((error: unknown) => app.log.error({ id: item.id, err: error }, 'cannot start a recording'));
      if (isRecorded) {
        work.note({ kind: 'step', what: item.title, why: message('live.starting'), videoId: item.id });
        return 'put down';
      }
    }
    work.skip(item.title, failure.message, { videoId: item.id, cause: problem });
    return failure.kind === 'disk-full' ? 'disk-full' : 'failed';
  } finally {
    app.announce('download');
  }
}
