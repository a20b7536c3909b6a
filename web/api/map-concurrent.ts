import pLimit from 'p-limit';

// Selections may hold hundreds of items; limit the parallel requests.
const limit = pLimit(4);

/** Runs `callback` for each item, four at a time. Rejects with the first failure after all calls have settled. */
export async function mapConcurrent<T>(all: T[], callback: (one: T) => Promise<unknown>) {
  const results = await Promise.allSettled(all.map((one) => limit(callback, one)));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason as Error;
}
