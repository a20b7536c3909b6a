import { sql } from 'kysely';
import type { Db } from '../db.ts';

const measureMs = 10_000;

/** The clock of the database server, which all nodes share. */
export interface DatabaseClock {
  /** Current time in whole epoch seconds. */
  now(): number;
  close(): void;
}

/**
 * Follows the clock of the database server: its distance to the monotonic clock of this machine is measured every ten seconds, so
 * that a wrong or changed clock of this machine has no effect. Accurate to half the response time. While the server is not
 * reachable, the last measurement is used.
 * @throws if the first measurement fails
 */
export async function openDatabaseClock(db: Db): Promise<DatabaseClock> {
  let distanceMs = 0;
  const measure = async () => {
    const before = performance.now();
    const { rows } = await sql<{ ms: number }>`select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`.execute(db);
    distanceMs = rows[0]!.ms - (before + performance.now()) / 2;
  };
  await measure();
  const timer = setInterval(() => void measure().catch(() => {}), measureMs).unref();
  return { now: () => Math.floor((performance.now() + distanceMs) / 1000), close: () => clearInterval(timer) };
}
