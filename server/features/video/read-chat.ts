import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createGunzip, gunzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ChatLine } from '#contract/chat.ts';
import { findChat, listChunks } from '../../archive/chat/store.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { attachmentHeader } from '../../platform/http/files/files.ts';
import { notFound } from '../../platform/http/http-error.ts';
import { normalizeText } from '../../platform/lib/normalize-text.ts';
import { closedSignal } from '../../platform/http/closed-signal.ts';

const inflate = promisify(gunzip);

interface Exchange {
  request: FastifyRequest;
  reply: FastifyReply;
}

/** @throws 404 if the video has no chat */
async function chatOf({ db }: AppContext, videoId: string) {
  const chat = await findChat(db, videoId);
  if (chat?.path == null) throw notFound('error.chat');
  return { ...chat, path: chat.path };
}

type Chunk = Awaited<ReturnType<typeof listChunks>>[number];

/** Returns a chat with its parts. @throws 404 */
export async function describeChat(app: AppContext, videoId: string) {
  const { source, messages, isComplete, fetchedAt } = await chatOf(app, videoId);
  return {
    source: source!,
    messages,
    is_complete: isComplete === 1,
    fetched_at: fetchedAt ?? 0,
    chunks: (await listChunks(app.db, videoId)).map(({ n, fromMs, toMs, messages: count }) => ({
      n,
      from_ms: fromMs,
      to_ms: toMs,
      messages: count,
    })),
  };
}

const rangeOf = ({ byteOffset, bytes }: Chunk) => ({ from: byteOffset, to: byteOffset + bytes - 1 });

/** Reads the file of a chat. @throws 404 if it is missing, StorageError */
async function readChat({ files }: AppContext, path: string, range: ReturnType<typeof rangeOf> | undefined, signal: AbortSignal) {
  try {
    return await files.read(path, range, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw Object.assign(notFound('error.chat'), { cause: error });
    throw error;
  }
}

/** Sends lines that are stored compressed as they are, to clients that accept that. */
function sendLines({ request, reply }: Exchange, stored: Readable) {
  reply
    .type('application/x-ndjson')
    .header('Cache-Control', 'private, no-cache')
    .header('Vary', 'Accept-Encoding, Cookie, Authorization');
  if (/\bgzip\b/.test(String(request.headers['accept-encoding'] ?? '')))
    return reply.header('Content-Encoding', 'gzip').send(stored);
  const plain = createGunzip();
  void pipeline(stored, plain).catch((error: Error) => plain.destroy(error));
  return reply.send(plain);
}

/** Sends five minutes of a chat. @throws 404 */
export async function sendChunk(app: AppContext, videoId: string, n: number, exchange: Exchange) {
  const { path } = await chatOf(app, videoId);
  const chunk = (await listChunks(app.db, videoId)).find((one) => one.n === n);
  if (!chunk) throw notFound('error.chat');
  return sendLines(exchange, await readChat(app, path, rangeOf(chunk), closedSignal(exchange.reply.raw)));
}

/** Yields the text of each part of a chat, of the first ones first. @throws errors of the storage or of damaged files */
async function* readParts(app: AppContext, videoId: string, signal: AbortSignal): AsyncGenerator<string> {
  const { path } = await chatOf(app, videoId);
  for (const chunk of await listChunks(app.db, videoId)) {
    const stored = await readChat(app, path, rangeOf(chunk), signal);
    yield String(await inflate(Buffer.concat(await stored.toArray({ signal }))));
  }
}

const linesOf = (part: string) =>
  part
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as ChatLine);

const maxMatches = 200;

/** Finds the messages that contain words, by their text or author; case and accents do not matter. The first ones are returned. */
export async function searchChat(app: AppContext, videoId: string, query: string, exchange: Exchange) {
  const wanted = normalizeText(query);
  const matches: { t: number; name: string; text: string }[] = [];
  for await (const part of readParts(app, videoId, closedSignal(exchange.reply.raw))) {
    // In JSON, quotes and backslashes are written in another way.
    if (!/["\\]/.test(wanted) && !normalizeText(part).includes(wanted)) continue;
    for (const { t, n, x } of linesOf(part)) {
      if (!normalizeText(`${n}\n${x}`).includes(wanted)) continue;
      if (matches.length === maxMatches) return { matches, has_more: true };
      matches.push({ t, name: n, text: x });
    }
  }
  return { matches, has_more: false };
}

const vttTime = (ms: number) =>
  new Date(ms % 86_400_000)
    .toISOString()
    .slice(11, 23)
    .replace(/^\d\d/, (hours) => String(Number(hours) + 24 * Math.floor(ms / 86_400_000)).padStart(2, '0'));
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const cueMs = 5000;

async function* vttOf(parts: AsyncIterable<string>) {
  yield 'WEBVTT\n';
  for await (const part of parts)
    yield linesOf(part)
      .filter(({ removed }) => !removed)
      .map(({ t, n, x, amount }) => {
        const text = [amount, x].filter(Boolean).join(' ');
        return `\n${vttTime(t)} --> ${vttTime(t + cueMs)}\n${n === '' ? '' : `<v ${escaped(n)}>`}${escaped(text)}\n`;
      })
      .join('');
}

/** Sends a whole chat as a file: its lines as JSON, or as captions, each of which is shown for five seconds. @throws 404 */
export async function exportChat(app: AppContext, videoId: string, format: 'jsonl' | 'vtt', exchange: Exchange) {
  const { path } = await chatOf(app, videoId);
  const { title } = await app.db.selectFrom('video').select('title').where('id', '=', videoId).executeTakeFirstOrThrow();
  const { reply } = exchange;
  const signal = closedSignal(exchange.reply.raw);
  reply.header('Content-Disposition', attachmentHeader(`${title}.chat.${format}`));
  if (format === 'jsonl') return sendLines(exchange, await readChat(app, path, undefined, signal));
  reply.type('text/vtt; charset=utf-8').header('Cache-Control', 'private, no-cache');
  return reply.send(Readable.from(vttOf(readParts(app, videoId, signal)), { objectMode: false }));
}
