import { libraryCalls } from '#contract/library.ts';
import type { Archive } from '../archive.ts';
import { routes } from '../http/route.ts';
import type { TaskDefinition } from '../task/task.ts';
import { manualImport } from './import-folder.ts';
import { rescanFilesystem } from './rescan.ts';

async function begin<Input>({ tasks }: Archive, task: TaskDefinition<Input>, input: Input) {
  const { id, wasRunning } = await tasks.start(task, input);
  return { task_id: id, status: 'PENDING', ...(wasRunning && { message: `${task.title} is already running.` }) };
}

export const libraryRoutes = routes(libraryCalls, {
  'POST /api/appsettings/rescan-filesystem/': ({ body }, archive) => begin(archive, rescanFilesystem, body),
  'POST /api/appsettings/manual-import/': ({ body }, archive) => begin(archive, manualImport, body),
});
