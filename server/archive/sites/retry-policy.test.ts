import { expect, test } from 'vitest';
import { FailureKind } from '#contract/download.ts';
import { nextAttemptAt, cooldownAfter } from './retry-policy.ts';

test('retries temporary failures with growing delays and a limit, and permanent ones never', () => {
  const attemptTimes = (kind: FailureKind) => {
    const times = [];
    for (let failures = 1; failures < 1000; failures++) {
      const at = nextAttemptAt(kind, { failures, now: 0 });
      if (at === null) break;
      times.push(at);
    }
    return times;
  };
  for (const kind of [
    'private',
    'gone',
    'geo',
    'paid',
    'refused',
    'members-only',
    'age',
    'cookie',
    'format',
    'impersonation',
  ] as const)
    expect(attemptTimes(kind), kind).toEqual([]);
  const network = attemptTimes('network');
  expect(network.length).toBeGreaterThan(4);
  expect(network[0]).toBeLessThan(180);
  expect(network.at(-1)).toBeGreaterThan(60_000);
  const sabr = attemptTimes('sabr');
  expect([sabr.length, Math.min(...sabr) > 60_000]).toEqual([30, true]);
  for (const kind of FailureKind.options) expect(attemptTimes(kind).length, kind).toBeLessThan(600);
});

test('retries an upcoming premiere after its start', () => {
  expect(nextAttemptAt('not-yet', { failures: 1, now: 1000, againInSeconds: 5 * 3600 })).toBe(1000 + 5 * 3600 + 600);
});

test('a cooldown doubles, up to a day if blocked and six hours if rate-limited', () => {
  expect([1, 2, 3, 10].map((times) => cooldownAfter('blocked', times))).toEqual([3600, 7200, 14_400, 86_400]);
  expect([1, 2, 10].map((times) => cooldownAfter('rate-limited', times))).toEqual([900, 1800, 21_600]);
  expect([1, 2, 10].map((times) => cooldownAfter('challenge', times))).toEqual([900, 1800, 21_600]);
  expect(cooldownAfter('network', 1)).toBeNull();
});
