import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { done, writeZip } from '../../e2e/support/backups.ts';
import { backupFolder } from '../features/backup/files/backup-files.ts';
import { restoreBackup } from '../features/backup/restore-backup.ts';
import { createUser, testApp, type TestApp, type TestEngine } from './app.ts';

/** Returns functions that write a TubeArchivist backup into an archive and import it for an account. */
export async function tubeArchivistBackup(t: TestApp, accountId: number) {
  await mkdir(backupFolder(t.app), { recursive: true });
  const filename = 'ta_backup-20260105-auto.zip';
  return {
    filename,
    write: (files: Record<string, string>) => writeZip(join(backupFolder(t.app), filename), files),
    restore: (options: { dry_run?: boolean; watched_for?: 'me' | 'all' } = {}) =>
      done(
        t,
        t.app.tasks.start(restoreBackup, {
          filename,
          dry_run: false,
          watched_for: 'me',
          accounts: 'stay',
          account_id: accountId,
          ...options,
        }),
      ),
  };
}

/** Creates an empty archive with the staff user Ann, who imports TubeArchivist backups. */
export async function createAppForImport(engine: TestEngine) {
  const t = await testApp({ on: engine, onDisk: true });
  await t.runner.begin();
  const ann = await createUser(t, { name: 'Ann', isStaff: true });
  return { t, ann, backup: await tubeArchivistBackup(t, ann.id) };
}
export type AppForImport = Awaited<ReturnType<typeof createAppForImport>>;
