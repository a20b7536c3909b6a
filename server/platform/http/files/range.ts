/** Requested bytes of a file: all, a range (both ends inclusive), or none that exist. */
export type ByteRange = 'all' | 'none' | { from: number; to: number };

/**
 * Parses a Range header for a file of `size` bytes. A single range is supported; several ranges or other units return the whole
 * file, as RFC 9110 §14.2 allows. A range that starts after the end is `none` (416).
 */
export function parseRange(header: string | undefined, size: number): ByteRange {
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
  if (last !== '' && Number(last) < from) return 'all'; // an invalid range is ignored
  return from >= size ? 'none' : { from, to };
}
