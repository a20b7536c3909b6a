import { serviceCalls } from '#contract/service.ts';
import { Problem } from '../http/problem.ts';
import { routes } from '../http/route.ts';
import { version } from '../version.ts';
import { updateNotice } from './version-check.ts';

export const serviceRoutes = routes(serviceCalls, {
  'GET /api/health/': async (_, { db, log }) => {
    try {
      await db.selectFrom('setting').select('name').limit(1).execute();
      return 'OK' as const;
    } catch (error) {
      log.error({ err: error }, 'the database cannot be used');
      throw new Problem(503, 'The database cannot be used; the log says why.', { retryAfterSeconds: 10 });
    }
  },

  'GET /api/ping/': async ({ user }, archive) => ({
    response: 'pong' as const,
    user: user.id,
    version,
    ta_update: await updateNotice(archive),
  }),
});
