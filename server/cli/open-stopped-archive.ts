import { createApp } from '../app/create-app.ts';
import { openWithoutMigrating, requireDatabase } from '../app/open-database.ts';
import { cleanupSteps, runEach, takeOverDownloads } from '../app/startup.ts';
import type { Config } from '../platform/config/config.ts';
import type { AppContext, Log } from '../platform/context/app-context.ts';
import { acquireLockOrExit, refuseOtherAccount } from './run-command.ts';

// Prints the warnings and errors that the server would log.
const log: Log = { info() {}, warn: (about, words) => print(about, words), error: (about, words) => print(about, words) };
function print(about: object | string, words?: string) {
  console.error(
    `\n${typeof about === 'string' ? about : `${words}: ${(about as { err?: Error }).err?.message ?? JSON.stringify(about)}`}`,
  );
}

/**
 * Opens the archive to run a task while the server is stopped. `instead`: the call that does the same while it runs.
 * @throws Error if there is no database, or one of another version, which is not changed
 */
export async function openStoppedArchive(config: Config, { command, instead }: { command: string; instead: string }) {
  await requireDatabase(config);
  await refuseOtherAccount(config, command);
  await (await acquireLockOrExit(config, instead)).release();
  await (await openWithoutMigrating(config)).destroy();
  return createApp(config, log);
}

/** Completes what an earlier run of the server left, so that files can be imported. */
export async function completeEarlierRun(app: AppContext): Promise<void> {
  await runEach(app, [...cleanupSteps, takeOverDownloads]);
  app.tools.ytdlpSought.resolve();
  app.tools.ffmpegSought.resolve();
}
