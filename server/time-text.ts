const units = [
  ['y', 31_536_000],
  ['d', 86_400],
  ['h', 3600],
  ['m', 60],
  ['s', 1],
] as const;

/** Seconds as the API writes them: `1h 02m 03s`, `4m 05s`, `1h 01s`; units of zero are left out; `NA` for nothing. */
export function durationText(seconds: number | null): string {
  let rest = Math.floor(seconds ?? 0);
  const parts: string[] = [];
  for (const [unit, size] of units) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(`${parts.length > 0 ? String(count).padStart(2, '0') : count}${unit}`);
  }
  return parts.join(' ') || 'NA';
}

/** Epoch seconds as the API writes them: UTC with its offset, no fraction. */
export const isoTime = (epochSeconds: number) => `${new Date(epochSeconds * 1000).toISOString().slice(0, -5)}+00:00`;

/** The zone in which days and schedules are meant: TZ, else the system's. */
export const timeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

const two = (number: number) => String(number).padStart(2, '0');
/** As the API writes dates here: year, month, day, hour and minute where the server is. */
export function localTime(seconds: number): string {
  const at = new Date(seconds * 1000);
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}`;
}
