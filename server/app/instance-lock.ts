import { ConfigError } from '../platform/config/config-error.ts';
import type { Config } from '../platform/config/config.ts';
import { lockFolder, InUseError } from '../platform/config/data-folder.ts';
import type { NodeConnection } from '../platform/db/postgres/advisory-lock.ts';
import { databaseLocation } from './startup-errors.ts';

type Part = Pick<Config, 'dataFolder' | 'databaseUrl'> & Partial<Pick<Config, 'node' | 'role'>>;

/** Exclusive access to an archive. */
export interface InstanceLock {
  /** Fires with a ConfigError when another server has taken the database; this server must exit. */
  taken: AbortSignal;
  /** If several servers share the database. */
  connection?: NodeConnection;
  /** Calls the listener whenever the connection with the lock is lost. Other connections may wait for a silent server then. */
  onLost(listener: () => void): void;
  release(): Promise<void>;
}

/**
 * Locks the data folder and, on PostgreSQL, the database or the name of the node for the lifetime of the process. With `say`,
 * waits a little for that lock, whose holder may just have died, and reports this wait and lost connections.
 * @throws InUseError if another process holds one of the locks.
 */
export async function acquireInstanceLock(
  { dataFolder, databaseUrl, node, role }: Part,
  say?: (words: string) => void,
): Promise<InstanceLock> {
  const folder = lockFolder(dataFolder);
  if (!databaseUrl) return { taken: new AbortController().signal, onLost() {}, release: async () => folder.release() };
  const place = `PostgreSQL ${databaseLocation(databaseUrl)}`;
  const taken = new AbortController();
  const lostListeners: (() => void)[] = [];
  try {
    const { acquireAdvisoryLock } = await import('../platform/db/postgres/advisory-lock.ts'); // on demand, like the driver
    const held = await acquireAdvisoryLock(databaseUrl, {
      node,
      canLead: node !== undefined && role !== 'web',
      ...(say && { onWait: () => say(`another Reelkeep uses ${place}; waiting in case it is shutting down`) }),
      onLost() {
        say?.(`the connection that holds ${place} was lost; reconnecting`);
        for (const listener of lostListeners) listener();
      },
    });
    if (held === 'name taken') throw new InUseError(`${place} as node ${node}`, 'another name (REELKEEP_NODE)');
    if (held === 'database taken')
      throw new InUseError(
        place,
        node === undefined
          ? 'another database (REELKEEP_DATABASE)'
          : 'another database (REELKEEP_DATABASE); the other one has no REELKEEP_NODE, so it does not share its database',
      );
    const why = `Another server has locked ${place} while this one was disconnected. This server exits; start it again after stopping the other one.`;
    held.taken.addEventListener('abort', () => taken.abort(new ConfigError(why)));
    return {
      taken: taken.signal,
      ...(node !== undefined && { connection: held }),
      onLost: (listener) => void lostListeners.push(listener),
      async release() {
        await held.release();
        folder.release();
      },
    };
  } catch (error) {
    folder.release();
    throw error;
  }
}

/** Acquires the lock if it is free; returns null if another process holds it. */
export async function acquireIfFree({ dataFolder, databaseUrl }: Part): Promise<InstanceLock | null> {
  try {
    return await acquireInstanceLock({ dataFolder, databaseUrl });
  } catch (error) {
    if (error instanceof InUseError) return null;
    throw error;
  }
}
