import { brokenPromises } from '../library/invariants.ts';
import { refuseDamaged } from '../open-database.ts';
import { byHand, onArchive } from './by-hand.ts';

// `npm run verify`: says which promises about files and rows do not hold; may run beside the program, and changes nothing. Ends
// with 1 when there is one.

await byHand((config) =>
  onArchive(
    config,
    'verify',
    async (db) => {
      if (!config.databaseUrl) await refuseDamaged(config);
      let count = 0;
      for await (const sentence of brokenPromises({ db, config })) {
        count++;
        console.log(sentence);
      }
      process.exitCode = count === 0 ? 0 : 1;
      return count === 0 ? 'Everything is as it should be.' : `${count} things are not as they should be.`;
    },
    { readOnly: true },
  ),
);
