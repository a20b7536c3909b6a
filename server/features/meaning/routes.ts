import { meaningCalls } from '#contract/meaning.ts';
import { message } from '#contract/messages.ts';
import { nextBackgroundTime } from '../../archive/settings/background-hours.ts';
import { readSettings } from '../../archive/settings/store.ts';
import { HttpError } from '../../platform/http/http-error.ts';
import { routes } from '../../platform/http/route.ts';
import { renderMessages } from '../../platform/messages/render.ts';
import { codesFolder, readHeader } from './codes.ts';
import { activeModel } from './active-model.ts';
import { meaningEngines } from './engine.ts';
import { modelFor, models } from './model.ts';
import { deleteAllPassages, hasPassages, indexTotals, maxPassages, uncovered } from './store.ts';
import { syncMeaningFiles } from './sync-files.ts';
import { embedPassagesTask, installMeaningTask } from './tasks.ts';
import { whyNotReady } from './why-not-ready.ts';

// Of a row with its index, about, without the vector.
const rowBytes = 128;

export const meaningRoutes = routes(meaningCalls, {
  'GET /api/meaning/': async (_, app) => {
    const { db, config, now } = app;
    const { meaning, background } = await readSettings(db);
    const { model } = meaning;
    const [engine, active, totals, others, header, why] = await Promise.all([
      meaningEngines[model].versions(app),
      activeModel(db),
      indexTotals(db, model),
      uncovered(db, model),
      readHeader({ folder: codesFolder(config), model }),
      meaning.enabled ? whyNotReady(app, model) : null,
    ]);
    const next = nextBackgroundTime(background.hours, now());
    return {
      engine,
      model,
      active_model: active,
      problem: why && renderMessages(why),
      problem_messages: why,
      ...totals,
      bytes: totals.passages * (rowBytes + models[model].dimensions) + (header?.bytes ?? 0),
      is_full: totals.passages >= maxPassages,
      uncovered: { ...others, covered_by: modelFor(model, others.languages) },
      starts_at: next > now() ? next : null,
    };
  },

  'GET /api/meaning/video/:id/': async ({ params }, { db }) => ({
    is_indexed: (await readSettings(db)).meaning.enabled && (await hasPassages(db, await activeModel(db), params.id)),
  }),

  'POST /api/meaning/engine/': async ({ body: { action } }, app) => {
    if (app.config.modelsPython !== undefined) throw new HttpError(409, message('meaning.configured'));
    const { model } = (await readSettings(app.db)).meaning;
    if (app.config.node !== undefined) throw new HttpError(409, meaningEngines[model].whyMissing(app));
    if (action === 'install') return { task_id: (await app.tasks.start(installMeaningTask, { model })).id };
    if (!(await meaningEngines[model].rollBack(app))) throw new HttpError(409, message('meaning.no-previous', { model }));
    return { task_id: null };
  },

  'POST /api/meaning/rebuild/': async (_, app) => {
    const { db, state, tasks } = app;
    const { enabled, model } = (await readSettings(db)).meaning;
    if (!enabled) throw new HttpError(409, message('error.meaning-off'));
    const why = await whyNotReady(app, model);
    if (why) throw new HttpError(409, why);
    await deleteAllPassages(db);
    // Empties the files at once.
    await syncMeaningFiles(app);
    state.passagesFailedAt = null;
    return { task_id: (await tasks.start(embedPassagesTask, {})).id };
  },
});
