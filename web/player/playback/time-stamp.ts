/** Parses a time such as `90`, `1:30` or `1h2m3s` to seconds; null if it is missing or invalid. */
export function parseTimestamp(text: string | null): number | null {
  if (text === null) return null;
  if (/^\d+(\.\d+)?$/.test(text)) return Math.floor(Number(text));
  if (/^\d+(:\d{1,2}){1,2}$/.test(text)) return text.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
  const units = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/.exec(text);
  if (!units || text === '') return null;
  const [, hours, minutes, seconds] = units;
  return Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0);
}
