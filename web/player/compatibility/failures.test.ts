import { expect, test } from 'vitest';
import { parseFailures } from './failures.ts';

const day = 86_400_000;

test('keeps failures of the last 30 days, and nothing that is not one', () => {
  const now = 100 * day;
  const stored = {
    recent: { at: now - 29 * day, methods: ['direct', 'magic', 7] },
    old: { at: now - 31 * day, methods: ['direct'] },
    future: { at: now + 31 * day, methods: ['direct'] },
    'not an object': 5,
    'no methods': { at: now },
  };
  expect(parseFailures(stored, now)).toEqual({ recent: { at: now - 29 * day, methods: ['direct'] } });
  expect(parseFailures(null, now)).toEqual({});
  const many = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`file ${at}`, { at: now, methods: ['direct'] }]));
  expect(Object.keys(parseFailures(many, now))).toHaveLength(100);
});
