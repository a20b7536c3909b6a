import { readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { UserSummary } from '#contract/users.ts';
import { ConfigError } from '../platform/config/config-error.ts';
import { readConfig, type Config } from '../platform/config/config.ts';
import { InUseError } from '../platform/config/data-folder.ts';
import type { Db } from '../platform/db/db.ts';
import { misspelledVariables } from '../platform/config/env-warnings.ts';
import { normalizeName } from '../platform/lib/normalize-text.ts';
import { acquireInstanceLock, type InstanceLock } from '../app/instance-lock.ts';
import { requireDatabase, openWithoutMigrating } from '../app/open-database.ts';
import { asUserError } from '../app/startup-errors.ts';
import type { Report } from '../platform/context/task.ts';
import { renderMessages } from '../platform/messages/render.ts';

// Shared functions of the CLI commands.

/** Runs a command with the configuration. Expected errors end it with a message instead of a stack trace. */
export async function runCommand(work: (config: Config) => Promise<void>): Promise<void> {
  try {
    const config = readConfig(process.env);
    // A misspelled database variable would make the command use another database.
    for (const sentence of misspelledVariables(process.env)) console.error(sentence);
    await work(config).catch(async (error: unknown) => Promise.reject(await asUserError(error, config)));
  } catch (error) {
    console.error(`\n${(error as Error).message}`);
    process.exitCode = error instanceof ConfigError ? error.exitCode : 1;
  }
}

/** Returns the name of an OS account; `#1000` for `sudo` if it has none. */
function nameOf(uid: number): string {
  try {
    const line = readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .find((one) => one.split(':')[2] === String(uid));
    if (line) return line.split(':')[0]!;
  } catch {
    // systems with accounts in another directory
  }
  return `#${uid}`;
}

export const secondsNow = () => Math.floor(Date.now() / 1000);

/**
 * Runs a function with the existing database, without migrations, and prints its result if that is a string. Works while the
 * server runs. `command` is the name of the command.
 */
export async function withDatabase(
  config: Config,
  command: string,
  work: (db: Db) => Promise<string | void>,
  { readOnly = false } = {},
): Promise<void> {
  await requireDatabase(config);
  await refuseOtherAccount(config, command);
  const db = await openWithoutMigrating(config, { readOnly });
  try {
    const output = await work(db);
    if (output !== undefined) console.log(output);
  } finally {
    await db.destroy();
  }
}

/** Creates an error for an unknown user name that lists the existing names. */
export const unknownUserError = (name: string, names: string[]) =>
  new Error(
    `There is no account ${name}. ${names.length > 0 ? `There are: ${names.join(', ')}.` : 'There are none yet; start the program first.'}`,
  );

/** Returns the user with a name, ignoring case. @throws `unknownUserError` */
export function findUserByName(name: string, people: UserSummary[]): UserSummary {
  const found = people.find((one) => normalizeName(one.name) === normalizeName(name));
  if (!found)
    throw unknownUserError(
      name,
      people.map((one) => one.name),
    );
  return found;
}

const quoted = (word: string) => (/^[\w./:@%+=,#-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

/**
 * @throws ConfigError if another OS account than the server's runs the command, because the server could not read the created
 * files. `command` is the name of the command.
 */
export async function refuseOtherAccount({ dataFolder }: Pick<Config, 'dataFolder'>, command: string): Promise<void> {
  const me = process.getuid?.();
  // The key file is created by the server; the data folder can be created by an administrator.
  const found = (await stat(join(dataFolder, 'secret.key')).catch(() => null)) ?? (await stat(dataFolder).catch(() => null));
  if (me === undefined || !found || found.uid === me) return;
  const words = ['cli', '--', command, ...process.argv.slice(2)].map(quoted).join(' ');
  const [owner, who] = [nameOf(found.uid), nameOf(me)];
  throw new ConfigError(
    `The archive in ${dataFolder} belongs to ${owner}, and ${who} runs this: what it made, the program could not read. Run it as ${owner}:\n  sudo -u ${quoted(owner)} env REELKEEP_DATA=${quoted(dataFolder)} npm run ${words}`,
  );
}

/** Acquires the instance lock, or exits with a message that names the API call to use while the server runs. */
export async function acquireLockOrExit(config: Config, instead?: string): Promise<InstanceLock> {
  try {
    // Of the whole database, also if the server shares it.
    return await acquireInstanceLock({ dataFolder: config.dataFolder, databaseUrl: config.databaseUrl });
  } catch (error) {
    if (!(error instanceof InUseError)) throw error;
    console.error(`Reelkeep runs on ${error.place}. ${instead ? `Use its call ${instead}, or stop` : 'Stop'} it first.`);
    process.exit(1);
  }
}

/** Prints the progress on one line. */
export function printProgress({ messages, progress }: Report) {
  if (!process.stdout.isTTY) return;
  const share = progress === undefined ? '' : ` ${Math.round(progress * 100)} %`;
  process.stdout.write(`\r\u001B[K${renderMessages(messages)}${share}`);
}

/** Returns a signal that aborts on Ctrl-C, with this message. */
export function abortOnInterrupt(sentence = 'Stopped. Nothing was changed.'): AbortSignal {
  const controller = new AbortController();
  process.once('SIGINT', () => controller.abort(new Error(sentence)));
  return controller.signal;
}
