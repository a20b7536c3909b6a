import { libraryCalls } from '#contract/library.ts';
import { routes } from '../http/route.ts';
import { rescanFilesystem } from './rescan.ts';

export const libraryRoutes = routes(libraryCalls, {
  'POST /api/appsettings/rescan-filesystem/': async ({ body }, { tasks }) => {
    const { id, wasRunning } = await tasks.start(rescanFilesystem, body);
    return { task_id: id, status: 'PENDING', ...(wasRunning && { message: `${rescanFilesystem.title} is already running.` }) };
  },
});
