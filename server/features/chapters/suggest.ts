import { message, type Message } from '#contract/messages.ts';
import { nextBackgroundTime } from '../../archive/settings/background-hours.ts';
import { readSettings } from '../../archive/settings/store.ts';
import { watchBackgroundHours } from '../../archive/settings/watch-background-hours.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import type { TaskWork } from '../../platform/context/task.ts';
import { chaptersOfTrack, tryTrack } from './chapters-of-track.ts';
import { countWaiting, nextTracks, saveChapters, videoOf, type SpokenTrack } from './store.ts';

const tracksAtOnce = 50;

/** Whether chapters may be generated now. */
export async function isTimeForChapters({ db, now }: AppContext): Promise<boolean> {
  const { chapters, meaning, background } = await readSettings(db);
  return chapters.generate && meaning.enabled && nextBackgroundTime(background.hours, now()) <= now();
}

/** Generates chapters for all videos that need them. Each is saved at once, so a stop or a crash loses at most one. */
export async function suggestChapters(work: TaskWork<unknown>, app: AppContext): Promise<Message | void> {
  const { db, announce } = app;
  const { signal, report } = work;
  const hours = watchBackgroundHours(app);
  const both = AbortSignal.any([signal, hours.signal]);
  const total = await countWaiting(db);
  let [done, count] = [0, 0];
  const look = async (track: SpokenTrack) => {
    const video = await videoOf(db, track.videoId);
    if (!video) return;
    const find = async () => (video.chapters === '[]' ? chaptersOfTrack(db, track, video.durationSeconds) : []);
    const chapters = (await tryTrack(app, work, track, find)) ?? [];
    await saveChapters(db, track, chapters);
    if (chapters.length > 0) count++;
  };
  try {
    // Saved ones are not listed again; if none could be saved, the rest is left for the next run.
    for (let waiting = total; waiting > 0 && (await isTimeForChapters(app));) {
      for (const track of await nextTracks(db, tracksAtOnce)) {
        both.throwIfAborted();
        await look(track);
        report({ messages: [message('chapters.running', { done: ++done, total })], progress: Math.min(1, done / total) });
      }
      const left = await countWaiting(db);
      if (left >= waiting) break;
      waiting = left;
    }
  } catch (error) {
    if (hours.signal.aborted && !signal.aborted) return;
    app.state.chaptersFailedAt = app.now();
    throw error;
  } finally {
    hours.stop();
    announce('settings', 'video');
  }
  if (done > 0) return message('chapters.done', { count });
}
