import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { appendFile, mkdir, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createGunzip, gzip } from 'node:zlib';
import { chatChunkMs, type ChatLine } from '#contract/chat.ts';
import { removeFolder } from '../../platform/files/files.ts';
import { lineSplitter } from '../../platform/process/split-lines.ts';
import { IdTimes } from './id-times.ts';
import { rawChatReader, readStoredLine, type ChatEvent } from './raw-chat.ts';

// A chat is stored as concatenated members of gzip, each with the lines of five minutes in the order of time (docs/decisions/live-chat.md).
// Only the lines of one part are in memory at a time: the others wait in files.

const compress = promisify(gzip);

const maxRawBytes = 1_000_000_000;
const maxLines = 5_000_000;
/** A raw message has about 2 kB; longer lines are left out. */
const maxLineLength = 1_000_000;
const bufferedCharacters = 200_000;
/** Of a part, which is in memory at once. The busiest chats have some 5 MB in five minutes. */
const maxPartCharacters = 40_000_000;

/** A file with messages. `raw`: of yt-dlp; `stored`: a chat as Reelkeep stores it. */
export type ChatInput = { path: string } & (
  | { format: 'stored' }
  | {
      format: 'raw';
      /** Start of the stream in epoch milliseconds, for messages that were collected while it ran; null if unknown. */
      startMs: number | null;
    }
);

/** A part of the file: where it is, and when its messages were written, in milliseconds of the stream. */
export interface ChatChunk {
  n: number;
  fromMs: number;
  toMs: number;
  messages: number;
  byteOffset: number;
  bytes: number;
}

/** A written chat. It is incomplete if an input was cut off, damaged or too long. */
export interface WrittenChat {
  sizeBytes: number;
  sha256: string;
  messages: number;
  isComplete: boolean;
  chunks: ChatChunk[];
}

// The same message may have come in different forms; the first in this order counts, whatever the order of the inputs is.
const sortKey = ({ id, n, k, a, b, amount, x }: ChatLine) => [id, n, k, a, b?.join(), amount, x].join('\n');
const byTime = (a: ChatLine, b: ChatLine) => {
  if (a.t !== b.t) return a.t - b.t;
  const [keyOfA, keyOfB] = [sortKey(a), sortKey(b)];
  return keyOfA < keyOfB ? -1 : keyOfA > keyOfB ? 1 : 0;
};

/** Sorts lines into files by the part that they belong to. */
class Parts {
  private readonly buffers = new Map<number, string[]>();
  private readonly sizes = new Map<number, number>();
  private buffered = 0;
  private readonly written = new Set<number>();
  private readonly folder: string;
  constructor(folder: string) {
    this.folder = folder;
  }

  private pathOf(n: number) {
    return join(this.folder, String(n));
  }

  /** Returns false if the part is full. */
  add(line: ChatLine): boolean {
    const n = Math.floor(line.t / chatChunkMs);
    const text = JSON.stringify(line);
    const size = (this.sizes.get(n) ?? 0) + text.length;
    if (size > maxPartCharacters) return false;
    this.sizes.set(n, size);
    this.buffered += text.length;
    const buffer = this.buffers.get(n);
    if (buffer) buffer.push(text);
    else this.buffers.set(n, [text]);
    return true;
  }

  async flushIfFull(): Promise<void> {
    if (this.buffered < bufferedCharacters) return;
    for (const [n, texts] of this.buffers) {
      await appendFile(this.pathOf(n), `${texts.join('\n')}\n`);
      this.written.add(n);
    }
    this.buffers.clear();
    this.buffered = 0;
  }

  /** Yields the lines of each part in the order of time. */
  async *read(): AsyncGenerator<{ n: number; lines: ChatLine[] }> {
    for (const n of [...new Set([...this.written, ...this.buffers.keys()])].toSorted((a, b) => a - b)) {
      const stored = this.written.has(n) ? (await readFile(this.pathOf(n), 'utf8')).trimEnd().split('\n') : [];
      const lines = [...stored, ...(this.buffers.get(n) ?? [])].map((text) => JSON.parse(text) as ChatLine);
      this.buffers.delete(n);
      yield { n, lines: lines.toSorted(byTime) };
    }
  }
}

