import type { DayOfDownloads } from '#contract/stats.ts';
import { dateOfDay } from './clock.ts';

/** Downloads by day of the local clock, the newest first; a day without any between two others says 0. */
export function byDay(downloads: { day: number; count: number; sizeBytes: number }[]): DayOfDownloads[] {
  const of = Map.groupBy(downloads, ({ day }) => day);
  const days = [...of.keys()];
  const [first, last] = [Math.min(...days), Math.max(...days)];
  return Array.from({ length: days.length && last - first + 1 }, (_, back) => {
    const some = of.get(last - back) ?? [];
    return {
      date: dateOfDay(last - back),
      count: some.reduce((sum, { count }) => sum + count, 0),
      media_size: some.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    };
  });
}
