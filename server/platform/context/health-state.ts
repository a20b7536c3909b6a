/** Known health problems, reported by /api/health/ and the health page. */
export interface HealthState {
  /** State of background work since the start. */
  work: 'beginning' | 'begun' | { failedStep: string };
  /** Names of the startup steps that failed. */
  failedSteps: string[];
  /** First integrity error of the database, as reported by the engine. */
  damage: string | null;
  /** What the last check of the database has covered: everything, or some tables; null before the first one has ended. */
  checked: 'all' | { tables: number; of: number } | null;
}

/** State at startup, before any check. */
export const healthyState = (): HealthState => ({ work: 'beginning', failedSteps: [], damage: null, checked: null });
