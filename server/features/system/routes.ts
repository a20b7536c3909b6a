import { message, type Message } from '#contract/messages.ts';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { serviceCalls } from '#contract/system.ts';
import type { Config } from '../../platform/config/config.ts';
import { freeBytes } from '../../platform/files/free-space.ts';
import { reportUnwritable } from '../../platform/http/server/error-handler.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { HttpError, notFound } from '../../platform/http/http-error.ts';
import { routes } from '../../platform/http/route.ts';
import { apiVersion, version } from '../../platform/config/version.ts';
import { renderMessages } from '../../platform/messages/render.ts';
import { findWorkOf } from './node-work.ts';
import { readRelease } from './version-check.ts';

/** Degraded: users can still log in and watch. */
const ailing = (why: Message) => new HttpError(503, why, { retryAfterSeconds: 60, more: { may_log_in: true } });

const leastFree = 1_000_000;

async function refuseWithoutDatabase({ db, log }: Pick<AppContext, 'db' | 'log'>) {
  try {
    await db.selectFrom('setting').select('name').limit(1).execute();
  } catch (error) {
    log.error({ err: error }, 'the database cannot be used');
    throw new HttpError(503, message('error.database'), { retryAfterSeconds: 10 });
  }
}

async function nodeOf({ nodes }: Pick<AppContext, 'nodes'>, name: string) {
  const node = (await nodes.list()).find((one) => one.name === name);
  if (!node) throw notFound('error.node');
  return node;
}

/** Throws if the data folder is not writable. Writes nothing, because a health check every 30 s would keep disks awake. */
async function refuseUnwritable({ dataFolder }: Config) {
  await access(dataFolder, constants.W_OK).catch(() => {
    throw ailing(message('error.data-folder-read-only'));
  });
  if ((await freeBytes(dataFolder)) < leastFree) throw ailing(reportUnwritable.full);
}

export const systemRoutes = routes(serviceCalls, {
  'GET /livez/': async () => 'OK' as const,

  // Fastify answers 503 while the server closes.
  'GET /readyz/': async (_, app) => {
    if (app.health.work === 'beginning') throw new HttpError(503, message('error.starting'), { retryAfterSeconds: 5 });
    if (app.nodes.isDraining()) throw new HttpError(503, message('error.draining'));
    await refuseWithoutDatabase(app);
    return 'OK' as const;
  },

  'GET /api/health/': async (_, app) => {
    const { config, health } = app;
    await refuseWithoutDatabase(app);
    // Details are for staff; this endpoint is public.
    if (health.damage) throw ailing(message('error.damaged-database'));
    if (typeof health.work === 'object') throw ailing(message('error.background-tasks'));
    await refuseUnwritable(config);
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