/** Reads events of an input. Returns false if it ends early, because it is damaged or too long. */
async function readInput(input: ChatInput, onEvents: (events: ChatEvent[]) => Promise<boolean>, signal: AbortSignal) {
  const file = createReadStream(input.path, { signal });
  const stream = input.format === 'stored' ? file.pipe(createGunzip()) : file;
  if (stream !== file) file.on('error', (error) => stream.destroy(error));
  const { feed, end } = lineSplitter(maxLineLength);
  const readRaw = input.format === 'raw' ? rawChatReader(input.startMs) : null;
  const eventsOf = (text: string): ChatEvent[] => {
    if (readRaw) return readRaw(text);
    const line = readStoredLine(text);
    return line ? [{ line }] : [];
  };
  let bytes = 0;
  try {
    const decoder = new TextDecoder();
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      for (const text of feed(decoder.decode(chunk, { stream: true })))
        if (text !== '' && !(await onEvents(eventsOf(text)))) return false;
      if (bytes > maxRawBytes) return false;
    }
    for (const text of end()) if (!(await onEvents(eventsOf(text)))) return false;
    return true;
  } catch (error) {
    signal.throwIfAborted();
    const { code } = error as NodeJS.ErrnoException;
    // Cut off or damaged: the lines before the fault count.
    if (error instanceof SyntaxError || code?.startsWith('Z_')) return false;
    throw error;
  } finally {
    file.destroy();
  }
}

/**
 * Converts and merges chats by the ids of their messages into one file. Messages that moderators have removed lose their text, and of a
 * message with several times the earliest counts, so that the result is the same in any order of the inputs, and merging again changes
 * nothing. `folder` is used for temporary files. Returns null if there are no messages.
 * @throws errors of the file system, or the reason of the signal
 */
export async function writeChat(
  inputs: ChatInput[],
  { target, folder, signal }: { target: string; folder: string; signal: AbortSignal },
): Promise<WrittenChat | null> {
  const partFolder = join(folder, 'chat-parts');
  await removeFolder(partFolder);
  await mkdir(partFolder, { recursive: true });
  const [times, removed, removedAuthors] = [new IdTimes(), new IdTimes(), new Map<string, number>()];
  const parts = new Parts(partFolder);
  let count = 0;
  let isComplete = true;
  const take = async (events: ChatEvent[]): Promise<boolean> => {
    for (const event of events) {
      if ('removedId' in event) removed.note(event.removedId, 0);
      else if ('removedAuthor' in event)
        removedAuthors.set(event.removedAuthor, Math.max(event.untilMs, removedAuthors.get(event.removedAuthor) ?? 0));
      else if (count++ >= maxLines) return false;
      else {
        const { line } = event;
        if (line.removed) removed.note(line.id, 0);
        if (parts.add(line)) times.note(line.id, line.t);
        else isComplete = false;
      }
    }
    await parts.flushIfFull();
    return true;
  };
  for (const input of inputs) if (!(await readInput(input, take, signal))) isComplete = false;

  const isRemoved = ({ id, a, t }: ChatLine) => removed.has(id) || (removedAuthors.get(a) ?? -1) >= t;
  const withoutText = ({ t, k, id, a, n, b, amount }: ChatLine): ChatLine => ({
    t,
    k,
    id,
    a,
    n,
    ...(b && { b }),
    x: '',
    ...(amount && { amount }),
    removed: true,
  });
  const file = await open(target, 'w');
  const hash = createHash('sha256');
  const chunks: ChatChunk[] = [];
  let [sizeBytes, messages] = [0, 0];
  try {
    for await (const { n, lines } of parts.read()) {
      signal.throwIfAborted();
      const kept = lines.filter(({ id, t }) => times.take(id, t)).map((line) => (isRemoved(line) ? withoutText(line) : line));
      if (kept.length === 0) continue;
      const member = await compress(kept.map((line) => `${JSON.stringify(line)}\n`).join(''));
      await file.write(member);
      hash.update(member);
      const [fromMs, toMs] = [kept[0]!.t, kept.at(-1)!.t];
      chunks.push({ n, fromMs, toMs, messages: kept.length, byteOffset: sizeBytes, bytes: member.length });
      sizeBytes += member.length;
      messages += kept.length;
    }
    await file.sync();
  } finally {
    await file.close();
    await removeFolder(partFolder);
  }
  return messages === 0 ? null : { sizeBytes, sha256: hash.digest('hex'), messages, isComplete, chunks };
}
