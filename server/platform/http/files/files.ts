import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { IncomingHttpHeaders, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { extname } from 'node:path';
import { Readable } from 'node:stream';
import fresh from 'fresh';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AppContext } from '../../context/app-context.ts';
import type { FileInfo } from '../../storage/file-store.ts';
import { hasPrefix, resolveStoredPath } from '../../storage/stored-path.ts';
import { types } from './media-types.ts';
import { writeFileRange } from './file-stream.ts';
import { notFound } from '../http-error.ts';
import { parseRange } from './range.ts';
import { setNewest } from '../../lib/set-newest.ts';
import { closedSignal } from '../closed-signal.ts';

/** Content-Disposition according to RFC 6266, with an ASCII fallback for old clients. */
export function attachmentHeader(name: string): string {
  const text = name
    .replace(/[\p{Cc}\p{Cf}\p{Cs}/\\:*?"<>|]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  // Cut at code points: a lone surrogate cannot be percent-encoded.
  const clean = [...text].slice(0, 120).join('') || 'video';
  const plain =
    clean
      .normalize('NFKD')
      .replace(/[^ -~]+/g, '')
      .trim() || 'video';
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(clean).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)}`;
}

interface SendOptions {
  /** File name of a download. */
  attachment?: string | undefined;
  /** Whether it counts as a stream of the user. */
  counts?: boolean;
  /** Overrides the type by extension, only for routes that know their files. */
  type?: string | undefined;
  /** Sent by this server, never by a link to the bucket, which stays valid for hours. */
  isDirect?: boolean;
  /** Browsers revalidate after this time, always if 0. */
  keptSeconds?: number;
}

interface Exchange {
  request: FastifyRequest;
  reply: FastifyReply;
}

interface Range {
  from: number;
  to: number;
}

/** A file to send: from this server's disk it is written to the response, from a bucket it is opened as a stream. */
type Content = FileInfo & { type: string } & (
    | { writeRange(range: Range, response: ServerResponse): Promise<void> }
    | { openRange(range: Range): Promise<Readable> }
  );

const isMediaType = (type: string) => /^(video|audio)\//.test(type);
const typeOf = (path: string, { type = types[extname(path).toLowerCase()] }: SendOptions) => {
  if (!type) throw notFound('error.file');
  return type;
};

/**
 * Whether a client continues with another file than the one it began with (RFC 9110 §13.1). VLC sends If-Match with each range.
 */
function isOutdated(headers: IncomingHttpHeaders, etag: string, modifiedMs: number): boolean {
  const tags = headers['if-match'];
  if (tags !== undefined) return tags.trim() !== '*' && !tags.split(',').some((tag) => tag.trim() === etag);
  const since = Date.parse(headers['if-unmodified-since'] ?? '');
  return Math.floor(modifiedMs / 1000) * 1000 > since;
}

/** Sets what is true of a file however it is sent. */
function describe(reply: FastifyReply, type: string, { attachment, keptSeconds = 3600 }: SendOptions) {
  reply
    .type(type)
    .header('Cache-Control', keptSeconds > 0 ? `private, max-age=${keptSeconds}` : 'private, no-cache')
    .header('Vary', 'Cookie, Authorization')
    .header('Content-Security-Policy', "sandbox; default-src 'none'");
  if (attachment) reply.header('Content-Disposition', attachmentHeader(attachment));
  return reply;
}

/** Sends a file, the requested range, or the answer to a conditional request. */
async function sendContent(request: FastifyRequest, reply: FastifyReply, content: Content, options: SendOptions) {
  const { sizeBytes: size, modifiedMs, type } = content;
  const etag = `"${size.toString(36)}-${Math.floor(modifiedMs).toString(36)}"`;
  const modified = new Date(modifiedMs).toUTCString();
  // Set when nothing can fail any more: an error must not be cached.
  const answer = () =>
    describe(reply, type, options).header('ETag', etag).header('Last-Modified', modified).header('Accept-Ranges', 'bytes');
  if (fresh(request.headers, { etag, 'last-modified': modified })) return answer().code(304).send();

  if (isOutdated(request.headers, etag, modifiedMs)) return reply.code(412).send();

  const ifRange = request.headers['if-range'];
  const isOther = ifRange !== undefined && ifRange !== etag && ifRange !== modified;
  const byteRange = isOther ? 'all' : parseRange(request.headers.range, size);
  if (byteRange === 'none') return answer().code(416).header('Content-Range', `bytes */${size}`).send();
  const range = byteRange === 'all' ? { from: 0, to: size - 1 } : byteRange;
  const isEmpty = request.method === 'HEAD' || size === 0;
  if (!isEmpty && options.counts) request.server.streams.begin(request.user!.id, reply.raw);
  const body = isEmpty || !('openRange' in content) ? undefined : await content.openRange(range);
  answer().header('Content-Length', String(range.to - range.from + 1));
  if (byteRange !== 'all') reply.code(206).header('Content-Range', `bytes ${range.from}-${range.to}/${size}`);
  // For HEAD without a body Fastify sends a length of 0, for a stream none.
  if (request.method === 'HEAD') return reply.send(Readable.from([]));
  if (isEmpty || !('writeRange' in content)) return reply.send(body);
  reply.hijack();
  reply.raw.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders);
  await content.writeRange(range, reply.raw).catch((error: Error) => {
    if (!reply.raw.destroyed) request.log.warn({ err: error }, 'cannot send a file');
    reply.raw.destroy();
  });
  return reply;
}

/**
 * Lets the reverse proxy send a file of the media folder. It answers ranges and conditional requests too. Only for requests that
 * came through a trusted proxy: others would get an empty body.
 */
function sendByProxy(app: AppContext, { request, reply }: Exchange, path: string, options: SendOptions) {
  if (options.counts) request.server.streams.begin(request.user!.id, reply.raw);
  describe(reply, typeOf(path, options), options);
  if (app.config.sendfile === 'nginx')
    reply.header('X-Accel-Redirect', `/reelkeep-media/${path.split('/').map(encodeURIComponent).join('/')}`);
  // mod_xsendfile takes the bytes of the path as they are.
  else reply.header('X-Sendfile', Buffer.from(resolveStoredPath(app, path)).toString('latin1'));
  return reply.send();
}

/** Sends a local file; never follows symbolic links. @throws 404 */
export async function sendFile(request: FastifyRequest, reply: FastifyReply, path: string, options: SendOptions = {}) {
  const type = typeOf(path, options);
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW).catch((cause: unknown) => {
    throw Object.assign(notFound('error.file'), { cause });
  });
  try {
    const { size, mtimeMs } = await file.stat();
    const writeRange = (range: Range, response: ServerResponse) => writeFileRange(file, range, response);
    return await sendContent(request, reply, { sizeBytes: size, modifiedMs: mtimeMs, type, writeRange }, options);
  } finally {
    await file.close();
  }
}

declare module '../../context/app-state.ts' {
  interface AppState {
    /** Sizes and times of media in the bucket that were sent, oldest first. They never change. */
    sentMedia: Map<string, FileInfo>;
  }
}

const maxRemembered = 10_000;

/** Returns size and time of an object. Players send many range requests for one file. @throws 404, StorageError */
async function statObject({ files, state: { sentMedia } }: AppContext, path: string): Promise<FileInfo> {
  const known = sentMedia.get(path);
  if (known) return known;
  const found = await files.stat(path);
  if (!found) throw notFound('error.file');
  // Renditions can be rendered again.
  if (!hasPrefix(path)) setNewest(sentMedia, path, { sizeBytes: found.sizeBytes, modifiedMs: found.modifiedMs }, maxRemembered);
  return found;
}

/** Converts the error of a missing file to 404. */
const asNotFound = (error: unknown) =>
  (error as NodeJS.ErrnoException).code === 'ENOENT' ? Object.assign(notFound('error.file'), { cause: error }) : error;

/**
 * Returns whether a client can be sent to the bucket. A script may read the answer only if the bucket allows its origin, so
 * media that are saved on the device or cast are sent by this server. Clients that send `Authorization` to the bucket as well,
 * as ffmpeg does, are refused by it. The link is signed for GET, so HEAD is answered here.
 */
const followsRedirect = ({ method, headers }: FastifyRequest) =>
  method === 'GET' &&
  headers.origin === undefined &&
  headers.authorization === undefined &&
  ['no-cors', 'navigate', undefined].includes(headers['sec-fetch-mode'] as string | undefined);

/**
 * Sends a file of the archive by its stored path. From a bucket, media and subtitles are passed through, or media are redirected
 * to if the server is configured so; images are sent from a local copy.
 * @throws 404, StorageError
 */
export async function sendStoredFile(app: AppContext, { request, reply }: Exchange, path: string, options: SendOptions = {}) {
  const { config, files, state } = app;
  // `ips` has more than one address if a trusted proxy forwarded the request.
  if (config.sendfile !== 'off' && !files.isRemote && !hasPrefix(path) && request.ips!.length > 1 && !/\p{Cc}/u.test(path))
    return sendByProxy(app, { request, reply }, path, options);
  if (!files.isRemote) return sendFile(request, reply, resolveStoredPath(app, path), options);
  const type = typeOf(path, options);
  if (hasPrefix(path) && !isMediaType(type)) {
    const local = await files.localPath(path).catch((error: unknown) => {
      throw asNotFound(error);
    });
    return sendFile(request, reply, local, options);
  }

  const signal = closedSignal(reply.raw);
  try {
    const info = await statObject(app, path);
    if (!options.isDirect && isMediaType(type) && followsRedirect(request)) {
      const disposition = options.attachment && attachmentHeader(options.attachment);
      const url = await files.link(path, { type, disposition });
      if (url) return reply.code(307).header('Location', url).header('Cache-Control', 'private, no-store').send();
    }
    const openRange = (range: Range) => files.read(path, range, signal);
    return await sendContent(request, reply, { ...info, type, openRange }, options);
  } catch (error) {
    if (signal.aborted) return reply.hijack(); // the client went away
    state.sentMedia.delete(path);
    throw asNotFound(error);
  }
}
