import { byHand, refuseOthers } from './by-hand.ts';
import { brokenPromises } from '../library/invariants.ts';
import { mustBeThere, openAsItIs, refuseDamaged } from '../open-database.ts';

// `npm run verify`: says which promises about files and rows do not hold; may run beside the program, and changes nothing. Ends
// with 1 when there is one.

await byHand(async (config) => {
  await mustBeThere(config);
  await refuseOthers(config, 'verify');
  const db = await openAsItIs(config, { readOnly: true });
  try {
    if (!config.databaseUrl) await refuseDamaged(config);
    let count = 0;
    for await (const sentence of brokenPromises({ db, config })) {
      count++;
      console.log(sentence);
    }
    console.log(count === 0 ? 'Everything is as it should be.' : `${count} things are not as they should be.`);
    process.exitCode = count === 0 ? 0 : 1;
  } finally {
    await db.destroy();
  }
});
