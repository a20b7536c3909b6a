import { stat } from 'node:fs/promises';
import type { Archive } from '../archive.ts';
import { currentSettings } from '../settings/read.ts';
import { listBackups } from './folder.ts';
import { findDump, listSnapshots } from './snapshots.ts';

/** The newest backup and the newest snapshot, and when they were made, epoch seconds; null where there is none. */
export async function newestCopies(archive: Archive) {
  const [backup] = await listBackups(archive);
  const [snapshot] = await listSnapshots(archive.config);
  return {
    backup: backup ? { name: backup.filename, at: Math.floor((await stat(backup.file_path)).mtimeMs / 1000) } : null,
    snapshot: snapshot ? { name: snapshot.id, at: snapshot.endedAt } : null,
    /** Why none is taken by itself, as a sentence. */
    noSnapshots: !(await currentSettings(archive)).application.enable_snapshot
      ? 'Snapshots are switched off.'
      : archive.config.databaseUrl && !(await findDump())
        ? "Snapshots of PostgreSQL need pg_dump, which is not on this machine; PostgreSQL's own tools do it as well."
        : null,
  };
}
