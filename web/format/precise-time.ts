/** Formats seconds with tenths, if there are any: `12:31.5`, `1:02:03`. */
export function preciseTime(seconds: number): string {
  const tenths = Math.max(0, Math.round(seconds * 10));
  const parts = [Math.floor(tenths / 36_000), Math.floor(tenths / 600) % 60, Math.floor(tenths / 10) % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  const text = shown.map((part, place) => (place === 0 ? String(part) : String(part).padStart(2, '0'))).join(':');
  return tenths % 10 === 0 ? text : `${text}.${tenths % 10}`;
}

/** Parses a typed time such as `12:31.5`, `12:31,5`, `1:02:03` or `90` to seconds; null if it is none. */
export function parsePreciseTime(text: string): number | null {
  const written = text.trim().replace(',', '.');
  if (!/^\d+(:\d{1,2}){0,2}(\.\d{1,3})?$/.test(written)) return null;
  return written.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
}
