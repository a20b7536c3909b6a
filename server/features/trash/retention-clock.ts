import { uptime } from 'node:os';
import type { AppContext } from '../../platform/context/app-context.ts';

const day = 86_400;

declare module '../../platform/context/app-state.ts' {
  interface AppState {
    /** Time of the last update, by a monotonic clock that includes system sleep, in seconds. */
    retentionCheckedAt: number | null;
  }
}

/**
 * Updates how long each entry has been in the trash. The system clock can jump, so one run adds at most the time of the monotonic
 * clock, and at most one day for the time between two runs. Retention can be too long, never too short.
 */
export async function advanceRetentionClock(app: AppContext, steadySeconds = uptime()): Promise<void> {
  const before = app.state.retentionCheckedAt;
  app.state.retentionCheckedAt = steadySeconds;
  const most = before === null ? day : Math.max(0, Math.ceil(steadySeconds - before));
  const now = app.now();
  await app.db
    .updateTable('trash')
    .set((e) => ({
      retainedSeconds: e(
        'retainedSeconds',
        '+',
        e
          .case()
          .when('observedAt', '>', now)
          .then(e.lit(0))
          .when('observedAt', '<', now - most)
          .then(e.lit(most))
          .else(e(e.lit(now), '-', e.ref('observedAt')))
          .end(),
      ),
      observedAt: now,
    }))
    .execute();
}

/** Returns the entries that are at least `days` old and, if `under` is set, less than `under` days old. */
export const retainedFor = ({ db }: Pick<AppContext, 'db'>, days: number, { under }: { under?: number } = {}) =>
  db
    .selectFrom('trash')
    .select(['number', 'sizeBytes'])
    .where('retainedSeconds', '>=', days * day)
    .$if(under !== undefined, (q) => q.where('retainedSeconds', '<', under! * day))
    .orderBy('number')
    .execute();

/** Returns the purge time of an entry, provided that the server runs until then. */
export const purgeDateOf = ({ retainedSeconds, observedAt }: { retainedSeconds: number; observedAt: number }, days: number) =>
  observedAt + Math.max(0, days * day - retainedSeconds);
