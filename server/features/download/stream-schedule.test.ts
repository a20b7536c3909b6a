import { expect, test } from 'vitest';
import { nextLookAt, scheduleOf } from './stream-schedule.ts';

const now = 1_800_000_000;
const hour = 3600;

test('a stream is looked at when it starts, and every five minutes while it is late', () => {
  expect(nextLookAt(now + hour, now)).toBe(now + hour);
  expect(nextLookAt(now, now)).toBe(now + 300);
  expect(nextLookAt(now - 11 * hour, now)).toBe(now + 300);
});

test('a stream that is far away is looked at before, because it may be moved', () => {
  expect(nextLookAt(now + 10 * hour, now)).toBe(now + 5 * hour);
  expect(nextLookAt(now + 1000 * hour, now)).toBe(now + 24 * hour);
  expect(nextLookAt(null, now)).toBe(now + hour);
});

test('a stream that never starts is looked at less and less', () => {
  expect(nextLookAt(now - 13 * hour, now)).toBe(now + 3 * hour);
  expect(nextLookAt(now - 1000 * hour, now)).toBe(now + 24 * hour);
});

test('what is not to be recorded waits until it is over', () => {
  const soon = { live: 'upcoming', startsAt: now + hour } as const;
  expect(scheduleOf(soon, { isWanted: true, now })).toMatchObject({
    kind: 'not-yet',
    message: { id: 'live.scheduled' },
    startsAt: now + hour,
    retryAt: now + hour,
  });
  const waits = scheduleOf(soon, { isWanted: false, now });
  expect(waits).toMatchObject({ message: { id: 'failure.not-yet' }, startsAt: now + hour });
  expect(waits.retryAt).toBeGreaterThan(now + hour);
  expect(scheduleOf({ live: 'live', startsAt: null }, { isWanted: false, now }).retryAt).toBeGreaterThan(now + hour);
});
