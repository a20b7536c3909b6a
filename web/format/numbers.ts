import { i18n } from '@lingui/core';
import { plural, t } from '@lingui/core/macro';

/** `2:05`, `1:02:03`; nothing for what has no length. */
export function durationText(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown.map((part, place) => (place === 0 ? String(part) : String(part).padStart(2, '0'))).join(':');
}

/** A length for reading: `1 h 5 min`, `12 min`, `40 s`. */
export function lengthText(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return t`${whole} s`;
  const inAll = Math.round(whole / 60);
  const [hours, minutes] = [Math.floor(inAll / 60), inAll % 60];
  if (hours === 0) return t`${minutes} min`;
  return minutes === 0 ? t`${hours} h` : t`${hours} h ${minutes} min`;
}

const millions = 1_000_000;
const exactIn = (language: string) => new Intl.NumberFormat(language);
const compactIn = (language: string) => new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 });

/** `987`, `12.3K`, `4.5M`. */
export const countText = (count: number) => compactIn(i18n.locale || 'en').format(count);
/** `12,345`. */
export const exactText = (count: number) => exactIn(i18n.locale || 'en').format(count);
/** `2.50`: with so many digits behind the point. */
export const decimalText = (number: number, digits: number) =>
  new Intl.NumberFormat(i18n.locale || 'en', { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(number);
/** What a list counts: exact, and short from a million on. */
export const totalText = (count: number) => (count >= millions ? countText(count) : exactText(count));
/** `1 subscriber`, `12.3K subscribers`. */
export function subscribersText(count: number): string {
  const shown = countText(count);
  return plural(count, { one: `${shown} subscriber`, other: `${shown} subscribers` });
}
/** `1 video`, `12,345 videos`. */
export const videosText = (count: number) => plural(count, { one: '# video', other: '# videos' });

const units = {
  binary: { step: 1024, names: ['B', 'KiB', 'MiB', 'GiB', 'TiB'] },
  metric: { step: 1000, names: ['B', 'kB', 'MB', 'GB', 'TB'] },
};

/** What sizes of films are typed in: `MiB` or `MB`, and how many bytes one is. */
export const millionBytes = (unit: keyof typeof units = 'binary') => ({
  name: units[unit].names[2]!,
  bytes: units[unit].step ** 2,
});

/** A size in the person's units: `1.4 GiB`. */
export function sizeText(bytes: number, unit: keyof typeof units = 'binary'): string {
  const { step, names } = units[unit];
  let place = 0;
  let size = bytes;
  while (size >= step && place < names.length - 1) {
    size /= step;
    place++;
  }
  return `${decimalText(size, place === 0 || size >= 100 ? 0 : 1)} ${names[place]}`;
}
