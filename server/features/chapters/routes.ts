import { chapterCalls } from '#contract/chapters.ts';
import { message } from '#contract/messages.ts';
import { readSettings } from '../../archive/settings/store.ts';
import { HttpError } from '../../platform/http/http-error.ts';
import { routes } from '../../platform/http/route.ts';
import { renderMessages } from '../../platform/messages/render.ts';
import { countGenerated, countWaiting, readEvaluation } from './store.ts';
import { evaluateChaptersTask } from './tasks.ts';
import { whyNotGenerate } from './why-not-generate.ts';

export const chapterRoutes = routes(chapterCalls, {
  'GET /api/chapters/': async (_, { db, tasks }) => {
    const [evaluation, running, why, videos, queue, { chapters }] = await Promise.all([
      readEvaluation(db),
      tasks.activeInputs('evaluate_chapters'),
      whyNotGenerate(db),
      countGenerated(db),
      countWaiting(db),
      readSettings(db),
    ]);
    return {
      evaluation,
      is_evaluating: running.length > 0,
      problem: why && renderMessages(why),
      problem_messages: why && [why],
      videos,
      queue: chapters.generate ? queue : 0,
    };
  },

  'POST /api/chapters/evaluation/': async (_, { db, tasks }) => {
    if (!(await readSettings(db)).meaning.enabled) throw new HttpError(409, message('error.meaning-off'));
    return { task_id: (await tasks.start(evaluateChaptersTask, {})).id };
  },
});
