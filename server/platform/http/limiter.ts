import { CompiledQuery } from 'kysely';
import { RateLimiterMemory, RateLimiterPostgres, type RateLimiterAbstract } from 'rate-limiter-flexible';
import type { AppContext } from '../context/app-context.ts';
import type { Db } from '../db/db.ts';

interface LimiterOptions {
  /** Distinguishes the keys of this limiter from those of all others. */
  keyPrefix: string;
  points: number;
  /** Seconds. */
  duration: number;
}

export type CreateLimiter = (options: LimiterOptions) => RateLimiterAbstract;

/** The client that RateLimiterPostgres expects, on the connections of the database. */
const clientOf = (db: Db) => ({
  async query({ text, values }: { text: string; values: unknown[] }) {
    const { rows, numAffectedRows } = await db.executeQuery(CompiledQuery.raw(text, values));
    return { rows, rowCount: Number(numAffectedRows ?? 0) };
  },
});

/**
 * Returns how limiters are created: with counts in memory, or for one of several nodes in the database, so that all nodes count
 * together. While the database cannot be reached, a node counts alone.
 */
export function limitersOf({ config, db }: Pick<AppContext, 'config' | 'db'>): CreateLimiter {
  if (config.node === undefined) return (options) => new RateLimiterMemory(options);
  const storeClient = clientOf(db);
  return (options) =>
    new RateLimiterPostgres({
      ...options,
      storeClient,
      storeType: 'client',
      tableName: 'rate_limit',
      tableCreated: true,
      clearExpiredByTimeout: false, // deleteExpiredLimits
      insuranceLimiter: new RateLimiterMemory(options),
    });
}

/** Deletes counts whose period is over. The limiters set `expire` by the clock of their machine. */
export async function deleteExpiredLimits({ db }: Pick<AppContext, 'db'>): Promise<void> {
  await db.deleteFrom('rateLimit').where('expire', '<', Date.now()).execute();
}
