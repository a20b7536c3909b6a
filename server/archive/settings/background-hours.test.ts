import { expect, test } from 'vitest';
import { backgroundHoursPerDay, nextBackgroundTime, refuseInvalidHours } from './background-hours.ts';

const at = (day: number, hours: number, minutes: number) => Math.floor(new Date(2026, 10, day, hours, minutes).getTime() / 1000);

test('background work waits for its hours', () => {
  expect(nextBackgroundTime('01:00-06:00', at(5, 1, 0))).toBe(at(5, 1, 0));
  expect(nextBackgroundTime('01:00-06:00', at(5, 5, 59))).toBe(at(5, 5, 59));
  expect(nextBackgroundTime('01:00-06:00', at(5, 6, 0))).toBe(at(6, 1, 0));
  expect(nextBackgroundTime('01:00-06:00, 13:00-14:30', at(5, 12, 30))).toBe(at(5, 13, 0));
  expect(nextBackgroundTime('22:00-05:00', at(5, 23, 30))).toBe(at(5, 23, 30));
  expect(nextBackgroundTime('22:00-05:00', at(5, 4, 0))).toBe(at(5, 4, 0));
  expect(nextBackgroundTime('22:00-05:00', at(5, 5, 0))).toBe(at(5, 22, 0));
  expect(nextBackgroundTime(null, at(5, 12, 0))).toBe(at(5, 12, 0));
});

test('hours of overlapping ranges count once', () => {
  expect(backgroundHoursPerDay('01:00-06:00, 05:00-07:00')).toBe(6);
  expect(backgroundHoursPerDay('22:00-24:00')).toBe(2);
  expect(backgroundHoursPerDay(null)).toBe(24);
});

test.each(['25:00-3', '01:00', '01:60-02:00', '24:00-25:00', '03:00-03:00', 'nachts'])('refuses the hours %s', (hours) => {
  expect(() => refuseInvalidHours(hours)).toThrow('Use hours such as 01:00-06:00.');
});
