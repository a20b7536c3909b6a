import { message } from '#contract/messages.ts';
import type { SourceProgram, ProgramImportTake } from '#contract/program-import.ts';
import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import type { AppContext } from '../../platform/context/app-context.ts';
import { inTransaction } from '../../platform/db/db.ts';
import { badRequest, HttpError } from '../../platform/http/http-error.ts';
import { MessageError } from '../../platform/messages/message-error.ts';
import { seal } from '../../platform/security/encryption.ts';
import { programImportTask } from './program-import-task.ts';
import { programs } from './programs/programs.ts';
import { allowedFolders, checkPath } from './source/safe-path.ts';
import { findProgramImport, isUndoable, type ProgramImportInput } from './store.ts';
import { findUpload } from './uploads.ts';

export interface ProgramImportRequest {
  from: SourceProgram;
  path?: string | undefined;
  upload?: string | undefined;
  address?: string | undefined;
  token?: string | undefined;
  path_map: Record<string, string>;
  dry_run: boolean;
  take?: ProgramImportTake[] | undefined;
}

/** Checks a request and returns the name of its source. @throws HttpError, MessageError */
async function checkRequest(
  app: AppContext,
  { from, path, upload, address, token, take }: ProgramImportRequest,
): Promise<string> {
  const program = programs[from];
  const unknown = take?.find((one) => !program.takes.includes(one));
  if (unknown) throw badRequest('migrate.take', { program: program.name, take: unknown });
  if (from === 'tubearchivist') {
    if (!address || !token || !/^https?:\/\/[^\s@]+$/i.test(address) || !URL.canParse(address))
      throw badRequest('migrate.address-missing');
    return new URL(address).origin;
  }
  if ((path === undefined) === (upload === undefined)) throw badRequest('migrate.one-source');
  return basename(upload === undefined ? await checkPath(allowedFolders(app.config), path!) : await findUpload(app, upload));
}

/** Creates the row of an import. */
export async function createProgramImport(
  db: Pick<AppContext, 'db'>['db'],
  { keys, now }: Pick<AppContext, 'keys' | 'now'>,
  {
    request,
    source,
    accountId,
    taskId,
    id,
  }: { request: ProgramImportRequest; source: string; accountId: number; taskId: string; id: string },
) {
  const input: ProgramImportInput = {
    path: request.path ?? null,
    upload: request.upload ?? null,
    address: request.address ?? null,
    pathMap: request.path_map,
    take: request.take ?? null,
  };
  await db
    .insertInto('migration')
    .values({
      id,
      taskId,
      program: request.from,
      source,
      input: JSON.stringify(input),
      sealed: request.token === undefined ? null : seal(keys, `migrate.${id}`, request.token),
      accountId,
      isDryRun: request.dry_run ? 1 : 0,
      status: 'pending',
      startedAt: now(),
    })
    .execute();
}

/** Starts an import. @throws HttpError if another one runs, or the request names no readable source */
export async function startProgramImport(app: AppContext, request: ProgramImportRequest, user: { id: number; name: string }) {
  const { db, tasks } = app;
  let source: string;
  try {
    source = await checkRequest(app, request);
  } catch (error) {
    throw error instanceof MessageError && !(error instanceof HttpError) ? new HttpError(400, error.messages) : error;
  }
  const id = randomUUID();
  const started = await inTransaction(db, async (tx) => {
    const run = await tasks.queue(tx, programImportTask, { id, action: 'run', by: user.name });
    if (run.wasRunning) throw badRequest('migrate.busy');
    await createProgramImport(tx, app, { request, source, accountId: user.id, taskId: run.id, id });
    return run;
  });
  await tasks.begun();
  app.announce('migrate');
  return { id, task_id: started.id };
}

/** Starts the undo of an import. @throws HttpError if it cannot be undone */
export async function startUndo(app: AppContext, id: string, user: { name: string }) {
  const { db, tasks, now } = app;
  const started = await inTransaction(db, async (tx) => {
    const row = await findProgramImport(tx, id);
    if (!row) throw new HttpError(404, message('error.no-migration'));
    if (!isUndoable(row, now())) throw badRequest('migrate.not-undoable');
    const run = await tasks.queue(tx, programImportTask, { id, action: 'undo', by: user.name });
    if (run.wasRunning) throw badRequest('migrate.busy');
    await tx.updateTable('migration').set({ taskId: run.id }).where('id', '=', id).execute();
    return run;
  });
  await tasks.begun();
  return { id, task_id: started.id };
}
