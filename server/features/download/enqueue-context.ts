import type { AppContext } from '../../platform/context/app-context.ts';
import type { TaskWork } from '../../platform/context/task.ts';

/** Options of adding items: what the user requested, and the destination (queue or ignore list). */
export interface EnqueueMode {
  autostart: boolean;
  flat: boolean;
  force: boolean;
  status: 'pending' | 'ignore';
  /** List-only: downloaded on request of a user, never by a schedule. */
  isOnRequest?: boolean;
}

/** Context of one run that adds items. */
export interface EnqueueContext {
  app: AppContext;
  work: TaskWork<unknown>;
  manner: EnqueueMode;
  /** Adds to the count in the result (default: 1). The first call starts downloading if auto-start is on. */
  added(count?: number): Promise<void>;
}
