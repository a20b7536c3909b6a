/** The seconds that a time in an address means: `90`, `1:30`, `1h2m3s`; null when it means none. */
export function secondsOf(text: string): number | null {
  if (/^\d+(\.\d+)?$/.test(text)) return Math.floor(Number(text));
  if (/^\d+(:\d{1,2}){1,2}$/.test(text)) return text.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
  const units = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/.exec(text);
  if (!units || text === '') return null;
  const [, hours, minutes, seconds] = units;
  return Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0);
}
