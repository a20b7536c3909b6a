import { openFileStore } from '../app/open-file-store.ts';
import { runCommand, acquireLockOrExit, refuseOtherAccount, printProgress, secondsNow, abortOnInterrupt } from './run-command.ts';
import { createBackup } from '../features/backup/create-backup.ts';
import { makeFolders } from '../platform/config/data-folder.ts';
import { openKeys } from '../platform/security/key-file.ts';
import { requireDatabase, openWithoutMigrating } from '../app/open-database.ts';

// `npm run cli -- backup`: writes a backup while the server is stopped. While it runs, use the page or the API.

await runCommand(async (config) => {
  await requireDatabase(config);
  await refuseOtherAccount(config, 'backup');
  await makeFolders(config);
  const held = await acquireLockOrExit(config, 'POST /api/appsettings/backup/');
  try {
    const db = await openWithoutMigrating(config);
    try {
      const files = await openFileStore(config);
      const place = config.s3 ? `the bucket ${config.s3.bucket}` : `${config.dataFolder}/backup`;
      const part = { config, db, files, keys: await openKeys(config), now: secondsNow, log: console };
      const { filename, rows } = await createBackup(part, {
        reason: 'manual',
        signal: abortOnInterrupt(),
        report: printProgress,
      });
      console.log(`\nWrote ${filename}: ${rows} entries, verified. It is in ${place}.`);
    } finally {
      await db.destroy();
    }
  } finally {
    await held.release();
  }
});
