import { message, type Message } from '#contract/messages.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import type { TaskWork } from '../../platform/context/task.ts';
import { activeModel } from '../meaning/active-model.ts';
import { startsOfTrack, tryTrack } from './chapters-of-track.ts';
import { scoreBoundaries, type ComparedStarts } from './score-boundaries.ts';
import { comparableTracks, saveEvaluation, videoOf } from './store.ts';
import { percentages } from './why-not-generate.ts';

const maxVideos = 200;

/**
 * Compares generated chapters with those of the sites, in videos that have both, and stores the result. The chapters of a video are
 * not used to generate its own.
 */
export async function evaluateChapters(work: TaskWork<unknown>, app: AppContext): Promise<Message> {
  const { signal, report } = work;
  const { db, now, announce } = app;
  const model = await activeModel(db);
  const tracks = await comparableTracks(db, model, maxVideos);
  const compared: ComparedStarts[] = [];
  for (const { chapters, ...track } of tracks) {
    signal.throwIfAborted();
    const video = await videoOf(db, track.videoId);
    const found = video && (await tryTrack(app, work, track, () => startsOfTrack(db, track)));
    if (!found) continue;
    const isLater = (start: number) => start > 0;
    const ofSite = chapters.map(({ start }) => start).filter(isLater);
    compared.push({ generated: found.starts.filter(isLater), ofSite, durationSeconds: video.durationSeconds });
    const done = compared.length;
    report({ messages: [message('chapters.evaluating', { done, total: tracks.length })], progress: done / tracks.length });
  }
  const score = scoreBoundaries(compared);
  await saveEvaluation(db, { videos: compared.length, ...score, model, evaluated_at: now() });
  announce('settings');
  return message('chapters.evaluated', { videos: compared.length, ...percentages(score) });
}
