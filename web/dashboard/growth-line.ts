export interface Point {
  /** Days since 1970-01-01. */
  day: number;
  date: string;
  videos: number;
  bytes: number;
}

const dayMs = 86_400_000;
/** Today in UTC, ISO. */
export const today = () => new Date().toISOString().slice(0, 10);

/** Converts an ISO date to days since 1970-01-01. */
export const dayOf = (date: string) => Date.parse(`${date}T00:00:00Z`) / dayMs;

/** Converts days since 1970-01-01 to an ISO date. */
export const dateOf = (day: number) => new Date(day * dayMs).toISOString().slice(0, 10);

/** Cumulative totals: zero on the day before the first, then one point per day with downloads, and one for today. */
export function cumulativeTotals(days: { date: string; count: number; media_size: number }[], today: string): Point[] {
  let [videos, bytes] = [0, 0];
  const points: Point[] = days[0]
    ? [{ day: dayOf(days[0].date) - 1, date: dateOf(dayOf(days[0].date) - 1), videos: 0, bytes: 0 }]
    : [];
  for (const { date, count, media_size: size } of days) {
    videos += count;
    bytes += size;
    points.push({ day: dayOf(date), date, videos, bytes });
  }
  const last = points.at(-1);
  if (last && last.date < today) points.push({ ...last, day: dayOf(today), date: today });
  return points;
}

/** Reduces a line to at most `max` points, keeping the last of each stretch. */
export function downsample(points: Point[], max: number): Point[] {
  if (points.length <= max) return points;
  const step = points.length / max;
  return Array.from({ length: max }, (_, index) => points[Math.ceil((index + 1) * step) - 1]!);
}

/** Returns the part of a line between two days, with points at both ends. */
export function sliceRange(points: Point[], from: number, to: number): Point[] {
  const before = points.findLast(({ day }) => day <= from);
  const inside = points.filter(({ day }) => day > from && day <= to);
  const first = before ? [{ ...before, day: from, date: dateOf(from) }] : [];
  const last = inside.at(-1) ?? first[0];
  return [...first, ...inside, ...(last && last.day < to ? [{ ...last, day: to, date: dateOf(to) }] : [])];
}
