import type { DatabaseConnection, Driver } from 'kysely';
import { DatabaseAway } from './db.ts';

// https://www.postgresql.org/docs/current/errcodes-appendix.html: connection exceptions, and what ends a session from the server's side.
const ofServer = /^(08...|57P..)$/;
const ofSystem = /^(E[A-Z]{3,}|EAI_AGAIN)$/;
// As the driver says it, which has no codes of its own.
const ofDriver = /terminated|timeout|Connection ended|connection error/i;

/** Whether what PostgreSQL, its driver or the system says of a statement or a connection means that it cannot be reached just now. */
export const saysAway = ({ code, message }: { code?: unknown; message: string }): boolean =>
  typeof code === 'string' ? ofServer.test(code) || ofSystem.test(code) : ofDriver.test(message);

/** What a lost connection is told as; everything else stays as it is. */
const told = (error: unknown) => (error instanceof Error && saysAway(error) ? new DatabaseAway(error) : error);

const telling =
  <Args extends unknown[], Answer>(work: (...args: Args) => Promise<Answer>) =>
  async (...args: Args): Promise<Answer> => {
    try {
      return await work(...args);
    } catch (error) {
      throw told(error);
    }
  };

/** Tells a lost connection from what is wrong with a statement (`DatabaseAway`). */
export function tellingAway(driver: Driver): Driver {
  const known = new WeakSet<DatabaseConnection>();
  const listenTo = (connection: DatabaseConnection) => {
    if (!known.has(connection)) {
      known.add(connection);
      connection.executeQuery = telling(connection.executeQuery.bind(connection)) as typeof connection.executeQuery;
    }
    return connection;
  };
  return {
    init: () => driver.init(),
    acquireConnection: telling(async (options) => listenTo(await driver.acquireConnection(options))),
    beginTransaction: telling((connection, settings) => driver.beginTransaction(connection, settings)),
    commitTransaction: telling((connection) => driver.commitTransaction(connection)),
    rollbackTransaction: telling((connection) => driver.rollbackTransaction(connection)),
    releaseConnection: (connection) => driver.releaseConnection(connection),
    destroy: () => driver.destroy(),
  };
}
