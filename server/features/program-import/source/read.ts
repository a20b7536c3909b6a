import { message } from '#contract/messages.ts';
import { gunzip } from 'node:zlib';
import { promisify } from 'node:util';
import { linesOfEntry } from '../../../platform/files/zip.ts';
import { objectOrNull } from '../../../platform/lib/untrusted.ts';
import { MessageError } from '../../../platform/messages/message-error.ts';
import type { SourceFile } from './source.ts';

// Readers of untrusted files. Each bounds what it holds in memory.

const megabyte = 1024 * 1024;
/** Size limit of files that are read as a whole. */
export const maxTextBytes = 64 * megabyte;
const maxLineBytes = 4 * megabyte;

const tooLarge = (file: SourceFile, most: number) =>
  new MessageError(message('migrate.too-large', { file: file.name, most: Math.floor(most / megabyte) }));

/** Reads a file as a whole. @throws MessageError if it is too large */
export async function readBytes(file: SourceFile, signal: AbortSignal, most = maxTextBytes): Promise<Buffer> {
  if (file.bytes > most) throw tooLarge(file, most);
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of file.read(signal)) {
    length += piece.length;
    if (length > most) throw tooLarge(file, most);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** Reads a text file in UTF-8, or UTF-16 with a byte order mark. @throws MessageError */
export async function readText(file: SourceFile, signal: AbortSignal, most = maxTextBytes): Promise<string> {
  const bytes = await readBytes(file, signal, most);
  const is16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  try {
    return new TextDecoder(is16 ? (bytes[0] === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new MessageError(message('migrate.no-utf8', { file: file.name }));
  }
}

/** Parses a JSON file. @throws MessageError */
export async function readJson(file: SourceFile, signal: AbortSignal): Promise<unknown> {
  const text = await readText(file, signal);
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new MessageError(message('migrate.no-json', { file: file.name, why: (error as Error).message.slice(0, 200) }));
  }
}

/** Yields the lines of a file, without a byte order mark; null for a line that is too long. */
export async function* readLines(file: SourceFile, signal: AbortSignal): AsyncGenerator<string | null> {
  let isFirst = true;
  for await (const line of linesOfEntry(file.read(signal) as AsyncIterable<Buffer>, maxLineBytes)) {
    yield line === null ? null : (isFirst ? line.replace(/^\uFEFF/, '') : line).replace(/\r$/, '');
    isFirst = false;
  }
}

const [quote, backslash] = [0x22, 0x5c];
const isOpening = (byte: number) => byte === 0x7b || byte === 0x5b;
const isClosing = (byte: number) => byte === 0x7d || byte === 0x5d;

/**
 * Yields the objects of a JSON array, however long, with one of them in memory; null for an object that is damaged or larger than
 * 4 MB.
 * @throws MessageError if the file is no array of objects, or ends within it
 */
export async function* readJsonArray(file: SourceFile, signal: AbortSignal): AsyncGenerator<Record<string, unknown> | null> {
  const invalid = (why: string) => new MessageError(message('migrate.no-json', { file: file.name, why }));
  let depth = 0;
  let [inText, isEscaped, isEnded] = [false, false, false];
  let pieces: Buffer[] = [];
  let length = 0;
  const keep = (piece: Buffer) => {
    length += piece.length;
    if (length <= maxLineBytes) pieces.push(piece);
    else pieces = [];
  };
  const take = () => {
    const text = length > maxLineBytes ? null : Buffer.concat(pieces).toString('utf8');
    [pieces, length] = [[], 0];
    if (text === null) return null;
    try {
      return objectOrNull(JSON.parse(text));
    } catch {
      return null;
    }
  };
  for await (const chunk of file.read(signal)) {
    let from = depth >= 2 ? 0 : -1;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at]!;
      if (inText) {
        if (isEscaped) isEscaped = false;
        else if (byte === backslash) isEscaped = true;
        else if (byte === quote) inText = false;
      } else if (byte === quote) inText = true;
      else if (isOpening(byte)) {
        if (depth === 0 && (byte !== 0x5b || isEnded)) throw invalid('it is no array');
        if (++depth === 2) from = at;
      } else if (isClosing(byte)) {
        if (--depth === 1) {
          keep(chunk.subarray(from, at + 1));
          from = -1;
          yield take();
        } else if (depth === 0) isEnded = true;
        else if (depth < 0) throw invalid('it is no array');
      }
    }
    if (from >= 0) keep(Buffer.from(chunk.subarray(from)));
  }
  if (!isEnded) throw invalid('it ends too early');
}

/** Parses CSV (RFC 4180), with `,` or `;`, row by row. A quote that is never closed ends with its line. */
export function* parseCsv(text: string): Generator<string[]> {
  const separator = /^[^\r\n"]*;/.test(text) && !/^[^\r\n"]*,/.test(text) ? ';' : ',';
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    let value: string;
    if (text[at] === '"') {
      let end = at + 1;
      for (;;) {
        end = text.indexOf('"', end);
        if (end < 0 || text[end + 1] !== '"') break;
        end += 2;
      }
      if (end < 0) {
        const line = text.indexOf('\n', at);
        end = line < 0 ? text.length : line;
      }
      value = text.slice(at + 1, end).replaceAll('""', '"');
      at = text[end] === '"' ? end + 1 : end;
      while (at < text.length && text[at] !== separator && text[at] !== '\n') at++;
    } else {
      const start = at;
      while (at < text.length && text[at] !== separator && text[at] !== '\n') at++;
      value = text.slice(start, at);
    }
    row.push(value.replace(/\r$/, ''));
    const isLineEnd = at >= text.length || text[at] === '\n';
    at++;
    if (!isLineEnd) continue;
    if (row.length > 1 || row[0] !== '') yield row;
    row = [];
  }
  if (row.length > 0) yield row;
}

const unpack = promisify(gunzip);

/** Unpacks a gzipped file of at most `most` bytes. @throws if it is damaged or unpacks to more */
export const unzipText = async (bytes: Buffer, most = maxTextBytes): Promise<string> =>
  (await unpack(bytes, { maxOutputLength: most })).toString('utf8');
