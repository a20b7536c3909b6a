import { lstat } from 'node:fs/promises';
import { basename } from 'node:path';
import { readText } from '../media/read-text.ts';

/** The largest text that is read: of a video, or of all that a program fetched. */
export const mostBytes = 64 * 1024 * 1024;

/** Reads a text of the import folder. Throws when it is no plain file, or too large to be what it seems. */
export async function textOf(path: string): Promise<string> {
  const is = await lstat(path);
  if (!is.isFile()) throw new Error('It is only a link. Put the file itself here.');
  if (is.size > mostBytes) throw new Error(`${basename(path)} is too large to be what it seems.`);
  return readText(path);
}
