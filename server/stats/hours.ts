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

/** By hour of the week, the week from Monday on; hours in which nothing happened are left out. */
export function byHour(hours: LocalHour[]): HourOfWeek[] {
  const sums = new Map<number, HourOfWeek>();
  for (const { hour, count, durationSeconds } of hours) {
    const place = (hour + hoursBeforeIt) % hoursOfWeek;
    const one = sums.get(place) ?? { weekday: Math.floor(place / 24) + 1, hour: place % 24, count: 0, duration: 0 };
    sums.set(place, { ...one, count: one.count + count, duration: one.duration + durationSeconds });
  }
  return [...sums].toSorted(([a], [b]) => a - b).map(([, one]) => one);
}

/** By day, the oldest first; days on which nothing happened are left out. */
export function daysOf(hours: LocalHour[]): DayOfWatching[] {
  const sums = new Map<number, DayOfWatching>();
  for (const { hour, count, durationSeconds } of hours) {
    const day = Math.floor(hour / 24);
    const one = sums.get(day) ?? { date: dateOfDay(day), count: 0, duration: 0 };
    sums.set(day, { ...one, count: one.count + count, duration: one.duration + durationSeconds });
  }
  return [...sums].toSorted(([a], [b]) => a - b).map(([, one]) => one);
}
