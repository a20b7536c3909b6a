import type { DayOfWatching } from '#contract/stats.ts';

const dayMs = 86_400_000;

/** How wide a mark is of its cell, 0 to 1: its area says how much, and what there is at all can be seen. */
export const partOf = (amount: number, most: number) => (amount <= 0 || most <= 0 ? 0 : Math.max(0.22, Math.sqrt(amount / most)));

/** The days of so many whole weeks up to the one of `today`, each week from Monday on; nothing happens on days to come. */
export function weeksUntil(today: string, weeks: number): string[] {
  const end = Date.parse(`${today}T00:00:00Z`);
  const monday = end - ((new Date(end).getUTCDay() + 6) % 7) * dayMs;
  const first = monday - (weeks - 1) * 7 * dayMs;
  return Array.from({ length: weeks * 7 }, (_, n) => new Date(first + n * dayMs).toISOString().slice(0, 10)).filter(
    (day) => day <= today,
  );
}

/** What happened on each of some days, those without anything too. */
export function onEach(days: string[], known: DayOfWatching[]): DayOfWatching[] {
  const byDate = new Map(known.map((one) => [one.date, one]));
  return days.map((date) => byDate.get(date) ?? { date, count: 0, duration: 0 });
}
