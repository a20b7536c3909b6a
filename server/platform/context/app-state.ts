/**
 * State of one app context that is only in memory and starts empty with each start of the server. A feature declares its part
 * in its own file with `declare module`; server/app/create-state.ts creates all of them.
 */
export interface AppState {
  /** When a video was last played, epoch seconds. */
  playedAt: number | null;
  /** Errors of schedules that were already logged; all schedules are checked periodically. */
  loggedScheduleErrors: Set<string>;
}
