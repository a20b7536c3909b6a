import { readConfig } from './config.ts';
import { brokenPromises } from './library/invariants.ts';
import { openDatabase } from './open-archive.ts';

// `npm run verify`: says which promises about files and rows do not hold; may run beside the program. Ends with 1 when
// there is one.

const config = readConfig(process.env);
const db = await openDatabase(config);
let count = 0;
for await (const sentence of brokenPromises({ db, config })) {
  count++;
  console.log(sentence);
}
await db.destroy();
console.log(count === 0 ? 'Everything is as it should be.' : `${count} things are not as they should be.`);
process.exitCode = count === 0 ? 0 : 1;
