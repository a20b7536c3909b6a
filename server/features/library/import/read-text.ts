import { MessageError } from '../../../platform/messages/message-error.ts';
import { message } from '#contract/messages.ts';
import { lstat } from 'node:fs/promises';
import { basename } from 'node:path';
import { readText } from '../../../platform/media/read-text.ts';

/** Maximum size of a text file, for one video or for all downloads of a program. */
export const maxBytes = 64 * 1024 * 1024;

/**
 * Reads a text file of the import folder.
 * @throws if it is no regular file or is too large.
 */
export async function textOf(path: string): Promise<string> {
  const is = await lstat(path);
  if (!is.isFile()) throw new MessageError(message('import.link'));
  if (is.size > maxBytes) throw new MessageError(message('import.too-large', { file: basename(path) }));
  return readText(path);
}
