import type { DatabaseConnection, Driver } from 'kysely';
import { DatabaseUnavailableError } from '../db.ts';

// https://www.postgresql.org/docs/current/errcodes-appendix.html: connection exceptions, sessions ended by the server, too many
// connections, and a replica that is not yet the primary.
const ofServer = /^(08...|57P..|53300|25006)$/;
const ofSystem = /^(E[A-Z]{3,}|EAI_AGAIN)$/;
// Messages of the driver, which has no codes.
const ofDriver = /terminated|timeout|Connection ended|connection error/i;

/** Returns whether an error of PostgreSQL, its driver or the OS means that the server is not reachable. */
export const isConnectionError = ({ code, message }: { code?: unknown; message: string }): boolean =>
  typeof code === 'string' ? ofServer.test(code) || ofSystem.test(code) : ofDriver.test(message);

/** The server is a connection pooler that gives each transaction another connection. */
export class TransactionPoolerError extends Error {}

/** Wraps connection errors; other errors are unchanged. */
const convertError = (error: unknown) =>
  error instanceof Error && isConnectionError(error) ? new DatabaseUnavailableError(error) : error;

const convertingErrors =
  <Args extends unknown[], Answer>(work: (...args: Args) => Promise<Answer>) =>
  async (...args: Args): Promise<Answer> => {
    try {
      return await work(...args);
    } catch (error) {
      throw convertError(error);
    }
  };

/** Wraps a driver to report lost connections as `DatabaseUnavailableError`. */
export function withConnectionErrors(driver: Driver): Driver {
  const known = new WeakSet<DatabaseConnection>();
  const listenTo = (connection: DatabaseConnection) => {
    if (!known.has(connection)) {
      known.add(connection);
      connection.executeQuery = convertingErrors(connection.executeQuery.bind(connection)) as typeof connection.executeQuery;
    }
    return connection;
  };
  return {
    init: () => driver.init(),
    acquireConnection: convertingErrors(async (options) => listenTo(await driver.acquireConnection(options))),
    beginTransaction: convertingErrors((connection, settings) => driver.beginTransaction(connection, settings)),
    commitTransaction: convertingErrors((connection) => driver.commitTransaction(connection)),
    rollbackTransaction: convertingErrors((connection) => driver.rollbackTransaction(connection)),
    releaseConnection: (connection) => driver.releaseConnection(connection),
    destroy: () => driver.destroy(),
  };
}
