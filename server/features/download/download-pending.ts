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
import { createSlots, placeOf } from './slots.ts';

const Input = z.object({
  /** Only items with auto-start, or items whose retry is due. */
  autoOnly: z.boolean().default(false),
  /** Excludes list-only items. */
  scheduled: z.boolean().optional(),
});
type Input = z.infer<typeof Input>;

/** Returns whether a running task may still enqueue items with auto-start. */
async function isMoreComing(app: AppContext): Promise<boolean> {
  const { tasks } = app;
  const adding = (await tasks.activeInputs('extract_download')) as { autostart?: boolean }[];
  if (adding.some(({ autostart }) => autostart === true)) return true;
  const isScanning = (await tasks.activeInputs('update_subscribed')).length > 0;
  return isScanning && (await readSettings(app.db)).subscriptions.auto_start;
}

/** Shows what other workers do in this run, and forgets those that have ended. */
function showOthers(shares: RunShare[], { reportOf, endReport }: ReturnType<typeof createSlots>) {
  for (const { runId, isActive, report } of shares) {
    if (isActive && report.messages.length > 0) reportOf(runId)(report);
    else endReport(runId);
  }
}

/** Whether another worker downloads, or could download what this one may not. */
async function isMoreElsewhere(app: AppContext, selection: Selection, shares: RunShare[]) {
  const { db, now, runId, config } = app;
  if (config.node === undefined) return false;
  if (await isAnyLeasedByOthers(db, runId, now())) return true;
  // Its last download has ended, and its result is not saved yet.
  if (shares.some(({ isActive, report }) => isActive && report.messages.length > 0)) return true;
  const settings = await readSettings(db);
  const egresses = new Set(shares.filter(({ isActive }) => isActive).map(({ egress }) => egress));
  return isAnyClaimable(
    db,
    selection,
    [...egresses].map((egress) => placeOf(app, egress, settings)),
  );
}

/** Processes queue items until none is left on any worker. Returns the number of archived videos. */
async function downloadAll(work: TaskWork<Input>, app: AppContext): Promise<number> {
  const { input, signal, report } = work;
  // The last progress stays visible until the next one.
  const slots = createSlots(app, { ...work, report: (now) => now.messages.length > 0 && report(now) }, input);
  let isPaused = false;
  for (;;) {
    if (app.nodes.isDraining()) {
      if (slots.isIdle()) throw new Shutdown('Another worker continues the run.');
      await slots.next(signal);
      continue;
    }
    const wasPaused = isPaused;
    isPaused = await app.tasks.isPaused(work.id);
    if (isPaused) {
      await slots.interrupt();
      if (!wasPaused) report({ messages: [message('download.paused')] });
      await slots.next(signal);
      continue;
    }
    // Checked before the queue, so that an item enqueued between the two checks is not missed.
    const isMore = await isMoreComing(app);
    const noRoom = await slots.whyNone();
    if (!signal.aborted && !noRoom && (await slots.takeNext())) continue;
    const shares = (await work.shares?.()) ?? [];
    showOthers(shares, slots);
    if (!slots.isIdle()) {
      await slots.next(signal);
      continue;
    }
    signal.throwIfAborted();
    if (await isMoreElsewhere(app, input, shares)) {
      await slots.next(signal);
      continue;
    }
    if (noRoom) throw new MessageError(noRoom);
    if (!isMore) {
      await slots.indexPlaylists();
      return shares.reduce((sum, { counts }) => sum + (counts.new ?? 0), slots.came.archived);
    }
    report({ messages: [message('download.waiting')] });
    await slots.next(signal);
  }
}

/** Downloads queue items in the run of another worker while it lasts. */
async function helpDownloading(work: AssistWork<Input>, app: AppContext) {
  const { signal, isWanted } = work;
  const slots = createSlots(app, work, work.input);
  while ((isWanted() && !signal.aborted) || !slots.isIdle()) {
    if (await app.tasks.isPaused(work.id)) await slots.interrupt();
    else if (isWanted() && !signal.aborted && !(await slots.whyNone()) && (await slots.takeNext())) continue;
    await slots.next(signal).catch(() => {}); // interrupted: the downloads end by themselves
  }
  await slots.indexPlaylists();
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

  async run(work, app) {
    const { db, tools } = app;
    if (!tools.ytdlp || !tools.ffmpeg)
      throw new MessageError(message('download.missing-tool', { tool: tools.ytdlp ? 'ffmpeg' : 'yt-dlp' }));
    work.report({ messages: [message('download.queue')] });
    try {
      const archived = await downloadAll(work, app);
      if (!work.input.autoOnly) await prioritizeItemsInCooldown(db, app.now(), work.input);
      await clearAutoStartOfFailed(db, app.now());
      return archived > 0 ? message('download.done', { count: archived }) : undefined;
    } catch (problem) {
      if (work.signal.aborted && !(work.signal.reason instanceof Shutdown)) await delayAutomaticStarts(db, app.now());
      throw problem;
    } finally {
      app.announce('download');
    }
  },

  async assist(work, app) {
    if (app.tools.ytdlp && app.tools.ffmpeg) await helpDownloading(work, app);
  },
});
