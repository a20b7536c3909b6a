import type { FastifyReply, FastifyRequest } from 'fastify';
import { recordUse, renditionPrefixOf } from '../../archive/storage/rendition-files.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { sendStoredFile } from '../../platform/http/files/files.ts';
import { HttpError, notFound } from '../../platform/http/http-error.ts';
import { segmentCountOf } from '../../platform/media/hls-grid.ts';
import { requestHlsSound } from '../rendition/request-rendition.ts';
import { waitForRendition } from '../rendition/wait-for-m4a.ts';
import { maxHeight } from './encoders.ts';
import { cachedPartName, cachedSoundName, parseName, type Part } from './names.ts';
import { mainPlaylist, soundPlaylist, videoPlaylist } from './playlists.ts';
import { createHlsSessions } from './sessions.ts';
import { readSoundIndex } from './sound-index.ts';
import { hlsStreamOf, type HlsStream } from './stream-of-video.ts';
import { closedSignal } from '../../platform/http/closed-signal.ts';

interface Exchange {
  request: FastifyRequest;
  reply: FastifyReply;
}

/** Playlists follow from the file, whose stamp is in their address. */
const sendPlaylist = (reply: FastifyReply, text: string) =>
  reply
    .type('application/vnd.apple.mpegurl')
    .header('Cache-Control', 'private, max-age=3600')
    .header('Vary', 'Cookie, Authorization')
    .send(text);

/** Sends a segment or the headers of all, encoded first if they are missing. */
async function sendPart(
  app: AppContext,
  { request, reply }: Exchange,
  { stream, height, part }: { stream: HlsStream; height: number; part: Part },
) {
  const path = `${renditionPrefixOf(stream.id)!}${cachedPartName(stream.stamp, height, part)}`;
  const sessions = (app.state.hlsSessions ??= createHlsSessions(app));
  const wanted = { stream, height, part, accountId: request.user!.id };
  if (await app.files.stat(path)) await recordUse(app, path);
  else await sessions.encode(wanted, closedSignal(reply.raw));
  if (part !== 'init')
    sessions
      .prepareNext({ ...wanted, part })
      .catch((error: unknown) => app.log.warn({ err: error }, 'cannot convert the next part of a video'));
  return sendStoredFile(app, { request, reply }, path, { type: 'video/mp4', isDirect: true, counts: true });
}

async function sendSound(app: AppContext, { request, reply }: Exchange, stream: HlsStream, track: number, isFile: boolean) {
  if (!stream.tracks.some(({ index }) => index === track)) throw notFound('error.file');
  const path = `${renditionPrefixOf(stream.id)!}${cachedSoundName(stream, track)}`;
  if (isFile) return sendStoredFile(app, { request, reply }, path, { type: 'audio/mp4', isDirect: true, counts: true });
  await waitForRendition(app, () => requestHlsSound(app, stream.id, track), closedSignal(reply.raw));
  const index = await readSoundIndex(app.files, path);
  if (!index) throw notFound('error.file');
  return sendPlaylist(reply, soundPlaylist(index, track));
}

/**
 * Sends a playlist, a segment or a sound track of HLS.
 * @throws 404 for names, heights, tracks and segments that there are not, and for addresses of a file that was replaced
 */
export async function sendHls(
  app: AppContext,
  exchange: Exchange,
  { id, stamp, name }: { id: string; stamp: string; name: string },
) {
  const requested = parseName(name);
  if (!requested || renditionPrefixOf(id) === null) throw notFound('error.file');
  const stream = await hlsStreamOf(app, id);
  if ('why' in stream) throw new HttpError(503, stream.why, { retryAfterSeconds: 60 });
  if (stream.stamp !== stamp) throw notFound('error.file');
  const { reply } = exchange;
  const { heights } = stream;
  if ('height' in requested && requested.height !== null && !heights.includes(requested.height)) throw notFound('error.file');
  switch (requested.kind) {
    case 'main': {
      const most = await maxHeight(app);
      const offered = heights.filter((one, at) => one <= most || at === heights.length - 1);
      return sendPlaylist(reply, mainPlaylist(stream, requested.height === null ? offered : [requested.height], requested.track));
    }
    case 'video':
      return sendPlaylist(reply, videoPlaylist(stream, requested.height));
    case 'part':
      if (requested.part !== 'init' && requested.part >= segmentCountOf(stream.grid)) throw notFound('error.file');
      return sendPart(app, exchange, { ...requested, stream });
    default:
      return sendSound(app, exchange, stream, requested.track, requested.kind === 'sound-file');
  }
}
