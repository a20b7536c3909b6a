import type { DayOfWatching, HourOfWeek } from '#contract/stats.ts';
import { clockIn } from './clock.ts';

/** What happened in a quarter of an hour that begins then. */
export interface Quarter {
  at: number;
  count: number;
  durationSeconds: number;
}

/** By hour of the week in a time zone, the week from Monday on; hours in which nothing happened are left out. */
export function byHour(quarters: Quarter[], timeZone: string): HourOfWeek[] {
  const clock = clockIn(timeZone);
  const hours = new Map<number, HourOfWeek>();
  for (const { at, count, durationSeconds } of quarters) {
    const { weekday, hour } = clock(at);
    const place = weekday * 24 + hour;
    const one = hours.get(place) ?? { weekday: weekday + 1, hour, count: 0, duration: 0 };
    hours.set(place, { ...one, count: one.count + count, duration: one.duration + durationSeconds });
  }
  return [...hours].toSorted(([a], [b]) => a - b).map(([, one]) => one);
}

/** By day in a time zone, the oldest first; days on which nothing happened are left out. */
export function daysOf(quarters: Quarter[], timeZone: string): DayOfWatching[] {
  const clock = clockIn(timeZone);
  const days = new Map<string, DayOfWatching>();
  for (const { at, count, durationSeconds } of quarters) {
    const { date } = clock(at);
    const day = days.get(date) ?? { date, count: 0, duration: 0 };
    days.set(date, { date, count: day.count + count, duration: day.duration + durationSeconds });
  }
  return [...days.values()].toSorted((a, b) => (a.date < b.date ? -1 : 1));
}
