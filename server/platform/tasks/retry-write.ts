import { setTimeout as wait } from 'node:timers/promises';
import type { AppContext } from '../context/app-context.ts';
import { temporaryFailure } from '../db/db.ts';

const againMs = 2000;

/**
 * Retries a write while the disk of the database is full or the database is locked, until the signal fires.
 * @throws all other errors
 */
export async function retryWrite<T>(write: () => Promise<T>, { log }: Pick<AppContext, 'log'>, signal: AbortSignal): Promise<T> {
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await write();
    } catch (error) {
      const cause = temporaryFailure(error);
      if (!cause || signal.aborted) throw error;
      if (isFirst) log.error({ err: error }, `the database cannot be written (${cause}); retrying until it can`);
      await wait(againMs, undefined, { signal }).catch(() => {});
    }
  }
}
