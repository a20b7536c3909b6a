import { expect, test } from 'vitest';
import { QueryTimeoutError, withTimeout } from './slow-query-connection.ts';

test('an aborted query counts as too slow, also if it fails at once because its connection ends', async () => {
  const work = Promise.withResolvers<never>();
  const read = withTimeout(1, work.promise, () => work.reject(new Error('The database is closed.')));
  await expect(read).rejects.toBeInstanceOf(QueryTimeoutError);
});
