import { message } from '#contract/messages.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { readSettings } from '../../archive/settings/store.ts';
import { listBackups } from './files/backup-files.ts';
import { findDump, listSnapshots } from './snapshots.ts';

/** Returns the newest backup and the newest snapshot with their creation times in epoch seconds; null if there is none. */
export async function latestBackups(app: AppContext) {
  const [backup] = await listBackups(app);
  const [snapshot] = await listSnapshots(app.config);
  return {
    backup: backup ? { name: backup.filename, at: backup.created } : null,
    snapshot: snapshot ? { name: snapshot.id, at: snapshot.endedAt } : null,
    /** Why no snapshots are taken automatically, as a message. */
    noSnapshots: !(await readSettings(app.db)).application.enable_snapshot
      ? message('health.snapshots-off')
      : app.config.databaseUrl && !(await findDump())
        ? message('health.no-pgdump')
        : null,
  };
}
