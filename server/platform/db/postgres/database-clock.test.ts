import { sql } from 'kysely';
import { afterEach, expect, test, vi } from 'vitest';
import { engines, testApp } from '../../../test-support/app.ts';
import { openDatabaseClock } from './database-clock.ts';

afterEach(() => vi.useRealTimers());

test.runIf(engines.length > 1)('follows the clock of the server, not that of this machine', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 180_000 });
  const t = await testApp({ on: engines[1]! });
  const clock = await openDatabaseClock(t.app.db);
  const { rows } = await sql<{ now: number }>`select floor(extract(epoch from clock_timestamp()))::int8 as now`.execute(t.app.db);
  expect(Math.abs(clock.now() - rows[0]!.now)).toBeLessThanOrEqual(1);
  expect(Date.now() / 1000 - clock.now()).toBeGreaterThan(170);
  clock.close();
  await t.close();
});
