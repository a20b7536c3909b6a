/** Which bytes of a file are wanted: all of it, a part (both ends included), or none that exist. */
export type Wanted = 'all' | 'none' | { from: number; to: number };

/**
 * Reads a Range header against a file of `size` bytes. One range is served; several, or another unit, are answered with
 * the whole file, as RFC 9110 §14.2 allows. A range that begins past the end is `none` (416).
 */
export function rangeOf(header: string | undefined, size: number): Wanted {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '');
  if (!match) return 'all';
  const [, first = '', last = ''] = match;
  if (first === '' && last === '') return 'all';
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'none' : { from: size - length, to: size - 1 };
  }
  const from = Number(first);
  const to = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < from) return 'all'; // an invalid range is no range
  return from >= size ? 'none' : { from, to };
}
