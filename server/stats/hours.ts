import type { DayOfWatching, HourOfWeek } from '#contract/stats.ts';
import { dateOfDay } from './clock.ts';

/** What happened in an hour of the local clock. */
export interface LocalHour {
  /** How many hours have passed there since 1970. */
  hour: number;
  count: number;
  durationSeconds: number;
}

// The first of January 1970 was a Thursday.
const hoursBeforeIt = 3 * 24;
const hoursOfWeek = 7 * 24;

/** Adds up the hours that fall into one place each, the first place first; places in which nothing happened are left out. */
function summedBy(hours: LocalHour[], placeOf: (hour: number) => number) {
  const sums = new Map<number, { count: number; duration: number }>();
  for (const { hour, count, durationSeconds } of hours) {
    const sum = sums.getOrInsertComputed(placeOf(hour), () => ({ count: 0, duration: 0 }));
    sum.count += count;
    sum.duration += durationSeconds;
  }
  return [...sums].toSorted(([a], [b]) => a - b);
}

/** By hour of the week, the week from Monday on; hours in which nothing happened are left out. */
export const byHour = (hours: LocalHour[]): HourOfWeek[] =>
  summedBy(hours, (hour) => (hour + hoursBeforeIt) % hoursOfWeek).map(([place, sum]) => ({
    weekday: Math.floor(place / 24) + 1,
    hour: place % 24,
    ...sum,
  }));

/** By day, the oldest first; days on which nothing happened are left out. */
export const daysOf = (hours: LocalHour[]): DayOfWatching[] =>
  summedBy(hours, (hour) => Math.floor(hour / 24)).map(([day, sum]) => ({ date: dateOfDay(day), ...sum }));
