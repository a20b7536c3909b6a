import { ConfigError, TemporaryConfigError } from '../platform/config/config-error.ts';
import type { Config } from '../platform/config/config.ts';
import { DatabaseUnavailableError, temporaryFailure } from '../platform/db/db.ts';
import { isConnectionError, TransactionPoolerError } from '../platform/db/postgres/connection-errors.ts';
import { asDamageError } from './open-database.ts';
import { isDiskFull } from '../platform/files/free-space.ts';

// Converts errors that stop the server or a CLI command to messages with a remedy. Unknown errors are bugs and keep their stack.

interface Known {
  code?: unknown;
  errcode?: unknown;
  message: string;
  errors?: unknown;
}

// 8 for queries, 2 for slow ones (postgres.ts), and one that holds the lock (advisory-lock.ts).
const maxConnections = 11;

// SQLSTATE classes of wrong names and passwords, for which a retry is useless.
const wrongWords = /^(28|3D)/;

/** Formats the location of a PostgreSQL server without the password in its URL. */
export function databaseLocation(databaseUrl: string): string {
  if (!URL.canParse(databaseUrl)) return 'that REELKEEP_DATABASE names';
  const { hostname, port, pathname, searchParams } = new URL(databaseUrl);
  return `at ${hostname || searchParams.get('host') || 'this machine'}:${port || 5432}${pathname}`;
}

function ofPostgres(error: Known, databaseUrl: string): ConfigError | null {
  const { code, message, errors } = error;
  if (error instanceof TransactionPoolerError)
    return new ConfigError(
      `The connection pooler ${databaseLocation(databaseUrl)} gives each transaction another connection, and locks and notifications need one that stays. Set pool_mode = session in PgBouncer, or name PostgreSQL itself in REELKEEP_DATABASE.`,
    );
  // A host name with two addresses is tried at both, and each attempt has its own error message.
  const why = message || (Array.isArray(errors) ? errors.map((one: Error) => one.message).join(', ') : String(code));
  const says = `PostgreSQL ${databaseLocation(databaseUrl)} cannot be used: ${why}.`;
  const sqlState = typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
  if (sqlState && wrongWords.test(sqlState)) return new ConfigError(`${says} Correct REELKEEP_DATABASE.`);
  // The second is PgBouncer.
  if (sqlState === '53300' || /no more connections/i.test(message))
    return new TemporaryConfigError(
      `${says} Each server opens up to ${maxConnections} connections: raise max_connections there, or the limit of the database or user, or stop other programs.`,
    );
  if (sqlState === '25006')
    return new TemporaryConfigError(`${says} It is read-only, such as a replica. Name the primary in REELKEEP_DATABASE.`);
  const isFull = sqlState?.startsWith('53'); // of memory or disk
  return isConnectionError({ code, message }) || isFull || /timeout/i.test(message)
    ? new TemporaryConfigError(`${says} Start it, or correct REELKEEP_DATABASE.`)
    : null;
}

function ofFiles({ code, errcode, message }: Known, { dataFolder }: Config): ConfigError | null {
  const sqlite = typeof errcode === 'number' ? errcode : 0;
  const shared = 4874; // SQLITE_IOERR_SHMSIZE: no space for the memory shared by readers and writers
  if (temporaryFailure({ errcode, code }) === 'full' || isDiskFull({ code }) || sqlite === shared)
    return new TemporaryConfigError(
      `The disk of the data folder ${dataFolder} is full. Make room; a few megabytes are enough to start.`,
    );
  if (temporaryFailure({ errcode, code }) === 'locked')
    return new TemporaryConfigError(`Another program holds the database in ${dataFolder}. End it.`);
  if ((sqlite & 0xff) === 10)
    return new TemporaryConfigError(`The disk of the data folder ${dataFolder} does not work as it should: ${message}.`);
  if (['EACCES', 'EPERM', 'EROFS'].includes(String(code)) || [8, 14].includes(sqlite & 0xff))
    return new ConfigError(
      `Something in the data folder ${dataFolder} cannot be read or written: ${message}. Give all of it to user ${process.getuid?.()}.`,
    );
  return null;
}

/** Returns an error with a message for the administrator; unknown errors are returned unchanged. */
export async function asUserError(error: unknown, config: Config): Promise<unknown> {
  if (error instanceof ConfigError || !(error instanceof Error)) return error;
  const damage = await asDamageError(error, config);
  if (damage !== error) return damage;
  const cause = error instanceof DatabaseUnavailableError ? (error.cause as Error) : error;
  return (config.databaseUrl && ofPostgres(cause, config.databaseUrl)) || ofFiles(error, config) || error;
}
