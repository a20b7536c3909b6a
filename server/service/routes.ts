import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { serviceCalls } from '#contract/service.ts';
import type { Config } from '../config.ts';
import { freeBytes } from '../download/room-left.ts';
import { unwritten } from '../http/errors.ts';
import { Problem } from '../http/problem.ts';
import { routes } from '../http/route.ts';
import { version } from '../version.ts';
import { updateNotice } from './version-check.ts';

/** Not well, and yet people log in and watch. */
const ailing = (why: string) => new Problem(503, why, { retryAfterSeconds: 60, more: { may_log_in: true } });

const leastFree = 1_000_000;

/** Throws where nothing can be kept. Nothing is written to find out: whoever asks each half minute would keep disks awake. */
async function refuseUnwritable({ dataFolder }: Config) {
  await access(dataFolder, constants.W_OK).catch(() => {
    throw ailing('The data folder cannot be written, so nothing can be kept. What is there can be watched meanwhile.');
  });
  if ((await freeBytes(dataFolder)) < leastFree) throw ailing(unwritten.full);
}

export const serviceRoutes = routes(serviceCalls, {
  'GET /livez/': async () => 'OK' as const,

  'GET /api/health/': async (_, { config, db, log, troubles }) => {
    try {
      await db.selectFrom('setting').select('name').limit(1).execute();
    } catch (error) {
      log.error({ err: error }, 'the database cannot be used');
      throw new Problem(503, 'The database cannot be used; the log says why.', { retryAfterSeconds: 10 });
    }
    // Why is for whoever is staff: everybody may ask here.
    if (troubles.damage) throw ailing('The database is damaged; Settings, Health says what to do.');
    if (typeof troubles.work === 'object')
      throw ailing('Background work could not begin and is tried again; Settings, Health says why.');
    await refuseUnwritable(config);
    return 'OK' as const;
  },

  'GET /api/ping/': async ({ user }, archive) => ({
    response: 'pong' as const,
    user: user.id,
    version,
    ta_update: await updateNotice(archive),
  }),
});
