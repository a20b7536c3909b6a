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
  if (whole < 60) return `${whole} s`;
  const minutes = Math.round(whole / 60);
  if (minutes < 60) return `${minutes} min`;
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const exact = new Intl.NumberFormat('en');

/** `987`, `12.3K`, `4.5M`. */
export const countText = (count: number) => compact.format(count);
/** `12,345`. */
export const exactText = (count: number) => exact.format(count);
/** `1 video`, `12,345 videos`. */
export const countOf = (count: number, thing: string) => `${exact.format(count)} ${thing}${count === 1 ? '' : 's'}`;

const units = {
  binary: { step: 1024, names: ['B', 'KiB', 'MiB', 'GiB', 'TiB'] },
  metric: { step: 1000, names: ['B', 'kB', 'MB', 'GB', 'TB'] },
};

/** A size in the person's units: `1.4 GiB`. */
export function sizeText(bytes: number, unit: keyof typeof units = 'binary'): string {
  const { step, names } = units[unit];
  let place = 0;
  let size = bytes;
  while (size >= step && place < names.length - 1) {
    size /= step;
    place++;
  }
  return `${place === 0 || size >= 100 ? Math.round(size) : size.toFixed(1)} ${names[place]}`;
}
