import { message, type Message } from '#contract/messages.ts';
import { viewCalls, type View } from '#contract/view.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { HttpError, notFound } from '../../platform/http/http-error.ts';
import { routes } from '../../platform/http/route.ts';
import { renderMessages } from '../../platform/messages/render.ts';
import { buildView, whyNoViews } from './build-view.ts';
import { schemeOf } from './content.ts';
import { presetTemplates } from './presets.ts';
import { previewPaths } from './preview.ts';
import { resolveRoot } from './root-folder.ts';
import { changeView, checkContent, createView, deleteView, namingOf, refuseWithBucket } from './save-view.ts';
import { activeBuilds, readWork, serializeView } from './shape.ts';
import { findView, listViews } from './store.ts';

const refusedPreview = (why: Message) => ({ files: [], problem: renderMessages(why), problem_messages: [why] });

async function oneOf(app: AppContext, number: number): Promise<View> {
  const row = await findView(app.db, number);
  if (!row) throw notFound('view.none');
  return serializeView(app, row, await readWork(app));
}

export const viewRoutes = routes(viewCalls, {
  'GET /api/view/': async (_, app) => {
    const work = await readWork(app);
    const data = [];
    for (const row of await listViews(app.db)) data.push(await serializeView(app, row, work));
    const why = whyNoViews(app);
    const unavailable = { unavailable: why && renderMessages(why), unavailable_messages: why && [why] };
    return { data, folder: app.config.viewsFolder, presets: presetTemplates, ...unavailable };
  },

  'POST /api/view/': async ({ body, user }, app) => {
    const number = await createView(app, user, body);
    app.announce('view');
    return oneOf(app, number);
  },

  'POST /api/view/preview/': async ({ body, user }, app) => {
    const naming = { ...namingOf(body), chosenBy: user.id };
    const scheme = schemeOf({ preset: body.preset, template: body.template ?? null });
    if ('id' in scheme) return refusedPreview(scheme);
    if (typeof body.root === 'string') {
      const root = await resolveRoot(app, body.root);
      if (typeof root !== 'string') return refusedPreview(root);
    }
    await checkContent(app.db, user, body.content);
    return { files: await previewPaths(app, naming, scheme), problem: null, problem_messages: null };
  },

  'POST /api/view/:id/': async ({ params, body, user }, app) => {
    await changeView(app, user, params.id, body);
    app.announce('view');
    return oneOf(app, params.id);
  },

  'DELETE /api/view/:id/': async ({ params, query }, app) => {
    await deleteView(app, params.id, { keepsFiles: query.forget });
    app.announce('view');
  },

  'POST /api/view/:id/build/': async ({ params, body }, app) => {
    const view = await findView(app.db, params.id);
    if (!view) throw notFound('view.none');
    if (view.state !== 'deleting') refuseWithBucket(app);
    if ((await activeBuilds(app)).has(view.number))
      throw new HttpError(409, message('run.already-running', { title: view.name }));
    const { id } = await app.tasks.start(buildView, { view: view.number, startOver: body?.start_over ?? false });
    return { message: 'task started', task_id: id };
  },
});
