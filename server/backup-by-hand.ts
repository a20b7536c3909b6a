import { holdByHand, sayStep, stopped } from './by-hand.ts';
import { writeBackup } from './backup/write.ts';
import { readConfig } from './config.ts';
import { keyOf, makeFolders } from './data-folder.ts';
import { openDatabase } from './open-archive.ts';

// `npm run backup`: writes a backup while the program is down. While it runs, the page and the API do.

const config = readConfig(process.env);
await makeFolders(config);
const held = holdByHand(config, 'POST /api/appsettings/backup/');
const db = await openDatabase(config);
const part = { config, db, key: await keyOf(config.dataFolder), now: () => Math.floor(Date.now() / 1000), log: console };
try {
  const { filename, rows } = await writeBackup(part, { reason: 'manual', signal: stopped(), report: sayStep });
  console.log(`\nWrote ${filename}: ${rows} entries, read again and compared. It stands in ${config.dataFolder}/backup.`);
} catch (error) {
  console.error(`\n${(error as Error).message}`);
  process.exitCode = 1;
} finally {
  await db.destroy();
  held.release();
}
