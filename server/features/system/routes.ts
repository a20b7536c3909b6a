import { message } from '#contract/messages.ts';
import { serviceCalls } from '#contract/system.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { HttpError, notFound } from '../../platform/http/http-error.ts';
import { routes } from '../../platform/http/route.ts';
import { apiVersion, version } from '../../platform/config/version.ts';
import { renderMessages } from '../../platform/messages/render.ts';
import { findWorkOf } from './node-work.ts';
import { refuseUnhealthy, refuseUnready } from './readiness.ts';
import { readRelease } from './version-check.ts';

async function nodeOf({ nodes }: Pick<AppContext, 'nodes'>, name: string) {
  const node = (await nodes.list()).find((one) => one.name === name);
  if (!node) throw notFound('error.node');
  return node;
}

export const systemRoutes = routes(serviceCalls, {
  'GET /livez/': async () => 'OK' as const,

  'GET /readyz/': async (_, app) => {
    await refuseUnready(app);
    return 'OK' as const;
  },

  'GET /api/health/': async (_, app) => {
    await refuseUnhealthy(app);
    return 'OK' as const;
  },

  'GET /api/ping/': async ({ user }, app) => ({
    response: 'pong' as const,
    user: user.id,
    version: apiVersion,
    reelkeep_version: version,
    ...(await readRelease(app)),
  }),

  'GET /api/node/': async (_, app) => {
    const nodes = await app.nodes.list();
    const work = await findWorkOf(
      app,
      nodes.map(({ runId }) => runId),
    );
    return nodes.map(
      ({ name, runId, isThis, role, egress, version, ytdlp, isLeader, isAlive, isDraining, problems, startedAt, seenAt }) => ({
        name,
        is_this: isThis,
        role,
        egress,
        version,
        ytdlp,
        is_leader: isLeader,
        is_alive: isAlive,
        is_draining: isDraining,
        ...work(runId),
        problems: problems.map(renderMessages),
        problem_messages: problems,
        started_at: startedAt,
        seen_at: seenAt,
      }),
    );
  },

  'POST /api/node/:name/': async ({ params, body }, app) => {
    const { name, isAlive } = await nodeOf(app, params.name);
    if (!isAlive) throw new HttpError(409, message('error.node-dead', { name }));
    await app.nodes.setDraining(name, body.is_draining);
    app.announce('node');
  },

  'DELETE /api/node/:name/': async ({ params }, app) => {
    const node = await nodeOf(app, params.name);
    if (node.isAlive || !(await app.nodes.remove(node)))
      throw new HttpError(409, message('error.node-alive', { name: node.name }));
    app.announce('node');
  },
});
