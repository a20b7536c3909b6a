import { open } from 'node:fs/promises';
import { constants } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { Readable } from 'node:stream';
import fresh from 'fresh';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Archive } from '../archive.ts';
import { below } from '../below.ts';
import { FileStream } from './file-stream.ts';
import { admit } from './guard.ts';
import { holderOf, isSigned } from './links.ts';
import { notFound } from './problem.ts';
import { rangeOf } from './range.ts';
import { systemSender } from './sendfile.ts';
import { stockPicture } from './stock-picture.ts';

/** Everything that leaves as a file has one of these types; nothing that a browser would run. */
export const types: Record<string, string> = {
  '.mp4': 'video/mp4',
  '.m4v': 'video/mp4',
  '.webm': 'video/webm',
  '.mkv': 'video/matroska',
  '.mov': 'video/quicktime',
  '.mp3': 'audio/mpeg',
  '.m4a': 'audio/mp4',
  '.aac': 'audio/aac',
  '.opus': 'audio/ogg',
  '.ogg': 'audio/ogg',
  '.flac': 'audio/flac',
  '.wav': 'audio/wav',
  '.vtt': 'text/vtt; charset=utf-8',
  '.jpg': 'image/jpeg',
};

/** RFC 6266, with the plain form for old clients. */
export function attachmentNamed(name: string): string {
  const clean =
    name
      .replace(/[\p{Cc}\p{Cf}\p{Cs}/\\:*?"<>|]+/gu, ' ')
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, 120) || 'video';
  const plain =
    clean
      .normalize('NFKD')
      .replace(/[^ -~]+/g, '')
      .trim() || 'video';
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(clean).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)}`;
}

/**
 * Sends a file or the part of it that is asked for; never follows a link. A `type` is only for a route that knows what
 * its files are, and that has no other way in. Browsers ask again after `keptSeconds`, each time where that is 0.
 */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  path: string,
  {
    attachment,
    counts = false,
    type = types[extname(path).toLowerCase()],
    keptSeconds = 3600,
  }: { attachment?: string | undefined; counts?: boolean; type?: string | undefined; keptSeconds?: number } = {},
) {
  if (!type) throw notFound('file');
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW).catch((cause: unknown) => {
    throw Object.assign(notFound('file'), { cause });
  });
  let isSending = false;
  try {
    const { size, mtimeMs } = await file.stat();
    const etag = `"${size.toString(36)}-${Math.floor(mtimeMs).toString(36)}"`;
    const modified = new Date(mtimeMs).toUTCString();
    reply
      .type(type)
      .header('ETag', etag)
      .header('Last-Modified', modified)
      .header('Accept-Ranges', 'bytes')
      .header('Cache-Control', keptSeconds > 0 ? `private, max-age=${keptSeconds}` : 'private, no-cache')
      .header('Vary', 'Cookie, Authorization')
      .header('Content-Security-Policy', "sandbox; default-src 'none'");
    if (attachment) reply.header('Content-Disposition', attachmentNamed(attachment));
    if (fresh(request.headers, { etag, 'last-modified': modified })) return reply.code(304).send();

    const ifRange = request.headers['if-range'];
    const isOther = ifRange !== undefined && ifRange !== etag && ifRange !== modified;
    const wanted = isOther ? 'all' : rangeOf(request.headers.range, size);
    if (wanted === 'none') return reply.code(416).header('Content-Range', `bytes */${size}`).send();
    const { from, to } = wanted === 'all' ? { from: 0, to: size - 1 } : wanted;
    reply.header('Content-Length', String(to - from + 1));
    if (wanted !== 'all') reply.code(206).header('Content-Range', `bytes ${from}-${to}/${size}`);
    // Fastify says of an answer to HEAD without a body that there are 0 bytes, of a stream nothing.
    if (request.method === 'HEAD') return reply.send(Readable.from([]));
    if (size === 0) return reply.send();

    const stream = new FileStream({ file, from, to, response: reply.raw, sender: await (sender ??= systemSender()) });
    if (counts) request.server.streams.begin(request.user!.id, reply.raw, stream);
    isSending = true;
    return reply.send(stream);
  } finally {
    if (!isSending) await file.close();
  }
}

/** Whether a file was not sent since there is none. */
const isMissing = (error: unknown) => ((error as Error).cause as NodeJS.ErrnoException | undefined)?.code === 'ENOENT';

/** A drawn picture, until there is one: it is asked for again each time. */
function sendStock(reply: FastifyReply, drawn: Parameters<typeof stockPicture>[0]) {
  reply.type('image/jpeg').header('Cache-Control', 'private, no-cache').header('Vary', 'Cookie, Authorization');
  return reply.header('Content-Security-Policy', "sandbox; default-src 'none'").send(stockPicture(drawn));
}

// Looked for when the first file is wanted: what only restores or writes a backup needs none.
let sender: ReturnType<typeof systemSender> | undefined;

/** Tells one file of a video from another that takes its place; in the names of what was made of it. */
export const stampOf = ({ sha256, sizeBytes }: { sha256: string; sizeBytes: number }) =>
  sha256.slice(0, 16) || `size${sizeBytes}`;

const cleanId = /^[-\w.]{1,130}$/;

/** Media, subtitles and artwork, for whoever is logged in. Paths are looked up, never joined from what was asked. */
export function serveFiles(app: FastifyInstance, archive: Archive) {
  const { db, config } = archive;
  const guarded = {
    onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
      const accountId = isSigned(request.url) ? await holderOf(archive, request.url) : null;
      if (accountId === null) {
        request.user = await admit(archive, 'user', request, reply);
        return;
      }
      reply.header('Cross-Origin-Resource-Policy', 'cross-origin');
      request.user = { id: accountId, name: '', isStaff: false, pageSize: 0, tokenHash: null };
    },
    compress: false as const,
    config: { may: 'user' as const, lasts: true as const },
  };

  async function media(request: FastifyRequest, reply: FastifyReply) {
    const path = (request.params as { '*': string })['*'];
    if (path.includes('\0')) throw notFound('file'); // no text of PostgreSQL has it
    // A player asks for one range after the other.
    const video = await db.recall.one(`media ${path}`, { from: ['video'] }, () =>
      db.selectFrom('video').select(['title', 'mediaPath']).where('mediaPath', '=', path).executeTakeFirst(),
    );
    const subtitle = video
      ? undefined
      : await db.selectFrom('subtitle').select('path').where('path', '=', path).executeTakeFirst();
    const found = video?.mediaPath ?? subtitle?.path;
    if (!found) throw notFound('file');
    const wantsAttachment = new URL(request.url, 'http://archive').searchParams.has('download');
    const attachment = wantsAttachment ? `${video?.title ?? basename(found, extname(found))}${extname(found)}` : undefined;
    return sendFile(request, reply, below(config.mediaFolder, found), { attachment, counts: true });
  }
  app.get('/youtube/*', guarded, media);
  app.get('/media/*', guarded, media);

  interface Art {
    root?: string;
    keptSeconds?: number;
    /** What is shown where there is no such file; undefined: nothing is. */
    instead?(id: string): Promise<'film' | 'sound' | undefined>;
  }
  const art =
    (folder: string, ending: RegExp, { root = config.cacheFolder, keptSeconds = 3600, instead }: Art = {}) =>
    async (request: FastifyRequest, reply: FastifyReply) => {
      const { name, first } = request.params as { name: string; first?: string };
      const id = name.replace(ending, '');
      if (id === name || !cleanId.test(id) || !cleanId.test(name) || id.startsWith('.')) throw notFound('picture');
      if (first !== undefined && first !== id[0]?.toLowerCase()) throw notFound('picture');
      const path = join(root, folder, first ?? '', name);
      try {
        return await sendFile(request, reply, path, { keptSeconds });
      } catch (error) {
        const drawn = instead && isMissing(error) ? await instead(id) : undefined;
        if (!drawn) throw error;
        return sendStock(reply, drawn);
      }
    };
  const ofVideo = async (id: string) => {
    const video = await db.selectFrom('video').select('id').where('id', '=', id).executeTakeFirst();
    if (!video) return undefined;
    const streams = await db.selectFrom('stream').select('type').where('videoId', '=', id).execute();
    return streams.length > 0 && streams.every(({ type }) => type === 'audio') ? 'sound' : 'film';
  };
  const ofPlaylist = async (id: string) =>
    (await db.selectFrom('playlist').select('id').where('id', '=', id).executeTakeFirst()) && 'film';
  app.get('/cache/videos/:first/:name', guarded, art('videos', /\.jpg$/, { instead: ofVideo }));
  app.get('/cache/storyboards/:first/:name', guarded, art('storyboards', /(\.vtt|_\d\.jpg)$/));
  app.get('/cache/renditions/:id/:name', guarded, async (request: FastifyRequest, reply: FastifyReply) => {
    const { id, name } = request.params as { id: string; name: string };
    const [, madeOf, how, ending = ''] = /^(\w{1,24})-(s|p)\d{1,5}(\.\w{2,4})$/.exec(name) ?? [];
    if (!madeOf || !cleanId.test(id) || id.startsWith('.')) throw notFound('file');
    // Good for as long as the file that it was made of is the video's.
    const video = await db.recall.one(`made of ${id}`, { from: ['video'] }, () =>
      db.selectFrom('video').select(['sha256', 'sizeBytes']).where('id', '=', id).executeTakeFirst(),
    );
    if (!video || stampOf(video) !== madeOf) throw notFound('file');
    const type = how === 's' && ending === '.webm' ? 'audio/webm' : types[ending];
    return sendFile(request, reply, join(config.cacheFolder, 'renditions', id, name), { counts: true, type });
  });
  app.get('/cache/channels/:name', guarded, art('channels', /_(thumb|banner|tvart)\.jpg$/));
  // A list that people make themselves shows its first video, which they move.
  app.get('/cache/playlists/:name', guarded, art('playlists', /\.jpg$/, { keptSeconds: 0, instead: ofPlaylist }));
  app.get('/cache/earlier/:name', guarded, art('earlier', /\.jpg$/, { root: config.dataFolder }));
}
