const units = [
  ['y', 31_536_000],
  ['d', 86_400],
  ['h', 3600],
  ['m', 60],
  ['s', 1],
] as const;

/** Formats seconds for the API: `1h 02m 03s`, `4m 05s`, `1h 01s`; units of zero are omitted; `NA` for 0 or null. */
export function formatDuration(seconds: number | null): string {
  let remaining = Math.floor(seconds ?? 0);
  const parts: string[] = [];
  for (const [unit, size] of units) {
    const count = Math.floor(remaining / size);
    remaining -= count * size;
    if (count > 0) parts.push(`${parts.length > 0 ? String(count).padStart(2, '0') : count}${unit}`);
  }
  return parts.join(' ') || 'NA';
}

/** Formats seconds as players do: `12:30`, `1:02:03`. */
export function clock(seconds: number): string {
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, Math.floor(seconds) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** Formats epoch seconds for the API: UTC with an offset, without a fraction. */
export const formatIso = (epochSeconds: number) => `${new Date(epochSeconds * 1000).toISOString().slice(0, -5)}+00:00`;

/** Formats epoch seconds for texts: `2026-01-10 14:05 UTC`. */
export const formatUtc = (epochSeconds: number) =>
  `${new Date(epochSeconds * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** Day in English, in the local time zone: `January 10, 2026`. */
export const formatDay = (epochSeconds: number) => new Date(epochSeconds * 1000).toLocaleDateString('en', { dateStyle: 'long' });

/** The time zone of days and schedules: TZ, else that of the system. */
export const timeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

const two = (number: number) => String(number).padStart(2, '0');
/** Formats epoch seconds in local time of the server, as the API does: year, month, day, hour and minute. */
export function formatLocal(seconds: number): string {
  const at = new Date(seconds * 1000);
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}`;
}
