import { i18n } from '@lingui/core';
import { plural, t } from '@lingui/core/macro';

/** Formats seconds as `2:05` or `1:02:03`. */
export function durationText(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const formatted = parts[0] === 0 ? parts.slice(1) : parts;
  return formatted.map((part, unitIndex) => (unitIndex === 0 ? String(part) : String(part).padStart(2, '0'))).join(':');
}

const onlyHoursFrom = 100;

/** Formats seconds as `1 h 5 min`, `12 min` or `40 s`; from 100 hours on as `1,234 h`. */
export function lengthText(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return t`${whole} s`;
  const totalMinutes = Math.round(whole / 60);
  const [hours, minutes] = [Math.floor(totalMinutes / 60), totalMinutes % 60];
  if (hours >= onlyHoursFrom) return t`${exactText(Math.round(whole / 3600))} h`;
  if (hours === 0) return t`${minutes} min`;
  return minutes === 0 ? t`${hours} h` : t`${hours} h ${minutes} min`;
}

const compactFrom = 1_000_000;
const exactIn = (language: string) => new Intl.NumberFormat(language);
const compactIn = (language: string) => new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 });

/** `12,345`. */
export const exactText = (count: number) => exactIn(i18n.locale || 'en').format(count);
/** `2.50`: with a fixed number of decimals. */
export const decimalText = (number: number, digits: number) =>
  new Intl.NumberFormat(i18n.locale || 'en', { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(number);
/** `12%` of a share from 0 to 1, in the style of the language. */
export const percentText = (share: number) => new Intl.NumberFormat(i18n.locale || 'en', { style: 'percent' }).format(share);
/** `12,345`, `4.5M`: compact from one million. */
export const countText = (count: number) =>
  count >= compactFrom ? compactIn(i18n.locale || 'en').format(count) : exactText(count);
/** `1 subscriber`, `12,345 subscribers`, `4.5M subscribers`. */
export function subscribersText(count: number): string {
  const formatted = countText(count);
  return plural(count, { one: `${formatted} subscriber`, other: `${formatted} subscribers` });
}
/** `1 video`, `12,345 videos`. */
export const videosText = (count: number) => plural(count, { one: '# video', other: '# videos' });

/** `2,500 kbit/s`. */
export const bitrateText = (bitsPerSecond: number) => `${exactText(Math.round(bitsPerSecond / 1000))} kbit/s`;

const units = {
  binary: { step: 1024, names: ['B', 'KiB', 'MiB', 'GiB', 'TiB'] },
  metric: { step: 1000, names: ['B', 'kB', 'MB', 'GB', 'TB'] },
};

/** Unit for file size inputs: `MiB` or `MB`, with its number of bytes. */
export const megabyteUnit = (unit: keyof typeof units = 'binary') => ({
  name: units[unit].names[2]!,
  bytes: units[unit].step ** 2,
});

/** `GiB` or `GB`, with its number of bytes. */
export const gigabyteUnit = (unit: keyof typeof units = 'binary') => ({
  name: units[unit].names[3]!,
  bytes: units[unit].step ** 3,
});

/** Formats a size in the user's units: `1.4 GiB`. */
export function sizeText(bytes: number, unit: keyof typeof units = 'binary'): string {
  const { step, names } = units[unit];
  let unitIndex = 0;
  let size = bytes;
  while (size >= step && unitIndex < names.length - 1) {
    size /= step;
    unitIndex++;
  }
  return `${decimalText(size, unitIndex === 0 || size >= 100 ? 0 : 1)} ${names[unitIndex]}`;
}
