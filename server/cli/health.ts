import type { Check } from '#contract/health.ts';
import type { AppContext } from '../platform/context/app-context.ts';
import { findDamage } from '../features/backup/integrity-check.ts';
import type { Config } from '../platform/config/config.ts';
import { databaseFile } from '../platform/config/data-folder.ts';
import { acquireIfFree } from '../app/instance-lock.ts';
import { findFfmpeg } from '../platform/media/ffmpeg.ts';
import { openForwardProxyFor } from '../app/create-app.ts';
import { createState } from '../app/create-state.ts';
import { openFileStore } from '../app/open-file-store.ts';
import { runHealthChecks } from '../features/system/health-checks.ts';
import { noTools, toolsFolderOf } from '../platform/context/tools.ts';
import { healthyState } from '../platform/context/health-state.ts';
import { findYtdlp } from '../platform/ytdlp/find-ytdlp.ts';
import { findPackages } from '../platform/ytdlp/python-packages.ts';
import { runCommand, withDatabase, secondsNow } from './run-command.ts';

// `npm run cli -- health`: prints the checks of Settings → Health (programs, folders, disk, network, database, backups) with
// their remedies. Works with the server running or stopped. Exits with 1 if a check fails.

const signs = { good: '✓', warn: '!', bad: '✗' };
const linesOf = ({ state, title, text, advice, command }: Check) =>
  [`${signs[state]} ${title}: ${text}`, ...[advice, command].flatMap((line) => (line ? [`    ${line}`] : []))].join('\n');

async function toolsOf(config: Config, gate: AppContext['tools']['proxy']): Promise<AppContext['tools']> {
  const tools = noTools(gate);
  tools.ytdlp = await findYtdlp(config.ytdlpPath, toolsFolderOf({ config }), (program) => (tools.tooOldYtdlp = program));
  tools.packages = await findPackages(toolsFolderOf({ config }));
  tools.ffmpeg = await findFfmpeg(config.ffmpegPath);
  tools.searched.resolve();
  return tools;
}

async function look(config: Config, db: AppContext['db']): Promise<Check[]> {
  const damage = config.databaseUrl ? null : await findDamage(databaseFile(config));
  const gate = await openForwardProxyFor(config);
  const files = await openFileStore(config);
  try {
    const health: AppContext['health'] = { ...healthyState(), damage, checked: 'all' };
    // The part of the app context that the checks use.
    const part: Pick<AppContext, 'config' | 'db' | 'files' | 'now' | 'tools' | 'health' | 'state'> = {
      config,
      files,
      db,
      now: secondsNow,
      tools: await toolsOf(config, gate),
      health,
      state: createState({ config, db }),
    };
    // The state of background work and of PO tokens is known only to the server process.
    return (await runHealthChecks(part as AppContext)).filter(({ name }) => name !== 'work' && name !== 'tokens');
  } finally {
    files.close();
    await gate.close();
  }
}

await runCommand((config) =>
  withDatabase(
    config,
    'health',
    async (db) => {
      const checks = await look(config, db);
      const held = await acquireIfFree(config);
      console.log(held ? '! Program: it does not run on this archive.' : '✓ Program: it runs on this archive.');
      await held?.release();
      for (const check of checks) console.log(linesOf(check));
      process.exitCode = checks.some(({ state }) => state === 'bad') ? 1 : 0;
    },
    { readOnly: true },
  ),
);
