import { message } from '#contract/messages.ts';
import { backupCalls } from '#contract/backup.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { isDamage } from '../../platform/db/db.ts';
import { sendFile } from '../../platform/http/files/files.ts';
import { notFound, badRequest, HttpError } from '../../platform/http/http-error.ts';
import { routes } from '../../platform/http/route.ts';
import { renderMessages } from '../../platform/messages/render.ts';
import { accountDifferencesOfBackup, accountDifferencesOfSnapshot } from './restore/accounts.ts';
import { keyHashOf } from '../../platform/http/auth/session.ts';
import { createTicket, isValidTicket } from './download-tickets.ts';
import { findBackup, listBackups } from './files/backup-files.ts';
import { includesUsers } from './files/detect-format.ts';
import { countBackup, countContents, countSnapshot } from './restore/contents.ts';
import { restoreBackup } from './restore-backup.ts';
import { runBackup } from './run-backup.ts';
import { nextSnapshot, startSnapshot } from './take-snapshot-task.ts';
import { deleteSnapshot, findDump, findSnapshot, listSnapshots, serializeSnapshot } from './snapshots.ts';
import { formatLocal } from '../../platform/lib/format-time.ts';
import { inBackups } from '../../platform/storage/stored-path.ts';
import { reauthenticate } from '../user/login/reauthentication.ts';
import { receiveUpload } from './upload.ts';
import { InvalidZipError } from '../../platform/files/zip.ts';

const countMs = 60_000;

async function theBackup(app: AppContext, filename: string) {
  const backup = await findBackup(app, filename);
  if (!backup) throw notFound('error.file');
  return backup;
}

/** Returns the local path of a backup. @throws 404 */
const localBackup = async (app: AppContext, filename: string) =>
  app.files.localPath(inBackups((await theBackup(app, filename)).filename));

async function theSnapshot(app: AppContext, id: string) {
  const snapshot = await findSnapshot(app.config, id);
  if (!snapshot) throw notFound('error.snapshot');
  return snapshot;
}

export const backupRoutes = routes(backupCalls, {
  'GET /api/appsettings/backup/': (_, app) => listBackups(app),

  'POST /api/appsettings/backup/': async ({ body }, app) => {
    const { id, wasRunning } = await app.tasks.start(runBackup, { reason: body.reason });
    return { message: wasRunning ? renderMessages(message('error.backup-runs')) : 'backup task started', task_id: id };
  },

  'GET /api/appsettings/backup/:filename/': ({ params }, app) => theBackup(app, params.filename),

  'POST /api/appsettings/backup/:filename/': async ({ params, body, user, request }, app) => {
    const { filename } = params;
    const path = await localBackup(app, filename);
    const people = !body.dry_run && (await includesUsers(path));
    if (people) await reauthenticate(app, { user, request });
    const { bring_accounts, ...input } = body;
    const accounts = bring_accounts ? 'bring' : 'stay';
    const { id, wasRunning } = await app.tasks.start(restoreBackup, {
      filename,
      ...input,
      accounts,
      people,
      account_id: user.id,
    });
    if (wasRunning) throw badRequest('error.restore-runs');
    return { message: 'backup restore task started', filename, task_id: id };
  },

  'DELETE /api/appsettings/backup/:filename/': async ({ params }, app) => {
    await app.files.remove(inBackups((await theBackup(app, params.filename)).filename));
    app.announce('settings');
  },

  'GET /api/appsettings/backup/:filename/accounts/': async ({ params }, app) => {
    const path = await localBackup(app, params.filename);
    try {
      const contents = {
        current: await countContents(app.db),
        copy: await countBackup(path, AbortSignal.timeout(countMs)),
      };
      if (!(await includesUsers(path))) return { missing: [], added: [], changed: [], replaces: false, contents };
      return { ...(await accountDifferencesOfBackup(app.db, path)), replaces: true, contents };
    } catch (error) {
      throw error instanceof InvalidZipError ? new HttpError(400, error.messages) : error;
    }
  },

  'POST /api/appsettings/backup/:filename/link/': async ({ params, user, request }, app) => {
    const { filename } = await theBackup(app, params.filename);
    const ticket = createTicket(app, { accountId: user.id, keyHash: keyHashOf(request), filename });
    const file = `/api/appsettings/backup/${encodeURIComponent(filename)}/file/`;
    return { url: `${request.basePath}${file}?${new URLSearchParams({ ticket })}` };
  },

  'GET /api/appsettings/backup/:filename/file/': async ({ params, query, user, request, reply }, app) => {
    const { filename } = await theBackup(app, params.filename);
    const holder = { accountId: user.id, keyHash: keyHashOf(request), filename };
    if (!isValidTicket(app, query.ticket, holder)) await reauthenticate(app, { user, request });
    const path = await localBackup(app, filename);
    await sendFile(request, reply, path, { attachment: filename, type: 'application/zip' });
  },

  'PUT /api/appsettings/backup/:filename/file/': ({ params, request }, app) => receiveUpload(app, params.filename, request),

  'GET /api/appsettings/snapshot/': async (_, { config, now }) => {
    const next = nextSnapshot(now());
    const snapshots = await listSnapshots(config);
    return {
      next_exec: next,
      next_exec_str: formatLocal(next),
      expire_after: '30d',
      snapshots: snapshots.map(serializeSnapshot),
    };
  },

  'POST /api/appsettings/snapshot/': async (_, app) => {
    if (app.config.databaseUrl && !(await findDump())) throw badRequest('error.pgdump');
    return { snapshot_name: await startSnapshot(app) };
  },

  'GET /api/appsettings/snapshot/:id/': async ({ params }, app) => serializeSnapshot(await theSnapshot(app, params.id)),

  'GET /api/appsettings/snapshot/:id/accounts/': async ({ params }, app) => {
    const snapshot = await theSnapshot(app, params.id);
    const current = await countContents(app.db);
    if (snapshot.isDump) return { missing: [], added: [], changed: [], contents: { current, copy: null } };
    try {
      const contents = { current, copy: await countSnapshot(snapshot.path) };
      return { ...(await accountDifferencesOfSnapshot(app.db, snapshot.path)), contents };
    } catch (error) {
      throw isDamage(error) ? badRequest('error.snapshot-damaged') : error;
    }
  },

  'POST /api/appsettings/snapshot/:id/': async ({ params, body, user }, app) => {
    const { id, isDump } = await theSnapshot(app, params.id);
    if (isDump || app.config.databaseUrl) throw badRequest('error.snapshot-dump');
    const { wasRunning } = await app.tasks.start(restoreBackup, {
      snapshot: id,
      dry_run: false,
      watched_for: 'me',
      accounts: body.bring_accounts ? 'bring' : 'stay',
      account_id: user.id,
    });
    if (wasRunning) throw badRequest('error.restore-runs');
    return { accepted: true as const };
  },

  'DELETE /api/appsettings/snapshot/:id/': async ({ params }, app) => {
    await deleteSnapshot(app.config, await theSnapshot(app, params.id));
    app.announce('settings');
  },
});
