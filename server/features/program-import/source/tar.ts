import { message } from '#contract/messages.ts';
import { createGunzip } from 'node:zlib';
import { Readable } from 'node:stream';
import { MessageError } from '../../../platform/messages/message-error.ts';
import type { SourceFile } from './source.ts';

const block = 512;
// As for ZIP files: text compresses about 20:1.
const maxRatio = 200;
const ratioFromBytes = 16 * 1024 * 1024;

/** Streams the unpacked content of a gzipped file. @throws MessageError if it is damaged or unpacks to far more than its size */
export async function* gunzipFile(file: SourceFile, signal: AbortSignal): AsyncGenerator<Buffer> {
  let bytes = 0;
  const damaged = (why: string) => new MessageError(message('migrate.damaged', { file: file.name, why }));
  const source = Readable.from(file.read(signal), { objectMode: false });
  const unpacked = createGunzip();
  source.on('error', (error) => unpacked.destroy(error));
  try {
    for await (const piece of source.pipe(unpacked)) {
      signal.throwIfAborted();
      bytes += (piece as Buffer).length;
      if (bytes > ratioFromBytes && bytes > file.bytes * maxRatio) throw damaged(`> ${maxRatio}:1`);
      yield piece as Buffer;
    }
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof MessageError ? error : damaged((error as Error).message);
  } finally {
    source.destroy();
    unpacked.destroy();
  }
}

const text = (header: Buffer, from: number, length: number) =>
  header
    .subarray(from, from + length)
    .toString('utf8')
    .replace(/\0.*$/s, '');

/**
 * Streams the content of the first regular file in a .tar.gz whose name is wanted. Nothing is unpacked to the disk, so names and
 * links in the archive do not matter.
 * @throws MessageError if there is none, or the archive is damaged
 */
export async function* readTarEntry(
  file: SourceFile,
  isWanted: (name: string) => boolean,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const damaged = (why: string) => new MessageError(message('migrate.damaged', { file: file.name, why }));
  let rest: Buffer = Buffer.alloc(0);
  let left = 0; // bytes of the entry, and of its padding
  let padding = 0;
  let isRead = false;
  for await (const piece of gunzipFile(file, signal)) {
    rest = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    while (rest.length > 0) {
      if (left > 0) {
        const part = rest.subarray(0, left);
        if (isRead) yield Buffer.from(part);
        left -= part.length;
        rest = rest.subarray(part.length);
        if (left > 0) break;
        if (isRead) return;
        continue;
      }
      if (padding > 0) {
        const skipped = Math.min(padding, rest.length);
        padding -= skipped;
        rest = rest.subarray(skipped);
        continue;
      }
      if (rest.length < block) break;
      const header = rest.subarray(0, block);
      rest = rest.subarray(block);
      if (header.every((byte) => byte === 0)) continue; // the end
      const size = Number.parseInt(text(header, 124, 12).trim() || '0', 8);
      if (text(header, 257, 5) !== 'ustar' || !Number.isSafeInteger(size) || size < 0) throw damaged('no tar header');
      const kind = text(header, 156, 1);
      const name = `${text(header, 345, 155)}/${text(header, 0, 100)}`.replace(/^\//, '');
      isRead = (kind === '' || kind === '0') && isWanted(name);
      left = size;
      padding = (block - (size % block)) % block;
      if (isRead && size === 0) return;
    }
  }
  throw damaged(isRead ? 'it ends too early' : 'it contains no SQL file');
}
