import { basename, extname } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AppContext } from '../../context/app-context.ts';
import { isVisibleTo } from '../../db/schema/playlist-access.ts';
import { inCache, inHistory } from '../../storage/stored-path.ts';
import { authenticate } from '../auth/authenticate.ts';
import { isSigned, ownerOf } from '../auth/signed-urls.ts';
import { notFound } from '../http-error.ts';
import { sendStoredFile } from './files.ts';
import { etagOf, types } from './media-types.ts';
import { placeholderImage } from './placeholder-image.ts';

/** Returns whether an error means that the file does not exist. */
const isMissing = (error: unknown) => ((error as Error).cause as NodeJS.ErrnoException | undefined)?.code === 'ENOENT';

/** Sends a placeholder image, revalidated by browsers on each use. */
type Stock = Parameters<typeof placeholderImage>[0];
function sendStock(reply: FastifyReply, drawn: Stock) {
  reply.type('image/jpeg').header('Cache-Control', 'private, no-cache').header('Vary', 'Cookie, Authorization');
  return reply.header('Content-Security-Policy', "sandbox; default-src 'none'").send(placeholderImage(drawn));
}

const cleanId = /^[-\w.]{1,130}$/;

/**
 * Routes of media, subtitles and images, for authenticated users. Paths are looked up in the database, never built from the
 * request.
 */
export function registerFiles(server: FastifyInstance, app: AppContext) {
  const { db } = app;
  const guarded = {
    onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
      const owner = isSigned(request.raw) ? await ownerOf(app, request.raw, request.url) : null;
      if (owner !== null) {
        reply.header('Cross-Origin-Resource-Policy', 'cross-origin');
        request.user = {
          id: owner.accountId,
          name: '',
          isStaff: owner.isStaff,
          pageSize: 0,
          tokenHash: owner.tokenHash,
          scopes: null,
        };
        return;
      }
      // SearXNG puts the token into image URLs of its pages.
      const token = new URL(request.url, 'http://archive').searchParams.get('auth');
      if (token) request.headers.authorization ??= `Token ${token}`;
      request.user = await authenticate(app, { may: 'user' }, request, reply);
      if (token && request.user?.tokenHash) reply.header('Cross-Origin-Resource-Policy', 'cross-origin');
    },
    compress: false as const,
    config: { may: 'user' as const, lasts: true as const },
  };

  async function media(request: FastifyRequest, reply: FastifyReply) {
    const path = (request.params as { '*': string })['*'];
    if (path.includes('\0')) throw notFound('error.file'); // PostgreSQL texts cannot contain it
    const video = await db.selectFrom('video').select(['title', 'mediaPath']).where('mediaPath', '=', path).executeTakeFirst();
    const subtitle = video
      ? undefined
      : await db.selectFrom('subtitle').select('path').where('path', '=', path).executeTakeFirst();
    const found = video?.mediaPath ?? subtitle?.path;
    if (!found) throw notFound('error.file');
    const wantsAttachment = new URL(request.url, 'http://archive').searchParams.has('download');
    const attachment = wantsAttachment ? `${video?.title ?? basename(found, extname(found))}${extname(found)}` : undefined;
    return sendStoredFile(app, { request, reply }, found, { attachment, counts: true });
  }
  server.get('/youtube/*', guarded, media);
  server.get('/media/*', guarded, media);

  interface Art {
    storedPath?(path: string): string;
    keptSeconds?: number;
    /** Returns whether the user may see the picture; default: every user. */
    isVisible?(id: string, request: FastifyRequest): Promise<boolean>;
    /** Returns the placeholder for a missing file; undefined for 404. */
    instead?(id: string, name: string): Promise<Stock | undefined>;
  }
  const art =
    (folder: string, extension: RegExp, { storedPath = inCache, keptSeconds = 3600, isVisible, instead }: Art = {}) =>
    async (request: FastifyRequest, reply: FastifyReply) => {
      const { name, first } = request.params as { name: string; first?: string };
      const id = name.replace(extension, '');
      if (id === name || !cleanId.test(id) || !cleanId.test(name) || id.startsWith('.')) throw notFound('error.no-picture');
      if (first !== undefined && first !== id[0]?.toLowerCase()) throw notFound('error.no-picture');
      if (isVisible && !(await isVisible(id, request))) throw notFound('error.no-picture');
      const path = storedPath([folder, first, name].filter(Boolean).join('/'));
      try {
        return await sendStoredFile(app, { request, reply }, path, { keptSeconds });
      } catch (error) {
        const drawn = instead && isMissing(error) ? await instead(id, name) : undefined;
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
  const showsPlaylist = async (id: string, { user }: FastifyRequest) =>
    (await db.selectFrom('playlist').select('id').where('id', '=', id).where(isVisibleTo(user!)).executeTakeFirst()) !==
    undefined;
  server.get('/cache/videos/:first/:name', guarded, art('videos', /\.jpg$/, { instead: ofVideo }));
  server.get('/cache/storyboards/:first/:name', guarded, art('storyboards', /(\.vtt|_\d\.jpg)$/));
  server.get('/cache/renditions/:id/:name', guarded, async (request: FastifyRequest, reply: FastifyReply) => {
    const { id, name } = request.params as { id: string; name: string };
    const [, madeOf, how, extension = ''] = /^(\w{1,24})-(s|p)\d{1,5}(\.\w{2,4})$/.exec(name) ?? [];
    if (!madeOf || !cleanId.test(id) || id.startsWith('.')) throw notFound('error.file');
    // Valid as long as the media file it was rendered from.
    const video = await db.selectFrom('video').select(['sha256', 'sizeBytes']).where('id', '=', id).executeTakeFirst();
    if (!video || etagOf(video) !== madeOf) throw notFound('error.file');
    const type = how === 's' && extension === '.webm' ? 'audio/webm' : types[extension];
    return sendStoredFile(app, { request, reply }, inCache(`renditions/${id}/${name}`), { counts: true, type });
  });
  const ofChannel = async (id: string, name: string) => {
    if (!(await db.selectFrom('channel').select('id').where('id', '=', id).executeTakeFirst())) return undefined;
    return name.endsWith('_thumb.jpg') ? 'person' : name.endsWith('_banner.jpg') ? 'banner' : 'film';
  };
  server.get('/cache/channels/:name', guarded, art('channels', /_(thumb|banner|tvart)\.jpg$/, { instead: ofChannel }));
  // Custom playlists show their first video, which users can change.
  server.get(
    '/cache/playlists/:name',
    guarded,
    art('playlists', /\.jpg$/, { keptSeconds: 0, isVisible: showsPlaylist, instead: async () => 'film' }),
  );
  server.get('/cache/history/:name', guarded, art('', /\.jpg$/, { storedPath: inHistory }));
}
