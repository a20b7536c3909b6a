import { isUtf8 } from 'node:buffer';
import { readFile, stat } from 'node:fs/promises';

/** Returns the encoding of a byte order mark; UTF-8 without one. */
function encodingOf(bytes: Buffer): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8';
}

/** Decodes a text file in UTF-8, or UTF-16 with a byte order mark. The mark is removed. */
export const decodeText = (bytes: Buffer): string => new TextDecoder(encodingOf(bytes)).decode(bytes);

/** Reads a text file (`decodeText`). */
export const readText = async (path: string): Promise<string> => decodeText(await readFile(path));

/** Returns whether a text file has at most this size and a known encoding. */
export async function isReadableText(path: string, maxBytes: number): Promise<boolean> {
  if ((await stat(path)).size > maxBytes) return false;
  const bytes = await readFile(path);
  return encodingOf(bytes) !== 'utf-8' || isUtf8(bytes);
}
