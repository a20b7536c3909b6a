import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import type { Log } from '../archive.ts';
import { doEach, takeOverDownloads, tidying } from '../begin-work.ts';
import { importAll } from '../library/import-folder.ts';
import { ImportInput, whyLeft } from '../library/importing.ts';
import { openArchive } from '../open-archive.ts';
import { mustBeThere, openAsItIs } from '../open-database.ts';
import { byHand, holdByHand, refuseOthers, sayStep, stopped } from './by-hand.ts';

// `npm run import -- [--dry-run] [--ignore-error] [--prefer-local] [--leave-files]`: brings in what stands in the import folder while the program is down.
// While it runs, the page and the API do.

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

// What the program would write into its log; what is wrong is for whoever looks.
const log: Log = { info() {}, warn: (about, words) => tell(about, words), error: (about, words) => tell(about, words) };
function tell(about: object | string, words?: string) {
  console.error(
    `\n${typeof about === 'string' ? about : `${words}: ${(about as { err?: Error }).err?.message ?? JSON.stringify(about)}`}`,
  );
}

await byHand(async (config) => {
  await mustBeThere(config);
  await refuseOthers(config, 'import');
  await (await holdByHand(config, 'POST /api/appsettings/manual-import/')).release();
  await (await openAsItIs(config)).destroy(); // of another version it says so, and stays as it is
  const { archive, close, taken } = await openArchive(config, log);
  try {
    await doEach(archive, [...tidying, takeOverDownloads]);
    archive.tools.ytdlpSought.resolve();
    const said = await importAll(archive, {
      id: randomUUID(),
      input,
      againSince: null,
      signal: AbortSignal.any([
        taken,
        stopped('Stopped. What was brought in is in the archive; everything else stands where it was.'),
      ]),
      report: sayStep,
      note: () => {},
      // Whoever only looks is told all of it at the end.
      skip: (what, why) => void (input.dry_run || console.log(`\n${what}: ${whyLeft(why)}`)),
    });
    console.log(`\n${said}`);
  } finally {
    await close();
  }
});
