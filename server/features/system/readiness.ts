import { message, type Message } from '#contract/messages.ts';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import type { Config } from '../../platform/config/config.ts';
import { freeBytes } from '../../platform/files/free-space.ts';
import { reportUnwritable } from '../../platform/http/server/error-handler.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { HttpError } from '../../platform/http/http-error.ts';

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

/** Throws if the data folder is not writable. Writes nothing, because a health check every 30 s would keep disks awake. */
async function refuseUnwritable({ dataFolder }: Config) {
  await access(dataFolder, constants.W_OK).catch(() => {
    throw ailing(message('error.data-folder-read-only'));
  });
  if ((await freeBytes(dataFolder)) < leastFree) throw ailing(reportUnwritable.full);
}

/** Throws 503 if this server cannot take requests now. Fastify answers 503 while the server closes. */
export async function refuseUnready(app: AppContext): Promise<void> {
  if (app.health.work === 'beginning') throw new HttpError(503, message('error.starting'), { retryAfterSeconds: 5 });
  if (app.nodes.isDraining()) throw new HttpError(503, message('error.draining'));
  await refuseWithoutDatabase(app);
}

/** Throws 503 if something needs attention of staff. Details are for staff, and this check is public. */
export async function refuseUnhealthy(app: AppContext): Promise<void> {
  const { config, health } = app;
  await refuseWithoutDatabase(app);
  if (health.damage) throw ailing(message('error.damaged-database'));
  if (typeof health.work === 'object') throw ailing(message('error.background-tasks'));
  await refuseUnwritable(config);
}
