import type { DayOfWatching, HourOfWeek } from '#contract/stats.ts';
import { dateOfDay } from './clock.ts';

/** What happened in an hour of the local clock. */
export interface LocalHour {
  /** How many hours have passed there since 1970. */
  hour: number;
  count: number;
  durationSeconds: number;
}

// The first Monday of 1970 was the fifth of January.
const firstMonday = 4 * 24;
const hoursOfWeek = 7 * 24;

/** Adds up the hours that `within` puts into the same one, the first of those first. */
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

/** What is left of hours where only their place in a week matters: all in the first whole week of 1970. */
export const inOneWeek = (hours: LocalHour[]): LocalHour[] =>
  summedBy(hours, (hour) => firstMonday + ((hour + hoursOfWeek - firstMonday) % hoursOfWeek));

/** What is left of hours where only the day matters: all in the first of it. */
export const inDays = (hours: LocalHour[]): LocalHour[] => summedBy(hours, (hour) => hour - (hour % 24));

/** By hour of the week, the week from Monday on; hours in which nothing happened are left out. */
export const byHour = (hours: LocalHour[]): HourOfWeek[] =>
  inOneWeek(hours).map(({ hour, count, durationSeconds }) => ({
    weekday: (hour - firstMonday - (hour % 24)) / 24 + 1,
    hour: hour % 24,
    count,
    duration: durationSeconds,
  }));

/** By day, the oldest first; days on which nothing happened are left out. */
export const daysOf = (hours: LocalHour[]): DayOfWatching[] =>
  inDays(hours).map(({ hour, count, durationSeconds }) => ({ date: dateOfDay(hour / 24), count, duration: durationSeconds }));
