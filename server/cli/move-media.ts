import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openFileStore } from '../app/open-file-store.ts';
import { openWithoutMigrating, requireDatabase } from '../app/open-database.ts';
import { beginMove, endMove } from '../archive/storage/bucket.ts';
import { markMediaFolder } from '../archive/storage/mount-check.ts';
import { hasUnfinishedWork, moveMedia, type MoveState } from '../features/library/move-media.ts';
import { makeFolders } from '../platform/config/data-folder.ts';
import { removeFolder } from '../platform/files/files.ts';
import { createDiskStore } from '../platform/storage/disk-store.ts';
import { abortOnInterrupt, acquireLockOrExit, refuseOtherAccount, runCommand } from './run-command.ts';

// `npm run cli -- move-media --to bucket|folders`: moves media and images from the folders to the bucket of the REELKEEP_S3
// variables, or back, while no server runs.

const { values } = parseArgs({ options: { to: { type: 'string' } } });
const { to } = values;

const amount = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`;
const progress = ({ videos, files, bytes }: MoveState) => `${videos} videos, ${files} files, ${amount(bytes)}`;

if (to !== 'bucket' && to !== 'folders') {
  console.error('Say where the files are to be: npm run cli -- move-media --to bucket, or --to folders');
  process.exitCode = 2;
} else
  await runCommand(async (config) => {
    await requireDatabase(config);
    await refuseOtherAccount(config, 'move-media');
    if (!config.s3) throw new Error('Set the REELKEEP_S3 variables: they name the bucket to move the files to or from.');
    await makeFolders(config);
    const held = await acquireLockOrExit(config);
    const db = await openWithoutMigrating(config);
    const copies = join(config.dataFolder, 'moving');
    const bucket = await openFileStore({ ...config, cacheFolder: copies });
    const disk = { ...config, s3: undefined };
    const folders = createDiskStore(disk);
    const signal = abortOnInterrupt('Stopped. Run the command again to continue; no server starts before it has ended.');
    let complaints = 0;
    try {
      if (await hasUnfinishedWork(db))
        throw new Error(
          'The server has work to complete with files. Start it, wait until it is ready, and stop it; then run this again.',
        );
      await beginMove({ config, db, files: bucket }, to);
      const state = await moveMedia({
        db,
        folders,
        bucket,
        to,
        signal,
        report: (now) => process.stdout.isTTY && process.stdout.write(`\r\u001B[K${progress(now)}`),
        complain(sentence) {
          complaints++;
          console.log(`\n${sentence}`);
        },
      });
      await endMove({ db, files: bucket }, to);
      if (to === 'folders') await markMediaFolder({ db, config: disk, log: console, files: folders });
      console.log(`\nMoved and verified: ${progress(state)}.`);
      if (complaints > 0) console.log(`${complaints} files need attention; they are named above.`);
      console.log(
        to === 'bucket'
          ? 'Start the server with the same REELKEEP_S3 variables.'
          : 'Start the server without the REELKEEP_S3 variables.',
      );
    } finally {
      bucket.close();
      await removeFolder(copies);
      await db.destroy();
      await held.release();
    }
  });
