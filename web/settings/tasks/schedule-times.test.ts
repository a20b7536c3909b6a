import { expect, test } from 'vitest';
import { isShiftedByClockChanges, minutesAheadOfServer, parseSchedule, serializeSchedule } from './schedule-times.ts';

test.each([
  ['0 8 *', 120, { kind: 'daily', time: '10:00' }],
  ['30 23 *', 120, { kind: 'daily', time: '01:30' }],
  ['30 23 6', 120, { kind: 'weekly', time: '01:30', day: 0 }],
  ['0 1 0', -330, { kind: 'weekly', time: '19:30', day: 6 }],
  ['15 * *', 330, { kind: 'hourly', minute: 45 }],
  ['5 8,16 1-5', 60, { kind: 'custom', fields: '5 8,16 1-5' }],
])('parses and serializes "%s" with the browser %i minutes ahead', (schedule, ahead, choice) => {
  expect(parseSchedule(schedule, ahead)).toEqual(choice);
  expect(serializeSchedule(parseSchedule(schedule, ahead), ahead)).toBe(schedule);
});

test('treats a missing schedule as off', () => {
  expect(parseSchedule(undefined, 0)).toEqual({ kind: 'off' });
  expect(serializeSchedule({ kind: 'off' }, 0)).toBeNull();
});

test('knows when clock changes move a schedule', () => {
  const at = new Date('2026-05-01');
  expect(isShiftedByClockChanges('UTC', 'Europe/Berlin', at)).toBe(true);
  expect(isShiftedByClockChanges('Europe/Paris', 'Europe/Berlin', at)).toBe(false);
  expect(isShiftedByClockChanges('America/New_York', 'Europe/Berlin', at)).toBe(true);
  expect(isShiftedByClockChanges('Asia/Tokyo', 'Asia/Kolkata', at)).toBe(false);
});

test('computes the offset between two time zones, including daylight saving time', () => {
  expect(minutesAheadOfServer('UTC', new Date('2026-01-10T12:00:00Z'), 'Europe/Berlin')).toBe(60);
  expect(minutesAheadOfServer('UTC', new Date('2026-07-10T12:00:00Z'), 'Europe/Berlin')).toBe(120);
  expect(minutesAheadOfServer('America/New_York', new Date('2026-01-10T23:50:00Z'), 'Asia/Kolkata')).toBe(630);
});
