import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { renderMessages } from '../platform/messages/render.ts';
import { importFolderContents } from '../features/library/import/import-folder.ts';
import { ImportInput, skippedReason } from '../features/library/import/context.ts';
import { completeEarlierRun, openStoppedArchive } from './open-stopped-archive.ts';
import { runCommand, printProgress, abortOnInterrupt } from './run-command.ts';

// `npm run cli -- import [--dry-run] [--ignore-error] [--prefer-local] [--leave-files]`: imports the import folder while the
// server is stopped. While it runs, use the page or the API.

const { values } = parseArgs({
  options: {
    'dry-run': { type: 'boolean' },
    'ignore-error': { type: 'boolean' },
    'prefer-local': { type: 'boolean' },
    'leave-files': { type: 'boolean' },
  },
});
const input = ImportInput.parse({
  dry_run: values['dry-run'],
  ignore_error: values['ignore-error'],
  prefer_local: values['prefer-local'],
  leave_files: values['leave-files'],
});

await runCommand(async (config) => {
  const { app, close, taken } = await openStoppedArchive(config, {
    command: 'import',
    instead: 'POST /api/appsettings/manual-import/',
  });
  try {
    await completeEarlierRun(app);
    const result = await importFolderContents(app, {
      id: randomUUID(),
      input,
      againSince: null,
      signal: AbortSignal.any([
        taken,
        abortOnInterrupt('Stopped. Imported videos are in the archive; all other files are unchanged.'),
      ]),
      report: printProgress,
      note: () => {},
      // In a dry run, the final report contains all of them.
      skip: (what, why) =>
        void (input.dry_run || console.log(`\n${what}: ${renderMessages(why instanceof Error ? skippedReason(why) : why)}`)),
    });
    console.log(`\n${renderMessages(result)}`);
  } finally {
    await close();
  }
});
