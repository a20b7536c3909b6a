import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { playlistExists } from '../../archive/playlist/store.ts';
import { isAudioClip, recordUse } from '../../archive/storage/rendition-files.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { sendStoredFile } from '../../platform/http/files/files.ts';
import { types } from '../../platform/http/files/media-types.ts';
import { placeholderImage } from '../../platform/http/files/placeholder-image.ts';
import { notFound } from '../../platform/http/http-error.ts';
import { inCache, inHistory } from '../../platform/storage/stored-path.ts';
import { guardFiles } from './guard.ts';
import {
  findClipFile,
  findMediaOrSubtitle,
  findSmallCopy,
  hasMediaVersion,
  placeholderOfChannel,
  placeholderOfVideo,
  type Placeholder,
} from './store.ts';

/** Returns whether an error means that the file does not exist. */
const isMissing = (error: unknown) => ((error as Error).cause as NodeJS.ErrnoException | undefined)?.code === 'ENOENT';

/** Sends a placeholder image, revalidated by browsers on each use. */
function sendPlaceholder(reply: FastifyReply, drawn: Placeholder) {
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
  const guarded = guardFiles(app);

  async function media(request: FastifyRequest, reply: FastifyReply) {
    const path = (request.params as { '*': string })['*'];
    if (path.includes('\0')) throw notFound('error.file'); // PostgreSQL texts cannot contain it
    const file = await findMediaOrSubtitle(db, path);
    if (!file) throw notFound('error.file');
    const { searchParams } = new URL(request.url, 'http://archive');
    const attachment = searchParams.has('download') ? file.downloadName : undefined;
    const copy = searchParams.get('compatible') === '1' ? await findSmallCopy(db, path) : undefined;
    return sendStoredFile(app, { request, reply }, copy ?? path, { attachment, counts: true });
  }
  server.get('/youtube/*', guarded, media);
  server.get('/media/*', guarded, media);

  interface Art {
    storedPath?(path: string): string;
    keptSeconds?: number;
    /** Returns whether the user may see the picture; default: every user. */
    isVisible?(id: string, request: FastifyRequest): Promise<boolean>;
    /** Returns the placeholder for a missing file; undefined for 404. */
    instead?(id: string, name: string): Promise<Placeholder | undefined>;
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
        return sendPlaceholder(reply, drawn);
      }
    };
  server.get('/cache/videos/:first/:name', guarded, art('videos', /\.jpg$/, { instead: (id) => placeholderOfVideo(db, id) }));
  server.get('/cache/community/:first/:name', guarded, art('community', /\.jpg$/));
  server.get('/cache/storyboards/:first/:name', guarded, art('storyboards', /(\.vtt|_\d\.jpg)$/));
  server.get('/cache/renditions/:id/:name', guarded, async (request: FastifyRequest, reply: FastifyReply) => {
    const { id, name } = request.params as { id: string; name: string };
    const [, madeOf, how, extension = ''] = /^(\w{1,24})-(s|p|e)\d{0,5}(\.\w{2,4})$/.exec(name) ?? [];
    if (!madeOf || !cleanId.test(id) || id.startsWith('.')) throw notFound('error.file');
    // Valid as long as the media file it was rendered from.
    if (!(await hasMediaVersion(db, id, madeOf))) throw notFound('error.file');
    const type = how === 's' && extension === '.webm' ? 'audio/webm' : types[extension];
    return sendStoredFile(app, { request, reply }, inCache(`renditions/${id}/${name}`), { counts: true, type });
  });
  server.get('/cache/clips/:name', guardFiles(app, 'notes'), async (request: FastifyRequest, reply: FastifyReply) => {
    const { name } = request.params as { name: string };
    const [, number, extension] = /^(\d{1,15})(\.\w{2,4})$/.exec(name) ?? [];
    const clip = number === undefined ? undefined : await findClipFile(db, request.user!.id, Number(number));
    if (!clip?.path.endsWith(extension!)) throw notFound('error.file');
    await recordUse(app, clip.path);
    const wantsAttachment = new URL(request.url, 'http://archive').searchParams.has('download');
    return sendStoredFile(app, { request, reply }, clip.path, {
      attachment: wantsAttachment ? clip.downloadName : undefined,
      counts: true,
      type: extension === '.webm' && isAudioClip(clip.path) ? 'audio/webm' : types[extension!],
    });
  });
  server.get(
    '/cache/channels/:name',
    guarded,
    art('channels', /_(thumb|banner|tvart)\.jpg$/, { instead: (id, name) => placeholderOfChannel(db, id, name) }),
  );
  // Custom playlists show their first video, which users can change.
  server.get(
    '/cache/playlists/:name',
    guarded,
    art('playlists', /\.jpg$/, {
      keptSeconds: 0,
      isVisible: (id, { user }) => playlistExists(db, user!, id),
      instead: async () => 'film',
    }),
  );
  server.get('/cache/history/:name', guarded, art('', /\.jpg$/, { storedPath: inHistory }));
}
