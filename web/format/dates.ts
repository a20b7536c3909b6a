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

/** One of a kind for each language, made when first asked for: making one takes long. */
function ofLanguage<T>(make: (language: string) => T): () => T {
  const made = new Map<string, T>();
  return () => {
    const language = i18n.locale || 'en';
    const one = made.get(language) ?? make(language);
    made.set(language, one);
    return one;
  };
}
const relative = ofLanguage((language) => new Intl.RelativeTimeFormat(language, { numeric: 'auto' }));
const day = ofLanguage((language) => new Intl.DateTimeFormat(language, { dateStyle: 'long' }));
const moment = ofLanguage((language) => new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short' }));

/** Whether a text is a day without a time, `yyyy-mm-dd`. */
export const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text);

/**
 * What the server says of a time: seconds since 1970, an instant, or a day. A day is that day wherever the reader is; as an
 * instant it would be the day before west of Greenwich.
 */
const dateOf = (when: string | number) => new Date(typeof when === 'number' ? when * 1000 : isDay(when) ? `${when}T00:00` : when);

/** How long ago: `3 days ago`, `yesterday`, `just now`. `now` in milliseconds. */
export function agoText(when: string | number, now = Date.now()): string {
  const seconds = Math.round((dateOf(when).getTime() - now) / 1000);
  // What is past is over in whole; what is to come is about as far away as it is said to be.
  const whole = seconds > 0 ? Math.round : Math.trunc;
  for (const [unit, size] of spans) if (Math.abs(seconds) >= size) return relative().format(whole(seconds / size), unit);
  return t`just now`;
}

/** `30 May 2025`, in the reader's order. */
export const dayText = (when: string | number) => day().format(dateOf(when));
/** The same with the time, for hovering. */
export const momentText = (when: string | number) => moment().format(dateOf(when));
/** As machines read it. */
export const isoText = (when: string | number) => (typeof when === 'string' ? when : dateOf(when).toISOString());

/** Today as machines write it, where the reader is. */
export function todayIso(): string {
  const now = new Date();
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
}

const weekdays = {
  short: ofLanguage((language) => new Intl.DateTimeFormat(language, { weekday: 'short', timeZone: 'UTC' })),
  long: ofLanguage((language) => new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' })),
};
const hour = ofLanguage((language) => new Intl.DateTimeFormat(language, { hour: 'numeric', timeZone: 'UTC' }));

/** The name of a weekday; 1 is Monday. */
export const weekdayName = (weekday: number, length: 'short' | 'long') => weekdays[length]().format(Date.UTC(2024, 0, weekday)); // the first of 2024 was a Monday
/** An hour of the day: `7 PM`, `19 Uhr`. */
export const hourText = (of: number) => hour().format(Date.UTC(2024, 0, 1, of));
