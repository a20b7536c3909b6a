import type { FastifyReply, FastifyRequest } from 'fastify';
import { recordUse, renditionPrefixOf } from '../../archive/storage/rendition-files.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { sendStoredFile } from '../../platform/http/files/files.ts';
import { HttpError, notFound } from '../../platform/http/http-error.ts';
import { segmentCountOf } from '../../platform/media/hls-grid.ts';
import { maxHeight } from './encoders.ts';
import { closedSignal } from '../../platform/http/closed-signal.ts';
import { cachedPartName, parseName, type Layer, type Part } from './names.ts';
import { mainPlaylist, mediaPlaylist } from './playlists.ts';
import { createHlsSessions } from './sessions.ts';
import { gridOf, hlsStreamOf, type HlsStream } from './stream-of-video.ts';

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
  { stream, layer, part }: { stream: HlsStream; layer: Layer; part: Part },
) {
  const path = `${renditionPrefixOf(stream.id)!}${cachedPartName(stream.stamp, layer, part)}`;
  const sessions = (app.state.hlsSessions ??= createHlsSessions(app));
  const wanted = { stream, layer, part, accountId: request.user!.id };
  if (await app.files.stat(path)) await recordUse(app, path);
  else await sessions.encode(wanted, closedSignal(reply.raw));
  if (part !== 'init')
    sessions
      .prepareNext({ ...wanted, part })
      .catch((error: unknown) => app.log.warn({ err: error }, 'cannot convert the next part of a video'));
  return sendStoredFile(app, { request, reply }, path, {
    type: `${layer.kind === 'video' ? 'video' : 'audio'}/mp4`,
    isDirect: true,
    counts: true,
  });
}

/**
 * Sends a playlist or a segment of HLS.
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
  const { heights, tracks } = stream;
  if (requested.kind === 'main') {
    const { height, track } = requested;
    if (height !== null && !heights.includes(height)) throw notFound('error.file');
    const most = await maxHeight(app);
    const offered = heights.filter((one, at) => one <= most || at === heights.length - 1);
    return sendPlaylist(reply, mainPlaylist(stream, height === null ? offered : [height], track));
  }
  const { kind, which } = requested.layer;
  const exists = kind === 'video' ? heights.includes(which) : tracks.some(({ index }) => index === which);
  if (!exists) throw notFound('error.file');
  if (requested.kind === 'media') return sendPlaylist(reply, mediaPlaylist(stream, requested.layer));
  const { part } = requested;
  if (part !== 'init' && part >= segmentCountOf(gridOf(stream, requested.layer))) throw notFound('error.file');
  return sendPart(app, exchange, { ...requested, stream });
}
