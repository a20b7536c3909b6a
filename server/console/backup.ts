import { byHand, holdByHand, refuseOthers, sayStep, secondsNow, stopped } from './by-hand.ts';
import { writeBackup } from '../backup/write.ts';
import { makeFolders } from '../data-folder.ts';
import { openKeys } from '../key-file.ts';
import { mustBeThere, openAsItIs } from '../open-database.ts';

// `npm run backup`: writes a backup while the program is down. While it runs, the page and the API do.

await byHand(async (config) => {
  await mustBeThere(config);
  await refuseOthers(config, 'backup');
  await makeFolders(config);
  const held = await holdByHand(config, 'POST /api/appsettings/backup/');
  try {
    const db = await openAsItIs(config);
    try {
      const part = { config, db, keys: await openKeys(config.dataFolder), now: secondsNow, log: console };
      const { filename, rows } = await writeBackup(part, { reason: 'manual', signal: stopped(), report: sayStep });
      console.log(`\nWrote ${filename}: ${rows} entries, read again and compared. It stands in ${config.dataFolder}/backup.`);
    } finally {
      await db.destroy();
    }
  } finally {
    await held.release();
  }
});
