import { message } from '#contract/messages.ts';
import { classifyDownloadError } from '../../archive/publish/classify-error.ts';
import { readSettings } from '../../archive/settings/store.ts';
import { jitteredDelay } from '../../archive/sites/jittered-delay.ts';
import { isCoolingDown, startCooldown } from '../../archive/sites/site-cooldowns.ts';
import { whyMediaUnavailable } from '../../archive/storage/mount-check.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import type { TaskWork } from '../../platform/context/task.ts';
import { MessageError } from '../../platform/messages/message-error.ts';

interface Video {
  id: string;
  title: string;
  site: string;
}

interface Asking<Found extends Video> {
  /** Name of the task. */
  title: string;
  find(id: string): Promise<Found | undefined>;
  /** Fetches something for a video. Returns whether its site was asked, and whether something was added. */
  fetch(video: Found, work: TaskWork<unknown>): Promise<{ isAsked: boolean; isAdded: boolean }>;
}

/**
 * Fetches something for archived videos from their sites, with a pause after each that was asked. A failure is reported, and a site
 * that demands a pause is left alone. Returns the number of videos to which something was added.
 */
export async function askSources<Found extends Video>(
  app: AppContext,
  ids: string[],
  work: TaskWork<unknown>,
  { title, find, fetch }: Asking<Found>,
): Promise<number> {
  const why = await whyMediaUnavailable(app);
  if (why) throw new MessageError(why);
  let [count, postponed] = [0, 0];
  for (const [place, id] of ids.entries()) {
    work.signal.throwIfAborted();
    const video = await find(id);
    if (!video) continue;
    if (await isCoolingDown(app, video.site)) {
      postponed++;
      continue;
    }
    const progress = place / ids.length;
    let isAsked = true;
    try {
      const done = await fetch(video, { ...work, report: (now) => work.report({ progress, ...now }) });
      isAsked = done.isAsked;
      if (done.isAdded) count++;
    } catch (problem) {
      work.signal.throwIfAborted();
      await startCooldown(app, video.site, classifyDownloadError(problem));
      work.skip(video.title, problem as Error, { videoId: id });
    }
    const isLast = place === ids.length - 1;
    if (isAsked && !isLast) await jitteredDelay((await readSettings(app.db)).downloads.sleep_interval, work.signal);
  }
  if (postponed > 0) work.skip(title, message('sounds.postponed', { count: postponed }));
  return count;
}
