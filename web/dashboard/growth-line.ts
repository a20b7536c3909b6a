export interface Point {
  /** Days since 1970. */
  day: number;
  date: string;
  videos: number;
  bytes: number;
}

const dayMs = 86_400_000;
/** The day it is, UTC. */
export const today = () => new Date().toISOString().slice(0, 10);

/** The day as days since 1970. */
export const dayOf = (date: string) => Date.parse(`${date}T00:00:00Z`) / dayMs;

/** The day with that number. */
export const dateOf = (day: number) => new Date(day * dayMs).toISOString().slice(0, 10);

/** Nothing on the day before the first; then how much there was at the end of each day on which something came, and today. */
export function totals(days: { date: string; count: number; media_size: number }[], today: string): Point[] {
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

/** At most so many points of a line, the last of each stretch. */
export function thinned(points: Point[], most: number): Point[] {
  if (points.length <= most) return points;
  const step = points.length / most;
  return Array.from({ length: most }, (_, place) => points[Math.ceil((place + 1) * step) - 1]!);
}

/** The part of a line from one day to another, with what stood when it began and when it ended. */
export function within(points: Point[], from: number, to: number): Point[] {
  const before = points.findLast(({ day }) => day <= from);
  const inside = points.filter(({ day }) => day > from && day <= to);
  const first = before ? [{ ...before, day: from, date: dateOf(from) }] : [];
  const last = inside.at(-1) ?? first[0];
  return [...first, ...inside, ...(last && last.day < to ? [{ ...last, day: to, date: dateOf(to) }] : [])];
}
