const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const spans: [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['year', 31_536_000],
  ['month', 2_628_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

/** How long ago: `3 days ago`, `yesterday`, `just now`. `now` in milliseconds. */
export function agoText(when: string | number, now = Date.now()): string {
  const seconds = Math.round((new Date(typeof when === 'number' ? when * 1000 : when).getTime() - now) / 1000);
  for (const [unit, size] of spans) if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit);
  return 'just now';
}

const day = new Intl.DateTimeFormat('en', { dateStyle: 'long' });
const moment = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeStyle: 'short' });

/** `30 May 2025`, in the reader's order. */
export const dayText = (when: string | number) => day.format(new Date(typeof when === 'number' ? when * 1000 : when));
/** The same with the time, for hovering. */
export const momentText = (when: string | number) => moment.format(new Date(typeof when === 'number' ? when * 1000 : when));
