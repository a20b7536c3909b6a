import { message, type Message } from '#contract/messages.ts';
import { setTimeout as wait } from 'node:timers/promises';
import type { AppContext } from '../../platform/context/app-context.ts';
import type { TaskWork } from '../../platform/context/task.ts';
import { isPlaying } from '../../platform/http/playback.ts';

// Work on media files that nobody waits for.

/** Whether a video is being played or downloaded. */
export const isBusy = async (app: AppContext): Promise<boolean> =>
  isPlaying(app) || (await app.tasks.activeInputs('download_pending')).length > 0;

const lookMs = 5_000;
// The pause equals the time of the last video, within these bounds: at most half of one processor core is used.
const pauseMs = { least: 1_000, most: 60_000 };

type Work = Pick<TaskWork<unknown>, 'id' | 'signal' | 'report'>;

/** Returns why work has to wait; null if it may start. Runs started by staff do not wait for playback or downloads. */
async function whyWait(app: AppContext, id: string, isManual: boolean): Promise<Message | null> {
  if (await app.tasks.isPaused(id)) return message('previews.paused');
  return !isManual && (await isBusy(app)) ? message('previews.waiting') : null;
}

/** Waits until work may start. */
export async function untilQuiet(app: AppContext, { id, signal, report }: Work, isManual: boolean): Promise<void> {
  for (let why = await whyWait(app, id, isManual); why; why = await whyWait(app, id, isManual)) {
    report({ messages: [why] });
    await wait(lookMs, undefined, { signal });
  }
}

/** Rests after work that took `tookMs`. */
export const restAfter = (tookMs: number, signal: AbortSignal): Promise<void> =>
  wait(Math.min(pauseMs.most, Math.max(pauseMs.least, tookMs)), undefined, { signal });
