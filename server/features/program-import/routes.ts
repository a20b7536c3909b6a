import { programImportCalls } from '#contract/program-import.ts';
import { message } from '#contract/messages.ts';
import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { HttpError } from '../../platform/http/http-error.ts';
import { routes } from '../../platform/http/route.ts';
import { allowedFolders } from './source/safe-path.ts';
import { startProgramImport, startUndo } from './start.ts';
import { findProgramImport, listProgramImports, readReport, serializeProgramImport } from './store.ts';
import { receiveSourceFile } from './uploads.ts';

const maxEntries = 200;

/** Lists the first entries of a folder. A folder that cannot be read is empty. */
async function entriesIn(folder: string) {
  const entries: { path: string; is_folder: boolean }[] = [];
  try {
    for await (const entry of await opendir(folder)) {
      if (entry.name.startsWith('.') || (!entry.isDirectory() && !entry.isFile())) continue;
      entries.push({ path: join(folder, entry.name), is_folder: entry.isDirectory() });
      if (entries.length === maxEntries) break;
    }
  } catch {
    return [];
  }
  return entries.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

export const programImportRoutes = routes(programImportCalls, {
  'GET /api/migrate/': async (_, { db, config, now }) => {
    const folders = allowedFolders(config);
    return {
      folders,
      entries: (await Promise.all(folders.map(entriesIn))).flat(),
      migrations: (await listProgramImports(db)).map((row) => serializeProgramImport(row, now())),
    };
  },
  'POST /api/migrate/': ({ body, user }, app) => startProgramImport(app, body, user),
  'PUT /api/migrate/upload/:filename/': async ({ params, request }, app) => ({
    upload: await receiveSourceFile(app, params.filename, request),
  }),
  'GET /api/migrate/:id/': async ({ params }, { db, now }) => {
    const row = await findProgramImport(db, params.id);
    if (!row) throw new HttpError(404, message('error.no-migration'));
    return readReport(db, row, now());
  },
  'POST /api/migrate/:id/undo/': ({ params, user }, app) => startUndo(app, params.id, user),
});
