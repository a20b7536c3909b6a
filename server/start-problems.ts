import { ConfigProblem, PassingProblem } from './config-problem.ts';
import type { Config } from './config.ts';
import { DatabaseAway, passingTrouble } from './db/db.ts';
import { saysAway } from './db/postgres-away.ts';
import { toldAsDamage } from './open-database.ts';

// What keeps the program, or a command of the console, from its work, as sentences for the person who can help. Whatever is not
// known here is a fault of ours, and keeps its stack.

interface Known {
  code?: unknown;
  errcode?: unknown;
  message: string;
  errors?: unknown;
}

// SQLSTATE of wrong names and passwords: trying again does not help.
const wrongWords = /^(28|3D)/;

/** Where a PostgreSQL is, without the password that stands in its address. */
export function placeOf(databaseUrl: string): string {
  if (!URL.canParse(databaseUrl)) return 'that REELKEEP_DATABASE names';
  const { hostname, port, pathname, searchParams } = new URL(databaseUrl);
  return `at ${hostname || searchParams.get('host') || 'this machine'}:${port || 5432}${pathname}`;
}

function ofPostgres({ code, message, errors }: Known, databaseUrl: string): ConfigProblem | null {
  // A name of two addresses is tried at both, and each says something.
  const why = message || (Array.isArray(errors) ? errors.map((one: Error) => one.message).join(', ') : String(code));
  const says = `PostgreSQL ${placeOf(databaseUrl)} cannot be used: ${why}.`;
  const sqlState = typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
  if (sqlState && wrongWords.test(sqlState)) return new ConfigProblem(`${says} Correct REELKEEP_DATABASE.`);
  const isFull = sqlState?.startsWith('53'); // of connections, memory or disk
  return saysAway({ code, message }) || isFull || /timeout/i.test(message)
    ? new PassingProblem(`${says} Start it, or correct REELKEEP_DATABASE.`)
    : null;
}

function ofFiles({ code, errcode, message }: Known, { dataFolder }: Config): ConfigProblem | null {
  const sqlite = typeof errcode === 'number' ? errcode : 0;
  const shared = 4874; // SQLITE_IOERR_SHMSIZE: there is no room for what those who read and write share
  if (passingTrouble({ errcode, code }) === 'full' || code === 'ENOSPC' || code === 'EDQUOT' || sqlite === shared)
    return new PassingProblem(
      `The disk of the data folder ${dataFolder} is full. Make room; a few megabytes are enough to start.`,
    );
  if (passingTrouble({ errcode, code }) === 'locked')
    return new PassingProblem(`Another program holds the database in ${dataFolder}. End it.`);
  if ((sqlite & 0xff) === 10)
    return new PassingProblem(`The disk of the data folder ${dataFolder} does not work as it should: ${message}.`);
  if (['EACCES', 'EPERM', 'EROFS'].includes(String(code)) || [8, 14].includes(sqlite & 0xff))
    return new ConfigProblem(
      `Something in the data folder ${dataFolder} cannot be read or written: ${message}. Give all of it to user ${process.getuid?.()}.`,
    );
  return null;
}

/** The sentence for a person who can help; where nobody but us can, the error as it is. */
export async function forPeople(error: unknown, config: Config): Promise<unknown> {
  if (error instanceof ConfigProblem || !(error instanceof Error)) return error;
  const damage = await toldAsDamage(error, config);
  if (damage !== error) return damage;
  const said = error instanceof DatabaseAway ? (error.cause as Error) : error;
  return (config.databaseUrl && ofPostgres(said, config.databaseUrl)) || ofFiles(error, config) || error;
}
