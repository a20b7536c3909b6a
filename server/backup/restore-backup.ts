import { z } from 'zod';
import type { Archive } from '../archive.ts';
import { bringHome } from '../bin/keep-bin.ts';
import { isDamage } from '../db/db.ts';
import { whyNotBelieved } from '../library/media-marker.ts';
import { thumbnailCheck } from '../library/thumbnail-check.ts';
import { defineTask, type Work } from '../task/task.ts';
import { copyDamaged, lookForDamage } from './damage.ts';
import { findBackup } from './folder.ts';
import { importOriginal } from './original.ts';
import { restoreFile, restoreOurs, type Restoring } from './restore.ts';
import { kindOf } from './kind.ts';
import { findSnapshot, takeSnapshot } from './snapshots.ts';
import { writeBackup } from './write.ts';
import { openZip } from './zip.ts';

const Input = z.object({
  filename: z.string().max(300).optional(),
  /** Instead: a snapshot to go back to. */
  snapshot: z.string().max(200).optional(),
  dry_run: z.boolean().default(false),
  watched_for: z.enum(['me', 'all']).default('me'),
  /** False: it replaced no people when it was asked for, so nobody had to prove who they are. */
  people: z.boolean().optional(),
  /** Who asks. */
  account_id: z.int().optional(),
});
type Input = z.infer<typeof Input>;

const beingReplaced =
  'The archive is being restored, so nothing can be changed just now. Watching goes on; try again in a few minutes.';

/** Keeps what is here now; answers how that is called. */
async function keepWhole(archive: Archive, { signal, report }: Work<Input>, spare?: string): Promise<string> {
  const { config, now } = archive;
  report({ messages: ['Restoring from backup.', 'Keeping what is here now.'] });
  // A dump of PostgreSQL could not be gone back to from here; a backup can.
  return config.databaseUrl
    ? (await writeBackup(archive, { reason: 'before', signal, report: () => {} })).filename
    : takeSnapshot({ config, reason: 'restore', now, signal, ...(spare && { spare }) });
}

/** What a running archive does around a restore. */
function around(work: Work<Input>, archive: Archive, spare?: string): Restoring {
  const { id, signal, report, skip } = work;
  return {
    part: archive,
    taskId: id,
    signal,
    report,
    skip,
    async quiet() {
      await archive.tasks.pauseOthers(id);
      archive.maintenance.why = beingReplaced;
    },
    keepPresent: () =>
      keepWhole(archive, work, spare).catch(async (error: unknown) => {
        if (!isDamage(error) || archive.config.databaseUrl) throw error;
        return `${await copyDamaged(archive, signal)} (it is damaged)`;
      }),
  };
}

async function restore(work: Work<Input>, archive: Archive): Promise<string> {
  const { input, againSince } = work;
  if (input.snapshot) {
    const snapshot = await findSnapshot(archive.config, input.snapshot);
    if (!snapshot || snapshot.isDump) throw new Error('There is no such snapshot any more. Nothing was changed.');
    if (againSince !== null) throw new Error(cutOff);
    return restoreFile(around(work, archive, snapshot.id), snapshot.path, snapshot.id);
  }
  const backup = await findBackup(archive, input.filename ?? '');
  if (!backup) throw new Error('There is no such backup any more. Nothing was changed.');
  const zip = await openZip(backup.file_path);
  const kind = kindOf(zip);
  zip.close();
  if (kind === 'original') {
    const keepPresent = () =>
      keepWhole(archive, work).catch((error: unknown) => Promise.reject(isDamage(error) ? new Error(notIntoDamaged) : error));
    const { signal, report, skip } = work;
    const wish = { dryRun: input.dry_run, watchedFor: input.watched_for, accountId: input.account_id ?? null };
    const result = await importOriginal(archive, backup.file_path, { ...wish, signal, report, skip, keepPresent, againSince });
    // Their pictures are fetched, unless they are in the cache folder already; it has the names of the original's.
    if (!input.dry_run) await archive.tasks.start(thumbnailCheck, {});
    return result;
  }
  if (input.people === false && !input.dry_run) throw new Error(another);
  // People went on since; to put the old state over that unasked would lose it.
  if (againSince !== null && !input.dry_run) throw new Error(cutOff);
  return restoreOurs(around(work, archive), backup.file_path, { dryRun: input.dry_run });
}
const notIntoDamaged =
  'The database is damaged, so nothing can be merged into it. Go back to a snapshot or a backup of Reelkeep first. Nothing was changed.';
const another = 'There is another backup of this name now. Nothing was changed; start it again.';
const cutOff = 'The program ended in the middle of this restore. Nothing was changed; start it again.';

/** Restores a backup, of ours or of the original program, or goes back to a snapshot. */
export const restoreBackup = defineTask<Input>({
  name: 'restore_backup',
  title: 'Restore Backup',
  group: 'setting:restore',
  isStartable: false,
  isStoppable: false,
  input: Input,

  async run(work, archive) {
    try {
      return await restore(work, archive);
    } finally {
      archive.maintenance.why = null;
      archive.tasks.resume();
      archive.announce('video', 'channel', 'playlist', 'download', 'task', 'user', 'settings');
      if (archive.troubles.damage) void lookForDamage(archive);
      // What was deleted since is in the archive again; the round of the bin does the same, later.
      if (!(await whyNotBelieved(archive)))
        await bringHome(archive).catch((error: unknown) =>
          archive.log.warn({ err: error }, 'not all files came back from the bin'),
        );
    }
  },
});
