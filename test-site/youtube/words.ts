/** Numbers, times and texts as on the English site. */

export function simpleText(text: string): object {
  return { simpleText: text };
}

export function grouped(count: number): string {
  return count.toLocaleString('en-US');
}

/** `987`, `12.3K`, `4.5M`. */
export function compact(count: number): string {
  const [divisor, unit] = count >= 1e6 ? [1e6, 'M'] : count >= 1e3 ? [1e3, 'K'] : [1, ''];
  return `${Math.floor((count / divisor) * 10) / 10}${unit}`;
}

/** `0:09`, `12:05`, `1:02:03`. */
export function clock(durationSeconds: number): string {
  const seconds = Math.floor(durationSeconds);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const visible = parts[0] === 0 ? parts.slice(1) : parts;
  return visible.map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, '0'))).join(':');
}

/** `3 days ago`, in the largest unit that fits. */
export function ago(date: Date, now = new Date()): string {
  const seconds = Math.max(1, (now.getTime() - date.getTime()) / 1000);
  const units: [string, number][] = [
    ['year', 31_536_000],
    ['month', 2_592_000],
    ['week', 604_800],
    ['day', 86_400],
    ['hour', 3600],
    ['minute', 60],
    ['second', 1],
  ];
  const [unit, length] = units.find(([, unitSeconds]) => seconds >= unitSeconds) ?? ['second', 1];
  const count = Math.floor(seconds / length);
  return `${count} ${unit}${count === 1 ? '' : 's'} ago`;
}

/** `Mar 4, 2025`, in UTC. */
export function dateText(date: Date): string {
  return date.toLocaleDateString('en-US', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
}

/** `in 5 hours`, `in 2 days`, from now. */
export function until(date: Date, now = new Date()): string {
  const minutes = Math.max(1, Math.round((date.getTime() - now.getTime()) / 60_000));
  const [count, unit] =
    minutes >= 2880
      ? [Math.round(minutes / 1440), 'day']
      : minutes >= 90
        ? [Math.round(minutes / 60), 'hour']
        : [minutes, 'minute'];
  return `in ${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** ISO time in UTC with a numeric offset, because yt-dlp does not parse a `Z`. */
export function isoTime(date: Date): string {
  return date.toISOString().replace(/\.\d+Z$/, '+00:00');
}
