import type { DayOfWatching, HourOfWeek } from '#contract/stats.ts';
import { dateOfDay } from './clock.ts';

/** Activity in one hour of local time. */
export interface LocalHour {
  /** Hours since 1970 in local time. */
  hour: number;
  count: number;
  durationSeconds: number;
}

// The first Monday of 1970 was January 5.
const firstMonday = 4 * 24;
const hoursOfWeek = 7 * 24;

/** Sums the hours that `within` maps to the same hour, ordered by first occurrence. */
function summedBy(hours: LocalHour[], within: (hour: number) => number): LocalHour[] {
  const sums = new Map<number, LocalHour>();
  for (const one of hours) {
    const hour = within(one.hour);
    const sum = sums.getOrInsertComputed(hour, () => ({ hour, count: 0, durationSeconds: 0 }));
    sum.count += one.count;
    sum.durationSeconds += one.durationSeconds;
  }
  return [...sums.values()].toSorted((a, b) => a.hour - b.hour);
}

/** Sums by hour of the week; maps all hours to the first full week of 1970. */
export const inOneWeek = (hours: LocalHour[]): LocalHour[] =>
  summedBy(hours, (hour) => firstMonday + ((hour + hoursOfWeek - firstMonday) % hoursOfWeek));

/** Sums by day; maps all hours to the first hour of their day. */
export const inDays = (hours: LocalHour[]): LocalHour[] => summedBy(hours, (hour) => hour - (hour % 24));

/** Sums by hour of the week, starting on Monday; omits hours without activity. */
export const byHour = (hours: LocalHour[]): HourOfWeek[] =>
  inOneWeek(hours).map(({ hour, count, durationSeconds }) => ({
    weekday: (hour - firstMonday - (hour % 24)) / 24 + 1,
    hour: hour % 24,
    count,
    duration: durationSeconds,
  }));

/** Sums by day, oldest first; omits days without activity. */
export const daysOf = (hours: LocalHour[]): DayOfWatching[] =>
  inDays(hours).map(({ hour, count, durationSeconds }) => ({ date: dateOfDay(hour / 24), count, duration: durationSeconds }));
