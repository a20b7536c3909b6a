import { MessageError } from '../../platform/messages/message-error.ts';
import { message, messages, plainText, type Message } from '#contract/messages.ts';
import { z } from 'zod';
import type { AppContext } from '../../platform/context/app-context.ts';
import { moveReturnedFiles } from '../trash/purge-job.ts';
import { isDamage } from '../../platform/db/db.ts';
import { whyMediaUnavailable } from '../../archive/storage/mount-check.ts';
import { thumbnailCheck } from '../library/consistency/thumbnail-check.ts';
import { defineTask, type TaskWork } from '../../platform/context/task.ts';
import { keepDamagedCopy, checkDatabase } from './integrity-check.ts';
import { findBackup } from './files/backup-files.ts';
import type { RestoreContext } from './restore/restore.ts';
import { findSnapshot, takeSnapshot } from './snapshots.ts';
import { inBackups } from '../../platform/storage/stored-path.ts';

const Input = z.object({
  filename: z.string().max(300).optional(),
  /** A snapshot to restore instead of a backup. */
  snapshot: z.string().max(200).optional(),
  dry_run: z.boolean().default(false),
  watched_for: z.enum(['me', 'all']).default('me'),
  /** False if the backup replaced no users when the task was requested, so the request did not require reauthentication. */
  people: z.boolean().optional(),
  /** How the current accounts are handled. */
  accounts: z.enum(['stay', 'bring']).default('stay'),
  /** The account that requested the restore. */
  account_id: z.int().optional(),
});
type Input = z.infer<typeof Input>;

const beingReplaced = message('error.restoring');

/** Saves the current state. Returns a message with the name of the backup or snapshot. */
async function keepWhole(app: AppContext, { signal, report }: TaskWork<Input>, spare?: string): Promise<Message> {
  const { config, now } = app;
  report({ messages: [message('restore.running'), message('restore.saving-current')] });
  // The server cannot restore a PostgreSQL dump, but it can restore a backup.
  const name = config.databaseUrl
    ? (await (await import('./create-backup.ts')).createBackup(app, { reason: 'before', signal, report: () => {} })).filename
    : await takeSnapshot({ config, reason: 'restore', now, signal, ...(spare && { spare }) });
  return message('restore.previous-saved', { name });
}

/** Builds the restore context of a running server. */
function around(work: TaskWork<Input>, app: AppContext, spare?: string): RestoreContext {
  const { id, signal, report, skip, input } = work;
  const { maintenance, nodes, tasks } = app;
  const waitFor = (names: string[]) =>
    report({ messages: [message('restore.running'), message('restore.waiting', { nodes: { list: names.map(plainText) } })] });
  return {
    part: app,
    taskId: id,
    accounts: input.accounts,
    signal,
    report,
    skip,
    async quiet() {
      await tasks.pauseOthers(id);
      maintenance.why = beingReplaced;
      await nodes.beginMaintenance(beingReplaced, { signal, onWait: waitFor });
    },
    confirmQuiet: (tx) => nodes.confirmMaintenance(tx),
    keepPresent: () =>
      keepWhole(app, work, spare).catch(async (error: unknown) => {
        if (!isDamage(error) || app.config.databaseUrl) throw error;
        return message('restore.previous-damaged-saved', { name: await keepDamagedCopy(app, signal) });
      }),
  };
}

async function restore(work: TaskWork<Input>, app: AppContext): Promise<Message[]> {
  const { input, againSince } = work;
  const { restoreDatabaseFile, restoreReelkeepBackup } = await import('./restore/restore.ts');
  if (input.snapshot) {
    const snapshot = await findSnapshot(app.config, input.snapshot);
    if (!snapshot || snapshot.isDump) throw new MessageError([message('restore.no-snapshot'), message('restore.unchanged')]);
    if (againSince !== null) throw new MessageError(cutOff);
    return restoreDatabaseFile(around(work, app, snapshot.id), snapshot.path, snapshot.id);
  }
  const backup = await findBackup(app, input.filename ?? '');
  if (!backup) throw new MessageError([message('restore.no-backup'), message('restore.unchanged')]);
  const path = await app.files.localPath(inBackups(backup.filename), work.signal);
  const kind = await (await import('./files/detect-format.ts')).formatOf(path);
  if (kind === 'original') {
    const { importTubeArchivist } = await import('./tubearchivist/import.ts');
    const keepPresent = () =>
      keepWhole(app, work).catch((error: unknown) => Promise.reject(isDamage(error) ? new MessageError(notIntoDamaged) : error));
    const { signal, report, skip } = work;
    const options = { dryRun: input.dry_run, watchedFor: input.watched_for, accountId: input.account_id ?? null };
    const result = await importTubeArchivist(app, path, {
      ...options,
      signal,
      report,
      skip,
      keepPresent,
      againSince,
    });
    // Thumbnails are fetched unless they are in the cache folder already; it uses the same file names as TubeArchivist.
    if (!input.dry_run) await app.tasks.start(thumbnailCheck, {});
    return result;
  }
  if (input.people === false && !input.dry_run) throw new MessageError(another);
  // Users have made changes since; an automatic restart of the restore would discard them.
  if (againSince !== null && !input.dry_run) throw new MessageError(cutOff);
  return restoreReelkeepBackup(around(work, app), path, { dryRun: input.dry_run });
}
const notIntoDamaged = [
  message('restore.merge-into-damaged'),
  message('restore.merge-into-damaged-remedy'),
  message('restore.unchanged'),
];
const another = [message('restore.replaced'), message('restore.start-again')];
const cutOff = [message('restore.interrupted'), message('restore.start-again')];

/** Restores a Reelkeep or TubeArchivist backup, or a snapshot. */
export const restoreBackup = defineTask<Input>({
  name: 'restore_backup',
  title: messages['task.restore_backup'],
  group: 'setting:restore',
  isStartable: false,
  isStoppable: false,
  input: Input,

  async run(work, app) {
    try {
      return await restore(work, app);
    } finally {
      app.maintenance.why = null;
      await app.nodes.endMaintenance();
      app.tasks.resume();
      app.announce('video', 'channel', 'playlist', 'download', 'task', 'user', 'settings');
      if (app.health.damage) void checkDatabase(app);
      // Videos that were deleted since are in the database again. The periodic trash job would move their files back as well, but
      // later.
      if (!(await whyMediaUnavailable(app)))
        await moveReturnedFiles(app).catch((error: unknown) =>
          app.log.warn({ err: error }, 'cannot restore all files from the trash'),
        );
    }
  },
});
