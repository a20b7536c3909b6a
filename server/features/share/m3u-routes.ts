import type { FastifyReply, FastifyRequest } from 'fastify';
import { m3uCalls } from '#contract/share.ts';
import type { Viewer } from '../../platform/db/schema/playlist-access.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { originOf } from '../../platform/http/auth/secret-address.ts';
import { mediaUrl } from '../../archive/storage/media-url.ts';
import { archiveAddress } from '../../archive/settings/archive-address.ts';
import { createUrlSigner, ownerOf, type UrlOwner } from '../../platform/http/auth/signed-urls.ts';
import { forbidden, notFound } from '../../platform/http/http-error.ts';
import { routes, type User } from '../../platform/http/route.ts';
import { findMedia } from '../podcast/find-episodes.ts';
import { findVideoSource, type SourceType } from '../smart-list/video-source.ts';
import { sendList } from './m3u.ts';

// Players load the whole file at once.
const maxEntries = 2000;
// Users keep the address of a list in their player. It is not renewed when the list is loaded from there.
const addressSeconds = 30 * 86_400;

const extension = '.m3u8';

const sourceTypes = { channel: 'channel', playlist: 'playlist', list: 'smart-list' } as const satisfies Record<
  string,
  SourceType
>;
type ListType = keyof typeof sourceTypes;

interface M3uRequest {
  type: ListType;
  id: string;
  viewer: Viewer;
  owner: UrlOwner;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** Sends a list with addresses of media, signed for its owner. */
async function sendM3u(app: AppContext, { type, id, viewer, owner, request, reply }: M3uRequest): Promise<void> {
  const source = await findVideoSource(app.db, viewer, sourceTypes[type], id);
  if (!source) throw notFound(type === 'channel' ? 'error.channel' : type === 'playlist' ? 'error.playlist' : 'error.smart-list');
  const page = { size: maxEntries, from: 0 };
  const videos = await findMedia(app.db, { accountId: viewer.id, filter: source.filter, page });
  const sign = await createUrlSigner(app, owner);
  const origin = originOf(request);
  const entries = videos.map(({ id: videoId, title, channelName, durationSeconds, mediaPath }) => ({
    id: videoId,
    title: type === 'channel' ? title : `${channelName} - ${title}`,
    durationSeconds,
    url: origin + sign(mediaUrl(mediaPath), durationSeconds),
  }));
  sendList(request, reply, source.name, entries);
}

interface UserRequest {
  id: string;
  user: User;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** Sends a list to an authenticated user, with the signed address of the list in `Content-Location`. */
async function sendToUser(app: AppContext, type: ListType, { id, user, request, reply }: UserRequest): Promise<void> {
  const owner = { accountId: user.id, tokenHash: user.tokenHash };
  const sign = await createUrlSigner(app, owner);
  const address = sign(`/m3u/${type}/${encodeURIComponent(id + extension)}`, addressSeconds);
  void reply.header('Content-Location', (await archiveAddress(app, request)) + address);
  await sendM3u(app, { type, id, viewer: user, owner, request, reply });
}

export const m3uRoutes = routes(m3uCalls, {
  'GET /api/channel/:id/m3u/': ({ params, user, request, reply }, app) =>
    sendToUser(app, 'channel', { id: params.id, user, request, reply }),
  'GET /api/playlist/:id/m3u/': ({ params, user, request, reply }, app) =>
    sendToUser(app, 'playlist', { id: params.id, user, request, reply }),
  'GET /api/list/:id/m3u/': ({ params, user, request, reply }, app) =>
    sendToUser(app, 'list', { id: String(params.id), user, request, reply }),

  'GET /m3u/:type/:name/': async ({ params, request, reply }, app) => {
    const owner = await ownerOf(app, request.raw, request.url);
    if (owner === null || !params.name.endsWith(extension)) throw forbidden('error.signature');
    const viewer = { id: owner.accountId, isStaff: owner.isStaff };
    const id = params.name.slice(0, -extension.length);
    await sendM3u(app, { type: params.type, id, viewer, owner, request, reply });
  },
});
