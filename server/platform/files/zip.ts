import { MessageError } from '../messages/message-error.ts';
import { message } from '#contract/messages.ts';
import { stat } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { openPromise, type Entry as RawEntry } from 'yauzl';

// ZIP files are untrusted input. Entries are read as streams and never unpacked under their own names.

/** The file is no ZIP, or is damaged or harmful. */
export class InvalidZipError extends MessageError {}

/** One file in a ZIP. */
export interface ZipEntry {
  name: string;
  bytes: number;
  /**
   * Streams the content.
   * @throws InvalidZipError if the content does not match the size or checksum in the ZIP.
   */
  read(signal?: AbortSignal): AsyncGenerator<Buffer>;
}

export interface ZipFile {
  entries: Map<string, ZipEntry>;
  /** Unpacked size of all entries. */
  bytes: number;
  close(): void;
}

const maxEntries = 200_000;
// Zip bomb limit. Text of tables compresses about 20:1; a ratio above 200:1 is treated as an attempt to fill the disk.
const maxRatio = 200;
const ratioFromBytes = 1024 * 1024;
const stored = 0;
const deflated = 8;
const [kindOfFile, regular] = [0o170000, 0o100000];

const notRead = (error: unknown) => new InvalidZipError(message('restore.zip-unreadable', { why: (error as Error).message }));

function refuse(entry: RawEntry) {
  const name = JSON.stringify(entry.fileName.slice(0, 100));
  if (entry.isEncrypted()) throw new InvalidZipError(message('restore.zip-encrypted', { name }));
  if (![stored, deflated].includes(entry.compressionMethod))
    throw new InvalidZipError(message('restore.zip-compression', { name }));
  const mode = (entry.externalFileAttributes >>> 16) & kindOfFile;
  if (mode !== 0 && mode !== regular) throw new InvalidZipError(message('restore.zip-link', { name }));
  if (entry.uncompressedSize > ratioFromBytes && entry.uncompressedSize > entry.compressedSize * maxRatio)
    throw new InvalidZipError(message('restore.zip-bomb-entry', { name, times: maxRatio }));
}

/**
 * Opens a ZIP and validates its directory.
 * @throws InvalidZipError if an entry is encrypted, no regular file or unpacks to too much, or if there are too many entries.
 */
export async function openZip(path: string): Promise<ZipFile> {
  const { size } = await stat(path);
  const zip = await openPromise(path, { strictFileNames: true, autoClose: false }).catch((error: unknown) => {
    throw notRead(error);
  });
  const entries = new Map<string, ZipEntry>();
  let bytes = 0;
  try {
    if (zip.entryCount > maxEntries) throw new InvalidZipError(message('restore.zip-too-many', { count: zip.entryCount }));
    for await (const entry of zip.eachEntry()) {
      const name = entry.fileName;
      if (name.endsWith('/')) continue;
      refuse(entry);
      if (entries.has(name))
        throw new InvalidZipError(message('restore.zip-duplicate', { name: JSON.stringify(name.slice(0, 100)) }));
      bytes += entry.uncompressedSize;
      // Entries that share the same bytes look harmless one by one, so the sum is checked too.
      if (bytes > ratioFromBytes && bytes > size * maxRatio)
        throw new InvalidZipError(message('restore.zip-bomb', { times: maxRatio }));
      entries.set(name, {
        name,
        bytes: entry.uncompressedSize,
        async *read(signal) {
          let sum = 0;
          try {
            const stream = await zip.openReadStreamPromise(entry);
            for await (const chunk of stream) {
              signal?.throwIfAborted();
              sum = crc32(chunk as Buffer, sum);
              yield chunk as Buffer;
            }
          } catch (error) {
            signal?.throwIfAborted();
            throw error instanceof InvalidZipError ? error : notRead(error);
          }
          if (sum !== entry.crc32) throw new InvalidZipError(message('restore.zip-checksum', { name }));
        },
      });
    }
  } catch (error) {
    zip.close();
    throw error instanceof InvalidZipError ? error : notRead(error);
  }
  return { entries, bytes, close: () => zip.close() };
}

const longestLine = 64 * 1024 * 1024;
const newline = 0x0a;

/**
 * Splits bytes into lines of text, with at most one line in memory. Yields null for a line of more than 64 MB, which is skipped.
 */
export async function* linesOfEntry(chunks: AsyncIterable<Buffer>, most = longestLine): AsyncGenerator<string | null> {
  let pieces: Buffer[] = [];
  let length = 0;
  let isTooLong = false;
  const add = (piece: Buffer) => {
    length += piece.length;
    if (length > most) [isTooLong, pieces] = [true, []];
    if (!isTooLong && piece.length > 0) pieces.push(piece);
  };
  const take = () => {
    const line = isTooLong ? null : (pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces)).toString('utf8');
    [pieces, length, isTooLong] = [[], 0, false];
    return line;
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, from)) {
      add(chunk.subarray(from, at));
      yield take();
      from = at + 1;
    }
    add(chunk.subarray(from));
  }
  if (length > 0) yield take();
}

/** Reads a small entry as text; rejects more than 64 MB. */
export async function textOfEntry(entry: ZipEntry): Promise<string> {
  if (entry.bytes > longestLine) throw new InvalidZipError(message('restore.zip-too-large', { name: entry.name }));
  const pieces: Buffer[] = [];
  for await (const piece of entry.read()) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}
