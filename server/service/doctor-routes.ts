import { doctorCalls } from '#contract/doctor.ts';
import type { Archive } from '../archive.ts';
import { refused } from '../http/problem.ts';
import { routes } from '../http/route.ts';
import { changeSettings } from '../settings/change.ts';
import { currentSettings } from '../settings/read.ts';
import { toolsFolderOf } from '../tools.ts';
import { previousVersion } from '../ytdlp/managed.ts';
import { examine } from './doctor.ts';
import { isManaged, rollBackYtdlp, updateYtdlp } from './update-ytdlp.ts';

const stateOf = async (archive: Archive) => ({
  version: archive.tools.ytdlp?.version ?? null,
  is_managed: await isManaged(archive),
  pinned: (await currentSettings(archive)).ytdlp.pinned,
  previous: await previousVersion(toolsFolderOf(archive)),
});

export const doctorRoutes = routes(doctorCalls, {
  'GET /api/doctor/': (_, archive) => examine(archive),

  'GET /api/ytdlp/': (_, archive) => stateOf(archive),

  'POST /api/ytdlp/update/': async (_, archive) => {
    if (!(await isManaged(archive)))
      throw refused('This yt-dlp is not kept up to date by us: it was configured, belongs to the machine, or updates are off.');
    const { id } = await archive.tasks.start(updateYtdlp, {});
    return { task_id: id, status: 'PENDING' };
  },

  'POST /api/ytdlp/rollback/': async (_, archive) => {
    const program = await rollBackYtdlp(archive);
    if (!program) throw refused('There is no earlier yt-dlp to go back to.');
    // Else the next update would bring the other one again.
    await changeSettings(archive, { ytdlp: { pinned: program.version } });
    return stateOf(archive);
  },
});
