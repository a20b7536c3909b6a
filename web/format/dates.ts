import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';

const spans: [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['year', 31_536_000],
  ['month', 2_628_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

/** Caches one formatter per language; creating one is slow. */
function perLanguage<T>(create: (language: string) => T): () => T {
  const cache = new Map<string, T>();
  return () => {
    const language = i18n.locale || 'en';
    const one = cache.get(language) ?? create(language);
    cache.set(language, one);
    return one;
  };
}
const relative = perLanguage((language) => new Intl.RelativeTimeFormat(language, { numeric: 'auto' }));
const day = perLanguage((language) => new Intl.DateTimeFormat(language, { dateStyle: 'long' }));
const moment = perLanguage((language) => new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short' }));

/** Whether a text is a date without a time, `yyyy-mm-dd`. */
export const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text);

/**
 * Parses a time of the server: Unix seconds, an ISO instant or a date. A date means local midnight; parsed as UTC it would
 * be the previous day west of Greenwich.
 */
const dateOf = (when: string | number) => new Date(typeof when === 'number' ? when * 1000 : isDay(when) ? `${when}T00:00` : when);

/** Relative time: `3 days ago`, `yesterday`, `just now`. `now` in milliseconds. */
export function agoText(when: string | number, now = Date.now()): string {
  // Truncated, so that a time in seven days, which is a moment less when it is shown, is never next week.
  const seconds = Math.trunc((dateOf(when).getTime() - now) / 1000);
  // Past times count completed units, future ones are rounded.
  const whole = seconds > 0 ? Math.round : Math.trunc;
  for (const [unit, size] of spans) if (Math.abs(seconds) >= size) return relative().format(whole(seconds / size), unit);
  return t`just now`;
}

/** `30 May 2025`, in the locale's order. */
export const dayText = (when: string | number) => day().format(dateOf(when));
/** Date and time: `January 10, 2026 at 9:54 AM`. */
export const dateTimeText = (when: string | number) => moment().format(dateOf(when));
const clock = perLanguage((language) => new Intl.DateTimeFormat(language, { timeStyle: 'short' }));
const sameDay = (a: Date, b: Date) => a.toDateString() === b.toDateString();
/** Time of a moment in the near future: `9:54 AM` today, else with its date. `now` in milliseconds. */
export const soonText = (when: number, now = Date.now()) =>
  sameDay(dateOf(when), new Date(now)) ? clock().format(dateOf(when)) : dateTimeText(when);
/** ISO 8601, for the datetime attribute. */
export const isoText = (when: string | number) => (typeof when === 'string' ? when : dateOf(when).toISOString());

/** Day of a time in the browser's time zone, `yyyy-mm-dd`. */
export function localDay(when: string | number): string {
  const at = dateOf(when);
  return [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
}

/** Today in the browser's time zone, `yyyy-mm-dd`. */
export const todayIso = () => localDay(Date.now() / 1000);

const weekdays = {
  short: perLanguage((language) => new Intl.DateTimeFormat(language, { weekday: 'short', timeZone: 'UTC' })),
  long: perLanguage((language) => new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' })),
};
const hour = perLanguage((language) => new Intl.DateTimeFormat(language, { hour: 'numeric', timeZone: 'UTC' }));

/** Name of a weekday; 1 is Monday. */
export const weekdayName = (weekday: number, length: 'short' | 'long') => weekdays[length]().format(Date.UTC(2024, 0, weekday)); // 2024-01-01 was a Monday
/** Formats an hour of the day: `7 PM`, `19 Uhr`. */
export const hourText = (of: number) => hour().format(Date.UTC(2024, 0, 1, of));

const timeOfDay = perLanguage((language) => new Intl.DateTimeFormat(language, { timeStyle: 'short', timeZone: 'UTC' }));
/** Formats a time of the day, `hh:mm`: `8:00 PM`, `20:00`. */
export function timeOfDayText(of: string): string {
  const [hours = 0, minutes = 0] = of.split(':').map(Number);
  return timeOfDay().format(Date.UTC(2024, 0, 1, hours, minutes));
}
