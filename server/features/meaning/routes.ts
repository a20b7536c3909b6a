import { meaningCalls } from '#contract/meaning.ts';
import { message } from '#contract/messages.ts';
import { nextBackgroundTime } from '../../archive/settings/background-hours.ts';
import { readSettings } from '../../archive/settings/store.ts';
import { HttpError } from '../../platform/http/http-error.ts';
import { routes } from '../../platform/http/route.ts';
import { renderMessages } from '../../platform/messages/render.ts';
import { codesFolder, readHeader } from './codes.ts';
import { meaningEngine } from './engine.ts';
import { modelName } from './model.ts';
import { deleteAllPassages, hasPassages, indexTotals, maxPassages, uncovered } from './store.ts';
import { syncMeaningFiles } from './sync-files.ts';
import { embedPassagesTask, installMeaningTask } from './tasks.ts';
import { whyNotReady } from './why-not-ready.ts';

// Of a row with its index, about.
const rowBytes = 640;

export const meaningRoutes = routes(meaningCalls, {
  'GET /api/meaning/': async (_, app) => {
    const { db, config, now } = app;
    const { meaning, background } = await readSettings(db);
    const [engine, totals, others, header, why] = await Promise.all([
      meaningEngine.versions(app),
      indexTotals(db),
      uncovered(db),
      readHeader(codesFolder(config)),
      meaning.enabled ? whyNotReady(app) : null,
    ]);
    const next = nextBackgroundTime(background.hours, now());
    return {
      engine,
      model: modelName,
      problem: why && renderMessages(why),
      problem_messages: why,
      ...totals,
      bytes: totals.passages * rowBytes + (header?.bytes ?? 0),
      is_full: totals.passages >= maxPassages,
      uncovered: others,
      starts_at: next > now() ? next : null,
    };
  },

  'GET /api/meaning/video/:id/': async ({ params }, { db }) => ({
    is_indexed: (await readSettings(db)).meaning.enabled && (await hasPassages(db, params.id)),
  }),

  'POST /api/meaning/engine/': async ({ body: { action } }, app) => {
    if (app.config.modelsPython !== undefined) throw new HttpError(409, message('meaning.configured'));
    if (app.config.node !== undefined) throw new HttpError(409, meaningEngine.whyMissing(app));
    if (action === 'install') return { task_id: (await app.tasks.start(installMeaningTask, {})).id };
    if (!(await meaningEngine.rollBack(app))) throw new HttpError(409, message('meaning.no-previous'));
    return { task_id: null };
  },

  'POST /api/meaning/rebuild/': async (_, app) => {
    const { db, state, tasks } = app;
    if (!(await readSettings(db)).meaning.enabled) throw new HttpError(409, message('error.meaning-off'));
    const why = await whyNotReady(app);
    if (why) throw new HttpError(409, why);
    await deleteAllPassages(db);
    // Empties the files at once.
    await syncMeaningFiles(app);
    state.passagesFailedAt = null;
    return { task_id: (await tasks.start(embedPassagesTask, {})).id };
  },
});
