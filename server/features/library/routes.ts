import { libraryCalls } from '#contract/library.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { routes } from '../../platform/http/route.ts';
import type { TaskDefinition } from '../../platform/context/task.ts';
import { importFolder } from '../../platform/config/data-folder.ts';
import { listImportFolder } from './import/list-import-folder.ts';
import { receiveImportFile } from './import/receive-import-file.ts';
import { manualImport } from './import/import-folder.ts';
import { rescanFilesystem } from './consistency/rescan.ts';

async function begin<Input>({ tasks }: AppContext, task: TaskDefinition<Input>, input: Input) {
  const { id, wasRunning } = await tasks.start(task, input);
  return { task_id: id, status: 'PENDING', ...(wasRunning && { message: `${task.title} is already running.` }) };
}

export const libraryRoutes = routes(libraryCalls, {
  'POST /api/appsettings/rescan-filesystem/': ({ body }, app) => begin(app, rescanFilesystem, body),
  'GET /api/appsettings/manual-import/': (_, { config }) => listImportFolder(importFolder(config)),
  'PUT /api/appsettings/manual-import/:filename/': ({ params, request }, app) => receiveImportFile(app, params.filename, request),
  'POST /api/appsettings/manual-import/': ({ body }, app) => begin(app, manualImport, body),
});
