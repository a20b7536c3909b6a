import type { DayOfWatching } from '#contract/stats.ts';

const dayMs = 86_400_000;

/** Width of a mark relative to its cell, 0 to 1. The area is proportional to the amount; small amounts stay visible. */
export const markScale = (amount: number, max: number) => (amount <= 0 || max <= 0 ? 0 : Math.max(0.22, Math.sqrt(amount / max)));

/** Lists the days (ISO) of `weeks` weeks, Monday first, the last one ending at `today`. */
export function listDaysOfWeeks(today: string, weeks: number): string[] {
  const end = Date.parse(`${today}T00:00:00Z`);
  const monday = end - ((new Date(end).getUTCDay() + 6) % 7) * dayMs;
  const first = monday - (weeks - 1) * 7 * dayMs;
  return Array.from({ length: weeks * 7 }, (_, n) => new Date(first + n * dayMs).toISOString().slice(0, 10)).filter(
    (day) => day <= today,
  );
}

/** Returns an entry for each day, with zeros for days without activity. */
export function fillMissingDays(days: string[], known: DayOfWatching[]): DayOfWatching[] {
  const byDate = new Map(known.map((one) => [one.date, one]));
  return days.map((date) => byDate.get(date) ?? { date, count: 0, duration: 0 });
}
