import type { DatabaseConnection, Driver } from 'kysely';
import pg from 'pg';
import { DatabaseAway } from './db.ts';

// https://www.postgresql.org/docs/current/errcodes-appendix.html: connection exceptions, and a server that ends or begins.
const ofServer = /^(08...|57P0[123])$/;
const ofNetwork = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
// As the driver says it, which has no codes of its own.
const ofDriver = /^Connection terminated|^Client has encountered a connection error|timeout exceeded when trying to connect/;

/** What a lost connection is told as; everything else stays as it is. */
function told(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { code = '' } = error as { code?: string };
  const isAway = error instanceof pg.DatabaseError ? ofServer.test(code) : ofNetwork.has(code) || ofDriver.test(error.message);
  return isAway ? new DatabaseAway(error) : error;
}

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
