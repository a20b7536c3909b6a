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

const dayOf = (date: string) => Date.parse(`${date}T00:00:00Z`) / dayMs;

const dayBefore = (date: string) => new Date(Date.parse(`${date}T00:00:00Z`) - dayMs).toISOString().slice(0, 10);

/** Nothing on the day before the first; then how much there was at the end of each day on which something came, and today. */
export function totals(days: { date: string; count: number; media_size: number }[], today: string): Point[] {
  let [videos, bytes] = [0, 0];
  const points: Point[] = days[0] ? [{ day: dayOf(days[0].date) - 1, date: dayBefore(days[0].date), videos: 0, bytes: 0 }] : [];
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

/** Bytes that came a day, over the last so many days. */
export function paceOf(days: { date: string; media_size: number }[], today: string, over: number): number {
  const from = dayOf(today) - over;
  const first = days[0] ? dayOf(days[0].date) : dayOf(today);
  const since = Math.max(from, first - 1);
  const came = days.reduce((sum, { date, media_size: size }) => (dayOf(date) > since ? sum + size : sum), 0);
  return came / Math.max(1, dayOf(today) - since);
}
