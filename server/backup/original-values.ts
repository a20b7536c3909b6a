// Values as the original program wrote them over the years: numbers as digits, nothing as false, null or "", times of several
// kinds. What makes no sense is nothing.

export type Doc = Record<string, unknown>;

export const asDoc = (value: unknown): Doc =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Doc) : {};

/** Text, without the sign that PostgreSQL cannot keep; null for nothing. */
export function asText(value: unknown, most = 1_000_000): string | null {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  if (typeof value !== 'string') return null;
  const text = value.replaceAll('\0', '').slice(0, most);
  return text.trim() === '' ? null : text;
}

// More than any video has of anything, and little enough that the sums of a library stay whole numbers.
const mostCounted = 1e12;

/** A whole number that is not negative; 0 for nothing. */
export function asCount(value: unknown): number {
  const number = typeof value === 'string' && /^\d{1,15}(\.\d+)?$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && number > 0 && number <= mostCounted ? Math.floor(number) : 0;
}

export const asNumber = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0);

export const asFlag = (value: unknown): 0 | 1 => (value === true || value === 1 || value === 'true' ? 1 : 0);

export const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** The texts of a list. A text alone is a list of one. */
export const asTexts = (value: unknown, most = 500): string[] =>
  (typeof value === 'string' ? [value] : asList(value)).flatMap((one) => asText(one, 1000) ?? []).slice(0, most);

const latest = 253_402_300_799; // the last second of the year 9999

/** Epoch seconds of a number, digits, or `2026-01-31`; null when it is no time. */
export function asTime(value: unknown): number | null {
  if (typeof value === 'number' && Number.isFinite(value)) return value >= 0 && value <= latest ? Math.floor(value) : null;
  if (typeof value !== 'string') return null;
  if (/^\d{1,12}(\.\d+)?$/.test(value.trim())) return asTime(Number(value));
  const day = /^(\d{4}-\d{2}-\d{2})(T[\d:.]+(Z|[+-]\d{2}:\d{2})?)?$/.exec(value.trim());
  if (!day) return null;
  const at = Date.parse(day[2] ? (day[3] ? value.trim() : `${value.trim()}Z`) : `${day[1]}T00:00:00Z`);
  return Number.isFinite(at) && at >= 0 ? Math.floor(at / 1000) : null;
}

/** Seconds of `HH:MM:SS.mmm`; null when it is none. */
export function asClock(value: unknown): number | null {
  const [, hours, minutes, seconds, fraction = '0'] =
    /^(\d{1,4}):(\d{1,2}):(\d{1,2})(?:[.,](\d{1,3})\d*)?$/.exec(typeof value === 'string' ? value.trim() : '') ?? [];
  if (hours === undefined) return null;
  return (((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(fraction.padEnd(3, '0'))) / 1000;
}

/** A path below the media folder, with forward slashes and nothing that leads out of it; null for everything else. */
export function asPath(value: unknown): string | null {
  const path = asText(value, 1000);
  if (path === null || /[\\\p{Cc}]/u.test(path) || path.startsWith('/')) return null;
  const parts = path.split('/');
  return parts.every((part) => part !== '' && part !== '.' && part !== '..' && !part.startsWith('.')) ? path : null;
}
