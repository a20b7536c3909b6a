import { badRequest } from '../../platform/http/http-error.ts';

/** Minutes of a local day: from the first, inclusive, to the second, exclusive. Over midnight, the second is smaller. */
type Range = [from: number, to: number];

const minutesOf = (hours: string, minutes: string) => Number(hours) * 60 + Number(minutes);

/** Parses hours such as `01:00-06:00, 22:30-24:00`. Null: not valid; none: always. */
function parseHours(text: string | null): Range[] | null {
  const ranges: Range[] = [];
  for (const part of (text ?? '').split(',').map((one) => one.trim())) {
    if (part === '') continue;
    const [, h1, m1, h2, m2] = /^(\d\d?):(\d\d)\s*[-–]\s*(\d\d?):(\d\d)$/.exec(part) ?? [];
    if (h1 === undefined) return null;
    const range: Range = [minutesOf(h1, m1!), minutesOf(h2!, m2!)];
    if (Number(m1) > 59 || Number(m2) > 59 || range[0] >= 1440 || range[1] > 1440 || range[0] === range[1]) return null;
    ranges.push(range);
  }
  return ranges;
}

/** @throws 400 */
export function refuseInvalidHours(text: string | null | undefined): void {
  if (parseHours(text ?? null) === null) throw badRequest('error.hours');
}

const isInside = ([from, to]: Range, minute: number) =>
  from < to ? minute >= from && minute < to : minute >= from || minute < to;

/**
 * Returns when background work may start next, epoch seconds: now, if it may run now. Times are those of the server's time zone.
 */
export function nextBackgroundTime(hours: string | null, now: number): number {
  const ranges = parseHours(hours) ?? [];
  const date = new Date(now * 1000);
  const minute = date.getHours() * 60 + date.getMinutes();
  if (ranges.length === 0 || ranges.some((range) => isInside(range, minute))) return now;
  const minutesUntil = Math.min(...ranges.map(([from]) => (from - minute + 1440) % 1440));
  const next = new Date(date);
  next.setHours(date.getHours(), date.getMinutes() + minutesUntil, 0, 0);
  return Math.floor(next.getTime() / 1000);
}

/** Returns the hours of background work of a day; 24 without limits. */
export function backgroundHoursPerDay(hours: string | null): number {
  const ranges = parseHours(hours) ?? [];
  if (ranges.length === 0) return 24;
  let minutes = 0;
  for (let minute = 0; minute < 1440; minute++) if (ranges.some((range) => isInside(range, minute))) minutes++;
  return minutes / 60;
}
