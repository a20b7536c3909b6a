import { isUtf8 } from 'node:buffer';
import { readFile, stat } from 'node:fs/promises';

/** The encoding that a mark at the beginning of a text names; UTF-8 where none does. */
function encodingOf(bytes: Buffer): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8';
}

/** Reads a text as editors of every system save it: in UTF-8, or UTF-16 with its mark; the mark is no part of the text. */
export async function readText(path: string): Promise<string> {
  const bytes = await readFile(path);
  return new TextDecoder(encodingOf(bytes)).decode(bytes);
}

/** Whether a text of at most so many bytes can be read without guessing how it was written. */
export async function isReadableText(path: string, mostBytes: number): Promise<boolean> {
  if ((await stat(path)).size > mostBytes) return false;
  const bytes = await readFile(path);
  return encodingOf(bytes) !== 'utf-8' || isUtf8(bytes);
}
