import { setTimeout as wait } from 'node:timers/promises';
import type { Archive } from '../archive.ts';
import { passingTrouble } from '../db/db.ts';

const againMs = 2000;

/**
 * Writes to the database what must not be lost, as soon as it can be written: while its disk is full or somebody else
 * holds it, it is tried again, until the signal fires. Throws everything else.
 */
export async function untilWritten<T>(write: () => Promise<T>, { log }: Pick<Archive, 'log'>, signal: AbortSignal): Promise<T> {
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await write();
    } catch (error) {
      const trouble = passingTrouble(error);
      if (!trouble || signal.aborted) throw error;
      if (isFirst) log.error({ err: error }, `the database cannot be written (${trouble}); trying again until it can`);
      await wait(againMs, undefined, { signal }).catch(() => {});
    }
  }
}
