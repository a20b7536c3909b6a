import { dateOf, dayOf } from './growth-line.ts';

export interface Forecast {
  /** How many days it is drawn from. */
  over: number;
  /** Bytes a day: as it was, and what the mean may have been with a chance of four in five. */
  pace: number;
  fast: number;
  /** Null when it may as well not grow at all. */
  slow: number | null;
  /** In how many days nothing is free. */
  full: number;
  soonest: number;
  latest: number | null;
}

const most = 30;
// Fewer say nothing: one large channel on the first evening is no pace.
const [fewestDays, fewestBusy] = [14, 5];
const fourInFive = 1.28;
const farAway = 3650;

/**
 * When the disk is full, if videos keep coming as in the last thirty days. Null while there is too little to go by, or when
 * that is more than ten years away.
 */
export function forecastOf(days: { date: string; media_size: number }[], today: string, free: number): Forecast | null {
  if (!days[0]) return null;
  const over = Math.min(most, dayOf(today) - dayOf(days[0].date) + 1);
  const came = new Map(days.map(({ date, media_size: size }) => [date, size]));
  const last = Array.from({ length: over }, (_, back) => came.get(dateOf(dayOf(today) - back)) ?? 0);
  if (over < fewestDays || last.filter((size) => size > 0).length < fewestBusy) return null;
  const pace = last.reduce((sum, size) => sum + size, 0) / over;
  const spread = Math.sqrt(last.reduce((sum, size) => sum + (size - pace) ** 2, 0) / (over - 1));
  const margin = (fourInFive * spread) / Math.sqrt(over);
  const full = free / pace;
  if (full > farAway) return null;
  const slow = pace - margin;
  const latest = slow > 0 && free / slow < farAway ? free / slow : null;
  return { over, pace, fast: pace + margin, slow: latest === null ? null : slow, full, soonest: free / (pace + margin), latest };
}

/** How much is free after so many days: as it was, and at either end of the band. */
export function freeAfter({ pace, fast, slow }: Forecast, free: number, days: number) {
  const left = (perDay: number) => Math.max(0, free - perDay * days);
  return { likely: left(pace), least: left(fast), most: left(slow ?? 0) };
}
