import { plainText } from '#contract/messages.ts';
import { SourceProgram, ProgramImportTake } from '#contract/program-import.ts';
import { randomUUID } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { runProgramImport } from '../features/program-import/run-import.ts';
import { createProgramImport } from '../features/program-import/start.ts';
import { findProgramImport, readReport } from '../features/program-import/store.ts';
import { renderMessages } from '../platform/messages/render.ts';
import { completeEarlierRun, openStoppedArchive } from './open-stopped-archive.ts';
import { abortOnInterrupt, findUserByName, printProgress, runCommand } from './run-command.ts';
import { listUsers } from '../features/user/list-users.ts';

// `npm run cli -- migrate <program> <path> [--dry-run] [--take a,b] [--map /downloads=/mnt/videos] [--user name]`: imports from
// another program while the server is stopped. TubeArchivist is read while it runs: the path is its URL, and its API token is in
// TUBEARCHIVIST_TOKEN.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'dry-run': { type: 'boolean', default: false },
    take: { type: 'string' },
    map: { type: 'string', multiple: true, default: [] },
    user: { type: 'string' },
  },
});
const program = SourceProgram.safeParse(positionals[0]);
const path = positionals[1];
const take = values.take?.split(',').map((word) => ProgramImportTake.parse(word.trim()));

if (!program.success || path === undefined) {
  console.error(
    `Say from which program and where its data is: npm run cli -- migrate <program> <path> [--dry-run]\n\nPrograms: ${SourceProgram.options.join(', ')}\nData to take (--take): ${ProgramImportTake.options.join(', ')}`,
  );
  process.exitCode = 2;
} else
  await runCommand(async (config) => {
    const { app, close, taken } = await openStoppedArchive(config, { command: 'migrate', instead: 'POST /api/migrate/' });
    try {
      await completeEarlierRun(app);
      const people = await listUsers(app.db, app.now());
      const user = values.user === undefined ? people.find((one) => one.is_staff) : findUserByName(values.user, people);
      if (!user) throw new Error('There is no staff account. Start the program first.');
      const isLive = program.data === 'tubearchivist';
      if (isLive && !process.env.TUBEARCHIVIST_TOKEN)
        throw new Error('Put the API token of TubeArchivist into the variable TUBEARCHIVIST_TOKEN.');
      const map = Object.fromEntries(
        values.map.map((text) => {
          const at = text.indexOf('=');
          if (at < 1) throw new Error(`Write a path mapping as /downloads=/mnt/videos, not ${text}.`);
          return [text.slice(0, at), resolve(text.slice(at + 1))];
        }),
      );
      const absolute = isLive ? undefined : resolve(path);
      const id = randomUUID();
      await createProgramImport(app.db, app, {
        id,
        taskId: '',
        source: path,
        accountId: user.id,
        request: {
          from: program.data,
          ...(isLive ? { address: path, token: process.env.TUBEARCHIVIST_TOKEN } : { path: absolute }),
          path_map: map,
          dry_run: values['dry-run'],
          take,
        },
      });
      const row = (await findProgramImport(app.db, id))!;
      const stop = abortOnInterrupt('Stopped. What was imported stays; undo it on the page “Import from another program”.');
      const work = {
        id,
        input: {},
        againSince: null,
        signal: AbortSignal.any([taken, stop]),
        report: printProgress,
        note: () => {},
        skip: () => {},
      };
      // The operator may read any folder.
      const folders = [...(absolute === undefined ? [] : [dirname(absolute)]), ...Object.values(map)];
      const result = await runProgramImport(app, row, work, { folders });
      const report = await readReport(app.db, (await findProgramImport(app.db, id))!, app.now());
      for (const { what, found, added, here, left } of report.counts)
        console.log(
          `\n${what}: ${found} found, ${added} ${report.dry_run ? 'to add' : 'added'}, ${here} already here, ${left} left out`,
        );
      for (const { what, why } of report.lines) console.log(`${what}: ${why}`);
      console.log(`\n${renderMessages([result, plainText(report.dry_run ? 'Nothing was changed.' : '')])}`);
    } finally {
      await close();
    }
  });
