// Parsers for the values that TubeArchivist has written over the years: numbers as digits, missing values as false, null or "",
// several time formats. Invalid values count as missing.

import { isTrue, storableText } from '../../../platform/lib/untrusted.ts';
import { hasPrefix } from '../../../platform/storage/stored-path.ts';

// Above any real count, and low enough that sums over a library stay safe integers.
const maxCounted = 1e12;

/** Parses a non-negative integer; 0 if missing. */
export function asCount(value: unknown): number {
  const number = typeof value === 'string' && /^\d{1,15}(\.\d+)?$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && number > 0 && number <= maxCounted ? Math.floor(number) : 0;
}

export const asNumber = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0);

export const asFlag = (value: unknown): 0 | 1 => (isTrue(value) ? 1 : 0);

export const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Parses a list of texts. A single text becomes a list of one. */
export const asTexts = (value: unknown, most = 500): string[] =>
  (typeof value === 'string' ? [value] : asList(value)).flatMap((one) => storableText(one, 1000) ?? []).slice(0, most);

const latest = 253_402_300_799; // the last second of the year 9999

/** Parses epoch seconds from a number, digits or `2026-01-31`; null if invalid. */
export function asTime(value: unknown): number | null {
  if (typeof value === 'number' && Number.isFinite(value)) return value >= 0 && value <= latest ? Math.floor(value) : null;
  if (typeof value !== 'string') return null;
  if (/^\d{1,12}(\.\d+)?$/.test(value.trim())) return asTime(Number(value));
  const day = /^(\d{4}-\d{2}-\d{2})(T[\d:.]+(Z|[+-]\d{2}:\d{2})?)?$/.exec(value.trim());
  if (!day) return null;
  const at = Date.parse(day[2] ? (day[3] ? value.trim() : `${value.trim()}Z`) : `${day[1]}T00:00:00Z`);
  return Number.isFinite(at) && at >= 0 ? Math.floor(at / 1000) : null;
}

/** Parses `HH:MM:SS.mmm` to seconds; null if invalid. */
export function asClock(value: unknown): number | null {
  const [, hours, minutes, seconds, fraction = '0'] =
    /^(\d{1,4}):(\d{1,2}):(\d{1,2})(?:[.,](\d{1,3})\d*)?$/.exec(typeof value === 'string' ? value.trim() : '') ?? [];
  if (hours === undefined) return null;
  return (((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(fraction.padEnd(3, '0'))) / 1000;
}

/** Parses a path relative to the media folder, with forward slashes; null if it is invalid or leads out of the folder. */
export function asPath(value: unknown): string | null {
  const path = storableText(value, 1000);
  if (path === null || /[\\\p{Cc}]/u.test(path) || path.startsWith('/') || hasPrefix(path)) return null;
  const parts = path.split('/');
  return parts.every((part) => part !== '' && part !== '.' && part !== '..' && !part.startsWith('.')) ? path : null;
}
