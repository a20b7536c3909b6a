import { findInconsistencies } from '../features/library/consistency/check.ts';
import { renderMessages } from '../platform/messages/render.ts';
import { openFileStore } from '../app/open-file-store.ts';
import { refuseDamagedDatabase } from '../app/open-database.ts';
import { runCommand, withDatabase } from './run-command.ts';

// `npm run cli -- verify`: prints violated consistency rules of files and rows. Works while the server runs and changes nothing.
// Exits with 1 if there is a violation.

await runCommand((config) =>
  withDatabase(
    config,
    'verify',
    async (db) => {
      if (!config.databaseUrl) await refuseDamagedDatabase(config);
      let count = 0;
      const files = await openFileStore(config);
      try {
        for await (const problem of findInconsistencies({ db, config, files })) {
          count++;
          console.log(renderMessages(problem));
        }
      } finally {
        files.close();
      }
      process.exitCode = count === 0 ? 0 : 1;
      return count === 0 ? 'Everything is as it should be.' : `${count} things are not as they should be.`;
    },
    { readOnly: true },
  ),
);
