import { healthCalls } from '#contract/health.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { badRequest } from '../../platform/http/http-error.ts';
import { routes } from '../../platform/http/route.ts';
import { updateSettings, readSettings } from '../../archive/settings/store.ts';
import { toolsFolderOf } from '../../platform/context/tools.ts';
import { previousVersion } from '../../platform/ytdlp/managed-install.ts';
import { runHealthChecks } from './health-checks.ts';
import { isManaged, rollBackYtdlp, updateYtdlp } from './update-ytdlp.ts';
import { needsRepair } from './ytdlp-parts.ts';

const stateOf = async (archive: AppContext) => ({
  version: archive.tools.ytdlp?.version ?? null,
  is_managed: await isManaged(archive),
  pinned: (await readSettings(archive.db)).ytdlp.pinned,
  previous: await previousVersion(toolsFolderOf(archive)),
});

export const healthRoutes = routes(healthCalls, {
  'GET /api/health/checks/': (_, archive) => runHealthChecks(archive),

  'GET /api/ytdlp/': (_, archive) => stateOf(archive),

  'POST /api/ytdlp/update/': async (_, archive) => {
    if (!(await isManaged(archive)) && !needsRepair(archive.tools)) throw badRequest('error.ytdlp-not-managed');
    const { id } = await archive.tasks.start(updateYtdlp, { repairs: true });
    return { task_id: id, status: 'PENDING' };
  },

  'POST /api/ytdlp/rollback/': async (_, archive) => {
    const program = await rollBackYtdlp(archive);
    if (!program) throw badRequest('error.no-previous-ytdlp');
    // Otherwise the next update would install the newer version again.
    await updateSettings(archive, { ytdlp: { pinned: program.version } });
    return stateOf(archive);
  },
});
