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
import { InvalidBackupError } from './files/zip.ts';

const countMs = 60_000;

async function theBackup(archive: AppContext, filename: string) {
  const backup = await findBackup(archive, filename);
  if (!backup) throw notFound('error.file');
  return backup;
}

/** Returns the local path of a backup. @throws 404 */
const localBackup = async (archive: AppContext, filename: string) =>
  archive.files.localPath(inBackups((await theBackup(archive, filename)).filename));

async function theSnapshot(archive: AppContext, id: string) {
  const snapshot = await findSnapshot(archive.config, id);
  if (!snapshot) throw notFound('error.snapshot');
  return snapshot;
}

export const backupRoutes = routes(backupCalls, {
  'GET /api/appsettings/backup/': (_, archive) => listBackups(archive),

  'POST /api/appsettings/backup/': async ({ body }, archive) => {
    const { id, wasRunning } = await archive.tasks.start(runBackup, { reason: body.reason });
    return { message: wasRunning ? renderMessages(message('error.backup-runs')) : 'backup task started', task_id: id };
  },

  'GET /api/appsettings/backup/:filename/': ({ params }, archive) => theBackup(archive, params.filename),

  'POST /api/appsettings/backup/:filename/': async ({ params, body, user, request }, archive) => {
    const { filename } = params;
    const path = await localBackup(archive, filename);
    const people = !body.dry_run && (await includesUsers(path));
    if (people) await reauthenticate(archive, { user, request });
    const { bring_accounts, ...input } = body;
    const accounts = bring_accounts ? 'bring' : 'stay';
    const { id, wasRunning } = await archive.tasks.start(restoreBackup, {
      filename,
      ...input,
      accounts,
      people,
      account_id: user.id,
    });
    if (wasRunning) throw badRequest('error.restore-runs');
    return { message: 'backup restore task started', filename, task_id: id };
  },

  'DELETE /api/appsettings/backup/:filename/': async ({ params }, archive) => {
    await archive.files.remove(inBackups((await theBackup(archive, params.filename)).filename));
    archive.announce('settings');
  },

  'GET /api/appsettings/backup/:filename/accounts/': async ({ params }, archive) => {
    const path = await localBackup(archive, params.filename);
    try {
      const contents = {
        current: await countContents(archive.db),
        copy: await countBackup(path, AbortSignal.timeout(countMs)),
      };
      if (!(await includesUsers(path))) return { missing: [], added: [], changed: [], replaces: false, contents };
      return { ...(await accountDifferencesOfBackup(archive.db, path)), replaces: true, contents };
    } catch (error) {
      throw error instanceof InvalidBackupError ? new HttpError(400, error.messages) : error;
    }
  },

  'POST /api/appsettings/backup/:filename/link/': async ({ params, user, request }, archive) => {
    const { filename } = await theBackup(archive, params.filename);
    const ticket = createTicket(archive, { accountId: user.id, keyHash: keyHashOf(request), filename });
    const file = `/api/appsettings/backup/${encodeURIComponent(filename)}/file/`;
    return { url: `${request.basePath}${file}?${new URLSearchParams({ ticket })}` };
  },

  'GET /api/appsettings/backup/:filename/file/': async ({ params, query, user, request, reply }, archive) => {
    const { filename } = await theBackup(archive, params.filename);
    const holder = { accountId: user.id, keyHash: keyHashOf(request), filename };
    if (!isValidTicket(archive, query.ticket, holder)) await reauthenticate(archive, { user, request });
    const path = await localBackup(archive, filename);
    await sendFile(request, reply, path, { attachment: filename, type: 'application/zip' });
  },

  'PUT /api/appsettings/backup/:filename/file/': ({ params, request }, archive) =>
    receiveUpload(archive, params.filename, request),

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

  'POST /api/appsettings/snapshot/': async (_, archive) => {
    if (archive.config.databaseUrl && !(await findDump())) throw badRequest('error.pgdump');
    return { snapshot_name: await startSnapshot(archive) };
  },

  'GET /api/appsettings/snapshot/:id/': async ({ params }, archive) => serializeSnapshot(await theSnapshot(archive, params.id)),

  'GET /api/appsettings/snapshot/:id/accounts/': async ({ params }, archive) => {
    const snapshot = await theSnapshot(archive, params.id);
    const current = await countContents(archive.db);
    if (snapshot.isDump) return { missing: [], added: [], changed: [], contents: { current, copy: null } };
    try {
      const contents = { current, copy: await countSnapshot(snapshot.path) };
      return { ...(await accountDifferencesOfSnapshot(archive.db, snapshot.path)), contents };
    } catch (error) {
      throw isDamage(error) ? badRequest('error.snapshot-damaged') : error;
    }
  },

  'POST /api/appsettings/snapshot/:id/': async ({ params, body, user }, archive) => {
    const { id, isDump } = await theSnapshot(archive, params.id);
    if (isDump || archive.config.databaseUrl) throw badRequest('error.snapshot-dump');
    const { wasRunning } = await archive.tasks.start(restoreBackup, {
      snapshot: id,
      dry_run: false,
      watched_for: 'me',
      accounts: body.bring_accounts ? 'bring' : 'stay',
      account_id: user.id,
    });
    if (wasRunning) throw badRequest('error.restore-runs');
    return { accepted: true as const };
  },

  'DELETE /api/appsettings/snapshot/:id/': async ({ params }, archive) => {
    await deleteSnapshot(archive.config, await theSnapshot(archive, params.id));
    archive.announce('settings');
  },
});
