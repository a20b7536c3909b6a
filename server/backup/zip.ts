import { stat } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { openPromise, type Entry as RawEntry } from 'yauzl';

// A ZIP comes from elsewhere: nothing in it is believed. It is never unpacked to names of its own; entries are read as streams.

/** A file that is no backup, or not whole; the message is for people. */
export class BadBackup extends Error {}

/** One file in a ZIP. */
export interface Entry {
  name: string;
  bytes: number;
  /** Its content. Throws BadBackup when it is not what the ZIP says of it. */
  read(signal?: AbortSignal): AsyncGenerator<Buffer>;
}

export interface Zip {
  entries: Map<string, Entry>;
  /** Of all entries together, unpacked. */
  bytes: number;
  close(): void;
}

const mostEntries = 200_000;
// Text of tables packs to a twentieth; what packs to less than a two-hundredth was made to fill a disk.
const mostRatio = 200;
const ratioFromBytes = 1024 * 1024;
const stored = 0;
const deflated = 8;
const [kindOfFile, regular] = [0o170000, 0o100000];

const notRead = (error: unknown) =>
  new BadBackup(`The ZIP cannot be read (${(error as Error).message}). It is damaged, or cut off.`);

function refuse(entry: RawEntry) {
  const name = JSON.stringify(entry.fileName.slice(0, 100));
  if (entry.isEncrypted()) throw new BadBackup(`${name} in the ZIP is encrypted.`);
  if (![stored, deflated].includes(entry.compressionMethod))
    throw new BadBackup(`${name} in the ZIP is packed in a way that is not known here.`);
  const mode = (entry.externalFileAttributes >>> 16) & kindOfFile;
  if (mode !== 0 && mode !== regular) throw new BadBackup(`${name} in the ZIP is a link or a device, not a file.`);
  if (entry.uncompressedSize > ratioFromBytes && entry.uncompressedSize > entry.compressedSize * mostRatio)
    throw new BadBackup(`${name} in the ZIP would unpack to more than ${mostRatio} times its size. It was made to fill disks.`);
}

/** Opens a ZIP and looks at its list. Throws BadBackup when there is anything in it that a backup does not have. */
export async function openZip(path: string): Promise<Zip> {
  const { size } = await stat(path);
  const zip = await openPromise(path, { strictFileNames: true, autoClose: false }).catch((error: unknown) => {
    throw notRead(error);
  });
  const entries = new Map<string, Entry>();
  let bytes = 0;
  try {
    if (zip.entryCount > mostEntries) throw new BadBackup(`The ZIP lists ${zip.entryCount} files; a backup has less.`);
    for await (const entry of zip.eachEntry()) {
      const name = entry.fileName;
      if (name.endsWith('/')) continue;
      refuse(entry);
      if (entries.has(name)) throw new BadBackup(`The ZIP holds ${JSON.stringify(name.slice(0, 100))} twice.`);
      bytes += entry.uncompressedSize;
      // Entries that share their bytes look harmless one by one.
      if (bytes > ratioFromBytes && bytes > size * mostRatio)
        throw new BadBackup(`The ZIP would unpack to more than ${mostRatio} times its size. It was made to fill disks.`);
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
            throw error instanceof BadBackup ? error : notRead(error);
          }
          if (sum !== entry.crc32) throw new BadBackup(`${name} in the ZIP is damaged: its check sum is wrong.`);
        },
      });
    }
  } catch (error) {
    zip.close();
    throw error instanceof BadBackup ? error : notRead(error);
  }
  return { entries, bytes, close: () => zip.close() };
}

const longestLine = 64 * 1024 * 1024;
const newline = 0x0a;

/** Bytes as lines of text, without holding more than one; null for a line of more than 64 MB, which is passed over. */
export async function* linesIn(chunks: AsyncIterable<Buffer>, most = longestLine): AsyncGenerator<string | null> {
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

/** The whole of a small entry as text; refuses one of more than 64 MB. */
export async function textOf(entry: Entry): Promise<string> {
  if (entry.bytes > longestLine) throw new BadBackup(`${entry.name} in the ZIP is larger than it can be.`);
  const pieces: Buffer[] = [];
  for await (const piece of entry.read()) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}
