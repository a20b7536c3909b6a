import type { DayOfDownloads } from '#contract/stats.ts';
import { clockIn } from './clock.ts';

const dayAfter = (date: string) => new Date(Date.parse(`${date}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);

/** Downloads by day in a time zone, the newest first; a day without any between two others says 0. */
export function byDay(downloads: { at: number; count: number; sizeBytes: number }[], timeZone: string): DayOfDownloads[] {
  const clock = clockIn(timeZone);
  const days: DayOfDownloads[] = [];
  for (const { at, count, sizeBytes } of downloads) {
    const { date } = clock(at);
    for (let last = days.at(-1); last && last.date < date; last = days.at(-1))
      days.push({ date: dayAfter(last.date), count: 0, media_size: 0 });
    if (days.length === 0) days.push({ date, count: 0, media_size: 0 });
    const day = days.at(-1)!;
    day.count += count;
    day.media_size += sizeBytes;
  }
  return days.toReversed();
}
