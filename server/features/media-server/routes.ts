import { mediaServerCalls, type MediaServerReport } from '#contract/media-server.ts';
import { message } from '#contract/messages.ts';
import type { Db } from '../../platform/db/db.ts';
import { HttpError, notFound } from '../../platform/http/http-error.ts';
import { routes } from '../../platform/http/route.ts';
import { withClient } from './client.ts';
import { MediaServerError } from './connection.ts';
import { createMediaServer, updateMediaServer } from './save-server.ts';
import { isSyncing, serializeServer } from './shape.ts';
import { accessTo, deleteServer, findServer, listServers, recordFailure, type ServerRow } from './store.ts';
import { syncMediaServer } from './sync-task.ts';
import { testServer } from './test-connection.ts';

async function serverOf(db: Db, number: number): Promise<ServerRow> {
  const row = await findServer(db, number);
  if (!row) throw notFound('media-server.none');
  return row;
}

export const mediaServerRoutes = routes(mediaServerCalls, {
  'GET /api/media-server/': async (_, app) => {
    const data = [];
    for (const row of await listServers(app.db)) data.push(await serializeServer(app, row));
    return { data };
  },

  'POST /api/media-server/': async ({ body, user }, app) => {
    const number = await createMediaServer(app, body, user);
    app.announce('media-server');
    return serializeServer(app, await serverOf(app.db, number));
  },

  'POST /api/media-server/:id/': async ({ params, body, user }, app) => {
    await updateMediaServer(app, await serverOf(app.db, params.id), body, user);
    app.announce('media-server');
    return serializeServer(app, await serverOf(app.db, params.id));
  },

  'DELETE /api/media-server/:id/': async ({ params }, app) => {
    if (!(await deleteServer(app.db, params.id))) throw notFound('media-server.none');
    app.announce('media-server');
  },

  'POST /api/media-server/:id/test/': async ({ params }, app) => testServer(app, await serverOf(app.db, params.id)),

  'GET /api/media-server/:id/user/': async ({ params }, app) => {
    const row = await serverOf(app.db, params.id);
    try {
      return { data: await withClient(app, accessTo(app, row), (client) => client.users()) };
    } catch (error) {
      if (!(error instanceof MediaServerError)) throw error;
      await recordFailure(app, row.number, 'test', error);
      app.announce('media-server');
      throw new HttpError(400, error.messages);
    }
  },

  'GET /api/media-server/:id/sync/': async ({ params }, app) => {
    const { report } = await serverOf(app.db, params.id);
    return { report: report === null ? null : (JSON.parse(report) as MediaServerReport) };
  },

  'POST /api/media-server/:id/sync/': async ({ params, body }, app) => {
    const row = await serverOf(app.db, params.id);
    if (await isSyncing(app, row.number)) throw new HttpError(409, message('run.already-running', { title: row.name }));
    const { id } = await app.tasks.start(syncMediaServer, { server: row.number, dryRun: body?.dry_run ?? false });
    app.announce('media-server');
    return { message: 'task started', task_id: id };
  },
});
