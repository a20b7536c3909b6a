import { readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Person } from '#contract/people.ts';
import { ConfigProblem } from '../config-problem.ts';
import { readConfig, type Config } from '../config.ts';
import { InUse } from '../data-folder.ts';
import type { Db } from '../db/db.ts';
import { misspelled } from '../environment-words.ts';
import { foldName } from '../fold-text.ts';
import { hold, type Held } from '../hold.ts';
import { mustBeThere, openAsItIs } from '../open-database.ts';
import { forPeople } from '../start-problems.ts';
import type { Report } from '../task/task.ts';

// What the console's own commands have in common.

/** Runs a command with its configuration; what goes wrong ends it with a sentence instead of a stack. */
export async function byHand(work: (config: Config) => Promise<void>): Promise<void> {
  try {
    const config = readConfig(process.env);
    // With the name of the database mistyped it would be another one that is restored.
    for (const sentence of misspelled(process.env)) console.error(sentence);
    await work(config).catch(async (error: unknown) => Promise.reject(await forPeople(error, config)));
  } catch (error) {
    console.error(`\n${(error as Error).message}`);
    process.exitCode = error instanceof ConfigProblem ? error.exitCode : 1;
  }
}

/** What an account of this machine is called; for `sudo`, one without a name is `#1000`. */
function nameOf(uid: number): string {
  try {
    const line = readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .find((one) => one.split(':')[2] === String(uid));
    if (line) return line.split(':')[0]!;
  } catch {
    // a machine that keeps its accounts elsewhere
  }
  return `#${uid}`;
}

export const secondsNow = () => Math.floor(Date.now() / 1000);

/**
 * Does something with the database of an archive that is there, as it is, and says what comes of it where that is a sentence. May run
 * beside the program. `command` is what follows `npm run`.
 */
export async function onArchive(
  config: Config,
  command: string,
  work: (db: Db) => Promise<string | void>,
  { readOnly = false } = {},
): Promise<void> {
  await mustBeThere(config);
  await refuseOthers(config, command);
  const db = await openAsItIs(config, { readOnly });
  try {
    const said = await work(db);
    if (said !== undefined) console.log(said);
  } finally {
    await db.destroy();
  }
}

/** There is no account of that name; the message says which there are. */
export const nobodyCalled = (name: string, names: string[]) =>
  new Error(
    `There is no account ${name}. ${names.length > 0 ? `There are: ${names.join(', ')}.` : 'There are none yet; start the program first.'}`,
  );

/** The one of these people who is called so, however it is written; throws `nobodyCalled`. */
export function personCalled(name: string, people: Person[]): Person {
  const found = people.find((one) => foldName(one.name) === foldName(name));
  if (!found)
    throw nobodyCalled(
      name,
      people.map((one) => one.name),
    );
  return found;
}

const quoted = (word: string) => (/^[\w./:@%+=,#-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

/**
 * Throws ConfigProblem where another account runs this than the program's own: what it makes, the program could not read.
 * `command` is what follows `npm run`.
 */
export async function refuseOthers({ dataFolder }: Pick<Config, 'dataFolder'>, command: string): Promise<void> {
  const me = process.getuid?.();
  // Whose key it is, theirs is the program; the folder itself may have been made by whoever set the machine up.
  const found = (await stat(join(dataFolder, 'secret.key')).catch(() => null)) ?? (await stat(dataFolder).catch(() => null));
  if (me === undefined || !found || found.uid === me) return;
  const words = [command, ...(process.argv.length > 2 ? ['--', ...process.argv.slice(2)] : [])].map(quoted).join(' ');
  const [owner, who] = [nameOf(found.uid), nameOf(me)];
  throw new ConfigProblem(
    `The archive in ${dataFolder} belongs to ${owner}, and ${who} runs this: what it made, the program could not read. Run it as ${owner}:\n  sudo -u ${quoted(owner)} env REELKEEP_DATA=${quoted(dataFolder)} npm run ${words}`,
  );
}

/** Holds the archive, or ends with a sentence that names what to use while the program runs. */
export async function holdByHand(config: Config, instead: string): Promise<Held> {
  try {
    return await hold(config);
  } catch (error) {
    if (!(error instanceof InUse)) throw error;
    console.error(`Reelkeep runs on ${error.place}. Use its call ${instead}, or stop it first.`);
    process.exit(1);
  }
}

/** Shows how far it is, on one line. */
export function sayStep({ messages, progress }: Report) {
  if (!process.stdout.isTTY) return;
  const share = progress === undefined ? '' : ` ${Math.round(progress * 100)} %`;
  process.stdout.write(`\r\u001B[K${messages.join(' ')}${share}`);
}

/** Fires when somebody presses Ctrl-C, with the sentence that says what came of it. */
export function stopped(sentence = 'Stopped. Nothing was changed.'): AbortSignal {
  const controller = new AbortController();
  process.once('SIGINT', () => controller.abort(new Error(sentence)));
  return controller.signal;
}
