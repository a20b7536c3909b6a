import type { DayOfDownloads } from '#contract/stats.ts';
import { dateOfDay } from './clock.ts';

/** Groups downloads by local day, newest first; days without downloads in between get 0. */
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
