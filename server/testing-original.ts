import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { done, writeZip } from '../e2e/backups.ts';
import { backupFolder } from './backup/folder.ts';
import { restoreBackup } from './backup/restore-backup.ts';
import { aUser, testArchive, type TestArchive, type TestEngine } from './testing.ts';

/** Backups of the original program for an archive of a test, and taking them in as somebody asks for it. */
export async function originalsFor(t: TestArchive, accountId: number) {
  await mkdir(backupFolder(t.archive), { recursive: true });
  const filename = 'ta_backup-20260105-auto.zip';
  return {
    filename,
    write: (files: Record<string, string>) => writeZip(join(backupFolder(t.archive), filename), files),
    restore: (said: { dry_run?: boolean; watched_for?: 'me' | 'all' } = {}) =>
      done(
        t,
        t.archive.tasks.start(restoreBackup, { filename, dry_run: false, watched_for: 'me', account_id: accountId, ...said }),
      ),
  };
}

/** An empty archive whose staff, Ann, takes in such backups. */
export async function archiveForOriginals(engine: TestEngine) {
  const t = await testArchive({ on: engine, onDisk: true });
  await t.runner.begin();
  const ann = await aUser(t, { name: 'Ann', isStaff: true });
  return { t, ann, original: await originalsFor(t, ann.id) };
}
export type ForOriginals = Awaited<ReturnType<typeof archiveForOriginals>>;
