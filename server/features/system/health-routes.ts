import { healthCalls } from '#contract/health.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { badRequest } from '../../platform/http/http-error.ts';
import { routes } from '../../platform/http/route.ts';
import { updateSettings, readSettings } from '../../archive/settings/store.ts';
import { toolsFolderOf } from '../../platform/context/tools.ts';
import { previousVersion } from '../../platform/ytdlp/managed-install.ts';
import { runHealthChecks } from './health-checks.ts';
import { isManaged, rollBackYtdlp } from './update-ytdlp.ts';

const stateOf = async (app: AppContext) => ({
  version: app.tools.ytdlp?.version ?? null,
  is_managed: await isManaged(app),
  pinned: (await readSettings(app.db)).ytdlp.pinned,
  previous: await previousVersion(toolsFolderOf(app)),
});

export const healthRoutes = routes(healthCalls, {
  'GET /api/health/checks/': (_, app) => runHealthChecks(app),

  'GET /api/ytdlp/': (_, app) => stateOf(app),

  'POST /api/ytdlp/rollback/': async (_, app) => {
    const program = await rollBackYtdlp(app);
    if (!program) throw badRequest('error.no-previous-ytdlp');
    // Otherwise the next update would install the newer version again.
    await updateSettings(app, { ytdlp: { pinned: program.version } });
    return stateOf(app);
  },
});
