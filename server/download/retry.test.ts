import { expect, test } from 'vitest';
import { FailureKind } from '#contract/download.ts';
import { nextTry, pauseAfter } from './retry.ts';

test('what cannot mend itself is never tried again, what can is, ever more seldom, and not for ever', () => {
  const tries = (kind: FailureKind) => {
    const waits = [];
    for (let failures = 1; failures < 1000; failures++) {
      const at = nextTry(kind, { failures, now: 0 });
      if (at === null) break;
      waits.push(at);
    }
    return waits;
  };
  for (const kind of ['private', 'gone', 'geo', 'paid', 'refused', 'members-only', 'age', 'cookie', 'format'] as const)
    expect(tries(kind), kind).toEqual([]);
  const network = tries('network');
  expect(network.length).toBeGreaterThan(4);
  expect(network[0]).toBeLessThan(180);
  expect(network.at(-1)).toBeGreaterThan(60_000);
  for (const kind of FailureKind.options) expect(tries(kind).length, kind).toBeLessThan(600);
});

test('what is announced is looked at after it begins', () => {
  expect(nextTry('not-yet', { failures: 1, now: 1000, againInSeconds: 5 * 3600 })).toBe(1000 + 5 * 3600 + 600);
});

test('a pause doubles, up to a day for a block and six hours for haste', () => {
  expect([1, 2, 3, 10].map((times) => pauseAfter('blocked', times))).toEqual([3600, 7200, 14_400, 86_400]);
  expect([1, 2, 10].map((times) => pauseAfter('rate-limited', times))).toEqual([900, 1800, 21_600]);
  expect(pauseAfter('network', 1)).toBeNull();
});
