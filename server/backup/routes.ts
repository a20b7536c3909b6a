import { rm } from 'node:fs/promises';
import { backupCalls } from '#contract/backup.ts';
import type { Archive } from '../archive.ts';
import { sendFile } from '../http/files.ts';
import { notFound, refused } from '../http/problem.ts';
import { routes } from '../http/route.ts';
import { findBackup, listBackups } from './folder.ts';
import { bringsPeople } from './kind.ts';
import { restoreBackup } from './restore-backup.ts';
import { runBackup } from './run-backup.ts';
import { nextSnapshot, startSnapshot } from './snapshot.ts';
import { dropSnapshot, findDump, findSnapshot, listSnapshots, shapeSnapshot } from './snapshots.ts';
import { localTime } from '../time-text.ts';
import { prove } from '../user/prove.ts';
import { takeUpload } from './upload.ts';

async function theBackup(archive: Archive, filename: string) {
  const backup = await findBackup(archive, filename);
  if (!backup) throw notFound('file');
  return backup;
}

async function theSnapshot(archive: Archive, id: string) {
  const snapshot = await findSnapshot(archive.config, id);
  if (!snapshot) throw notFound('snapshot');
  return snapshot;
}

export const backupRoutes = routes(backupCalls, {
  'GET /api/appsettings/backup/': (_, archive) => listBackups(archive),

  'POST /api/appsettings/backup/': async ({ body }, archive) => {
    const { id, wasRunning } = await archive.tasks.start(runBackup, { reason: body.reason });
    return { message: wasRunning ? 'A backup is being written already.' : 'backup task started', task_id: id };
  },

  'GET /api/appsettings/backup/:filename/': ({ params }, archive) => theBackup(archive, params.filename),

  'POST /api/appsettings/backup/:filename/': async ({ params, body, user, request }, archive) => {
    const { filename, file_path: path } = await theBackup(archive, params.filename);
    const people = !body.dry_run && (await bringsPeople(path));
    if (people) await prove(archive, { user, request });
    const { id, wasRunning } = await archive.tasks.start(restoreBackup, { filename, ...body, people, account_id: user.id });
    if (wasRunning) throw refused('Something is being restored already. Wait for its end.');
    return { message: 'backup restore task started', filename, task_id: id };
  },

  'DELETE /api/appsettings/backup/:filename/': async ({ params }, archive) => {
    await rm((await theBackup(archive, params.filename)).file_path, { force: true });
    archive.announce('settings');
  },

  'GET /api/appsettings/backup/:filename/file/': async ({ params, request, reply }, archive) => {
    const { file_path: path, filename } = await theBackup(archive, params.filename);
    await sendFile(request, reply, path, { attachment: filename, type: 'application/zip' });
  },

  'PUT /api/appsettings/backup/:filename/file/': ({ params, request }, archive) => takeUpload(archive, params.filename, request),

  'GET /api/appsettings/snapshot/': async (_, { config, now }) => {
    const next = nextSnapshot(now());
    const snapshots = await listSnapshots(config);
    return { next_exec: next, next_exec_str: localTime(next), expire_after: '30d', snapshots: snapshots.map(shapeSnapshot) };
  },

  'POST /api/appsettings/snapshot/': async (_, archive) => {
    if (archive.config.databaseUrl && !(await findDump()))
      throw refused("There is no pg_dump on this machine. Take snapshots with PostgreSQL's own tools, or write a backup.");
    return { snapshot_name: await startSnapshot(archive) };
  },

  'GET /api/appsettings/snapshot/:id/': async ({ params }, archive) => shapeSnapshot(await theSnapshot(archive, params.id)),

  'POST /api/appsettings/snapshot/:id/': async ({ params, user }, archive) => {
    const { id, isDump } = await theSnapshot(archive, params.id);
    if (isDump || archive.config.databaseUrl)
      throw refused(
        'failed to restore snapshot: it is a dump of PostgreSQL. Stop the program and restore it with pg_restore, or restore a backup here.',
      );
    const { wasRunning } = await archive.tasks.start(restoreBackup, {
      snapshot: id,
      dry_run: false,
      watched_for: 'me',
      account_id: user.id,
    });
    if (wasRunning) throw refused('Something is being restored already. Wait for its end.');
    return { accepted: true as const };
  },

  'DELETE /api/appsettings/snapshot/:id/': async ({ params }, archive) => {
    await dropSnapshot(archive.config, await theSnapshot(archive, params.id));
    archive.announce('settings');
  },
});
