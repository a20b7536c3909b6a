import { dateOf, dayOf } from './growth-line.ts';

export interface Forecast {
  /** Number of days the forecast is based on. */
  over: number;
  /** Bytes per day: the mean, and the bounds of its 80 % confidence interval. */
  pace: number;
  fast: number;
  /** Null when the lower bound is zero or less. */
  slow: number | null;
  /** Days until the disk is full. */
  full: number;
  soonest: number;
  latest: number | null;
}

const maxDaysBack = 30;
// Minimum data for a forecast: a single large import is no trend.
const [minDays, minActiveDays] = [14, 5];
const zScore = 1.28;
const maxDays = 3650;

/**
 * Predicts when the disk is full, from the growth of the last 30 days. Returns null with too little data, or when that is
 * more than ten years away.
 */
export function computeForecast(days: { date: string; media_size: number }[], today: string, free: number): Forecast | null {
  if (!days[0]) return null;
  const over = Math.min(maxDaysBack, dayOf(today) - dayOf(days[0].date) + 1);
  const sizeByDate = new Map(days.map(({ date, media_size: size }) => [date, size]));
  const dailySizes = Array.from({ length: over }, (_, back) => sizeByDate.get(dateOf(dayOf(today) - back)) ?? 0);
  if (over < minDays || dailySizes.filter((size) => size > 0).length < minActiveDays) return null;
  const pace = dailySizes.reduce((sum, size) => sum + size, 0) / over;
  const spread = Math.sqrt(dailySizes.reduce((sum, size) => sum + (size - pace) ** 2, 0) / (over - 1));
  const margin = (zScore * spread) / Math.sqrt(over);
  const full = free / pace;
  if (full > maxDays) return null;
  const slow = pace - margin;
  const latest = slow > 0 && free / slow < maxDays ? free / slow : null;
  return { over, pace, fast: pace + margin, slow: latest === null ? null : slow, full, soonest: free / (pace + margin), latest };
}

/** Free bytes after `days`: at the mean rate and at both bounds of the interval. */
export function freeSpaceAfter({ pace, fast, slow }: Forecast, free: number, days: number) {
  const remaining = (perDay: number) => Math.max(0, free - perDay * days);
  return { likely: remaining(pace), least: remaining(fast), most: remaining(slow ?? 0) };
}
