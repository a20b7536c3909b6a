import { MessageError } from '../../platform/messages/message-error.ts';
import { message, messages } from '#contract/messages.ts';
import { z } from 'zod';
import type { AppContext } from '../../platform/context/app-context.ts';
import { readSettings } from '../../archive/settings/store.ts';
import { defineTask, Shutdown, type AssistWork, type RunShare, type TaskWork } from '../../platform/context/task.ts';
import {
  clearAutoStartOfFailed,
  delayAutomaticStarts,
  isAnyClaimable,
  isAnyLeasedByOthers,
  prioritizeItemsInCooldown,
  type Selection,
} from '../../archive/queue/claims.ts';
import { createLanes, placeOf } from './lanes.ts';

const Input = z.object({
  /** Only items with auto-start, or items whose retry is due. */
  autoOnly: z.boolean().default(false),
  /** Excludes list-only items. */
  scheduled: z.boolean().optional(),
});
type Input = z.infer<typeof Input>;

/** Returns whether a running task may still enqueue items with auto-start. */
async function isMoreComing(archive: AppContext): Promise<boolean> {
  const { tasks } = archive;
  const adding = (await tasks.activeInputs('extract_download')) as { autostart?: boolean }[];
  if (adding.some(({ autostart }) => autostart === true)) return true;
  const isScanning = (await tasks.activeInputs('update_subscribed')).length > 0;
  return isScanning && (await readSettings(archive.db)).subscriptions.auto_start;
}

/** Shows what other workers do in this run, and forgets those that have ended. */
function showOthers(shares: RunShare[], { reportOf, endReport }: ReturnType<typeof createLanes>) {
  for (const { runId, isActive, report } of shares) {
    if (isActive && report.messages.length > 0) reportOf(runId)(report);
    else endReport(runId);
  }
}

/** Whether another worker downloads, or could download what this one may not. */
async function isMoreElsewhere(archive: AppContext, selection: Selection, shares: RunShare[]) {
  const { db, now, runId, config } = archive;
  if (config.node === undefined) return false;
  if (await isAnyLeasedByOthers(db, runId, now())) return true;
  // Its last download has ended, and its result is not saved yet.
  if (shares.some(({ isActive, report }) => isActive && report.messages.length > 0)) return true;
  const settings = await readSettings(db);
  const egresses = new Set(shares.filter(({ isActive }) => isActive).map(({ egress }) => egress));
  return isAnyClaimable(
    db,
    selection,
    [...egresses].map((egress) => placeOf(archive, egress, settings)),
  );
}

/** Processes queue items until none is left on any worker. Returns the number of archived videos. */
async function downloadAll(work: TaskWork<Input>, archive: AppContext): Promise<number> {
  const { input, signal, report } = work;
  // The last progress stays visible until the next one.
  const lanes = createLanes(archive, { ...work, report: (now) => now.messages.length > 0 && report(now) }, input);
  let isPaused = false;
  for (;;) {
    if (archive.nodes.isDraining()) {
      if (lanes.isIdle()) throw new Shutdown('Another worker continues the run.');
      await lanes.next(signal);
      continue;
    }
    const wasPaused = isPaused;
    isPaused = await archive.tasks.isPaused(work.id);
    if (isPaused) {
      await lanes.interrupt();
      if (!wasPaused) report({ messages: [message('download.paused')] });
      await lanes.next(signal);
      continue;
    }
    // Checked before the queue, so that an item enqueued between the two checks is not missed.
    const isMore = await isMoreComing(archive);
    const noRoom = await lanes.whyNone();
    if (!signal.aborted && !noRoom && (await lanes.takeNext())) continue;
    const shares = (await work.shares?.()) ?? [];
    showOthers(shares, lanes);
    if (!lanes.isIdle()) {
      await lanes.next(signal);
      continue;
    }
    signal.throwIfAborted();
    if (await isMoreElsewhere(archive, input, shares)) {
      await lanes.next(signal);
      continue;
    }
    if (noRoom) throw new MessageError(noRoom);
    if (!isMore) {
      await lanes.indexPlaylists();
      return shares.reduce((sum, { counts }) => sum + (counts.new ?? 0), lanes.came.archived);
    }
    report({ messages: [message('download.waiting')] });
    await lanes.next(signal);
  }
}

/** Downloads queue items in the run of another worker while it lasts. */
async function helpDownloading(work: AssistWork<Input>, archive: AppContext) {
  const { signal, isWanted } = work;
  const lanes = createLanes(archive, work, work.input);
  while ((isWanted() && !signal.aborted) || !lanes.isIdle()) {
    if (await archive.tasks.isPaused(work.id)) await lanes.interrupt();
    else if (isWanted() && !signal.aborted && !(await lanes.whyNone()) && (await lanes.takeNext())) continue;
    await lanes.next(signal).catch(() => {}); // interrupted: the downloads end by themselves
  }
  await lanes.indexPlaylists();
}

/** Downloads the pending queue items. */
export const downloadPending = defineTask<Input>({
  name: 'download_pending',
  title: messages['task.download_pending'],
  group: 'download:run',
  isStartable: true,
  isStoppable: true,
  isPausable: true,
  schedule: { auto: '0 16 *', isOnFromTheStart: 'new', input: { scheduled: true } },
  needs: ['ytdlp', 'ffmpeg'],
  input: Input,

  async run(work, archive) {
    const { db, tools } = archive;
    if (!tools.ytdlp || !tools.ffmpeg)
      throw new MessageError(message('download.missing-tool', { tool: tools.ytdlp ? 'ffmpeg' : 'yt-dlp' }));
    work.report({ messages: [message('download.queue')] });
    try {
      const archived = await downloadAll(work, archive);
      if (!work.input.autoOnly) await prioritizeItemsInCooldown(db, archive.now(), work.input);
      await clearAutoStartOfFailed(db, archive.now());
      return archived > 0 ? message('download.done', { count: archived }) : undefined;
    } catch (problem) {
      if (work.signal.aborted && !(work.signal.reason instanceof Shutdown)) await delayAutomaticStarts(db, archive.now());
      throw problem;
    } finally {
      archive.announce('download');
    }
  },

  async assist(work, archive) {
    if (archive.tools.ytdlp && archive.tools.ffmpeg) await helpDownloading(work, archive);
  },
});
