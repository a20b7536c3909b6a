import { placeholderImage } from '../../platform/http/files/placeholder-image.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { thumbnailPath } from '../../archive/storage/thumbnail-path.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { sendStoredFile } from '../../platform/http/files/files.ts';
import { HttpError, notFound } from '../../platform/http/http-error.ts';
import { inCache } from '../../platform/storage/stored-path.ts';
import { extensionOf, loadEpisodes, type Episode } from './find-episodes.ts';

// Files of a video at addresses with a secret. Their names start with the video id: apps save files under these names.

/** Returns the video and the rest of a file name, such as `.mp4`, `.de.vtt` or `.de.m4a`. @throws 404 */
export async function findNamedVideo({ db }: AppContext, id: string, name: string) {
  const rest = name.slice(id.length);
  const [video] = name.startsWith(id) ? await loadEpisodes(db, [id], /^\.([\w-]+)\.m4a$/.exec(rest)?.[1]) : [];
  if (!video) throw notFound('error.video');
  return { video, rest };
}

interface Sending {
  request: FastifyRequest;
  reply: FastifyReply;
  /** Whose streams are counted. */
  accountId: number;
}

/** Lets other origins read the answer, and counts its streams as those of the user. */
export function sendAs({ request, reply, accountId }: Sending): Pick<Sending, 'request' | 'reply'> {
  request.user = { id: accountId, name: '', isStaff: false, pageSize: 0, tokenHash: null, scopes: null };
  reply.header('Cross-Origin-Resource-Policy', 'cross-origin');
  return { request, reply };
}

/** Sends the original file, the thumbnail or a subtitle file of a video. @throws 404 */
export async function sendVideoFile(
  app: AppContext,
  sending: Sending,
  { video, rest, ...options }: { video: Episode; rest: string; attachment?: string | undefined; isDirect?: boolean },
): Promise<unknown> {
  if (rest === '.jpg')
    try {
      return await sendStoredFile(app, sendAs(sending), inCache(thumbnailPath(video.id)));
    } catch (error) {
      if (!(error instanceof HttpError) || error.status !== 404) throw error;
      sending.reply.type('image/jpeg').header('Cache-Control', 'private, no-cache');
      return sending.reply.send(placeholderImage(video.isAudioOnly ? 'sound' : 'film'));
    }
  if (rest === extensionOf(video)) return sendStoredFile(app, sendAs(sending), video.mediaPath, { counts: true, ...options });
  const subtitle = video.subtitles.find(({ lang }) => rest === `.${lang}.vtt`);
  if (subtitle) return sendStoredFile(app, sendAs(sending), subtitle.path);
  throw notFound('error.file');
}
