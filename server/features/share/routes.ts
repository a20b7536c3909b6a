import type { FastifyRequest } from 'fastify';
import { message } from '#contract/messages.ts';
import { shareCalls, type SharedVideo, type ShareLink } from '#contract/share.ts';
import type { Chapter } from '#contract/video.ts';
import { VideoFilter } from '#contract/video.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { originOf } from '../../platform/http/auth/secret-address.ts';
import { archiveAddress } from '../../archive/settings/archive-address.ts';
import { badRequest, forbidden, HttpError, notFound } from '../../platform/http/http-error.ts';
import { pageRequest, paginate } from '../../platform/http/paging.ts';
import { routes } from '../../platform/http/route.ts';
import { findVideoSource } from '../smart-list/video-source.ts';
import { hashPassword } from '../user/login/password.ts';
import { extensionOf, findEpisodes, findMedia, loadEpisodes, type Episode } from '../podcast/find-episodes.ts';
import { findNamedVideo, sendVideoFile } from '../podcast/video-files.ts';
import { accessKey, checkAccess, checkPassword } from './access.ts';
import { findPictureSize, renderPageMetadata } from './page-metadata.ts';
import { isYtdlp, sendList } from './m3u.ts';
import {
  canOwnerShare,
  countShares,
  countView,
  createShare,
  deleteShare,
  findTitle,
  includesVideo,
  isExpired,
  listShares,
  openShare,
  secretOf,
  userMayShare,
  type OpenShare,
} from './store.ts';

const listSize = 100;
const pageSize = 50;
const maxEntries = 2000;

const urlOf = (address: string, secret: string) => `${address}/shared/${secret}`;

/** Returns one page of the videos of a link, and their total number. */
async function videosOf({ db }: AppContext, share: OpenShare, page: { size: number; from: number }) {
  if (share.type === 'video') {
    const episodes = await loadEpisodes(db, [share.targetId]);
    return { total: episodes.length, episodes: page.from === 0 ? episodes : [] };
  }
  const filter = VideoFilter.parse({ playlist: share.targetId });
  return findEpisodes(db, { accountId: share.accountId, filter, page });
}

const fileUrls =
  (base: string) =>
  ({ id }: Pick<Episode, 'id'>, rest: string) =>
    `${base}/${encodeURIComponent(id)}/${encodeURIComponent(id + rest)}`;

function shapeVideo(video: Episode, fileUrl: ReturnType<typeof fileUrls>): SharedVideo {
  return {
    id: video.id,
    title: video.title,
    channel: video.channelName,
    description: video.description,
    published: video.publishedAt,
    duration: video.durationSeconds,
    is_audio: video.isAudioOnly,
    media_url: fileUrl(video, extensionOf(video)),
    thumb_url: fileUrl(video, '.jpg'),
    subtitles: video.subtitles.map(({ lang, name }) => ({ lang, name, url: fileUrl(video, `.${lang}.vtt`) })),
    chapters: JSON.parse(video.chapters) as Chapter[],
  };
}

/** Whether a client reads HTML. Players and the preview programs of chats send only a wildcard. */
const acceptsHtml = ({ headers }: FastifyRequest) =>
  /text\/html|application\/xhtml/i.test(headers.accept ?? '') ||
  /bot\b|facebookexternalhit|whatsapp/i.test(headers['user-agent'] ?? '');

/** Returns what the page of a link says about its content; nothing if a password protects it. */
async function metadataOf(app: AppContext, share: OpenShare, url: string): Promise<string> {
  if (share.passwordHash !== null) return '';
  const [video] = (await videosOf(app, share, { size: 1, from: 0 })).episodes;
  const size = video && (await findPictureSize(app.db, video.id));
  const fileUrl = fileUrls(`${url}/${accessKey(app, share)}`);
  return renderPageMetadata({ type: share.type, name: share.name, url, video, size, fileUrl });
}

export const shareRoutes = routes(shareCalls, {
  'GET /api/share/': async ({ query, user, url, request }, app) => {
    const data: ShareLink[] = [];
    const address = await archiveAddress(app, request);
    for (const share of await listShares(app.db, user, pageRequest(query.page, listSize))) {
      const isOwn = share.accountId === user.id;
      data.push({
        id: share.number,
        type: share.type,
        target: share.targetId,
        name: await findTitle(app.db, share),
        url: isOwn && user.tokenHash === null ? urlOf(address, secretOf(app, share)) : null,
        owner: share.owner,
        is_own: isOwn,
        has_password: share.passwordHash !== null,
        download: share.allowsDownload === 1,
        expires: share.expiresAt,
        state: isExpired(app, share) ? 'expired' : canOwnerShare(share) ? 'active' : 'off',
        views: share.views,
        last_viewed: share.lastViewedAt,
        created: share.createdAt,
      });
    }
    return { data, paginate: paginate(await countShares(app.db, user), query.page, listSize, url) };
  },

  'POST /api/share/': async ({ body, user, request }, app) => {
    const { db, now, events } = app;
    if (!(await userMayShare(db, user.id))) throw forbidden('error.sharing');
    const { type, id, expires: expiresAt, password, download } = body;
    if (expiresAt !== null && expiresAt <= now()) throw badRequest('error.share-expiry');
    if (type === 'video' && (await loadEpisodes(db, [id])).length === 0) throw notFound('error.video');
    if (type === 'playlist' && !(await findVideoSource(db, user, 'playlist', id))) throw notFound('error.playlist');
    const passwordHash = password ? await hashPassword(password) : null;
    const share = { accountId: user.id, type, targetId: id, passwordHash, expiresAt, allowsDownload: download };
    const { number, secret } = await createShare(app, share);
    request.log.info({ by: user.id, share: number, type, target: id }, 'share link created');
    events.announce('share');
    return { id: number, url: urlOf(await archiveAddress(app, request), secret) };
  },

  'DELETE /api/share/:id/': async ({ params, user, request }, { db, events }) => {
    if (!(await deleteShare(db, user, params.id))) throw notFound('error.share');
    request.log.info({ by: user.id, share: params.id }, 'share link revoked');
    events.announce('share');
  },

  'POST /api/share/:secret/open/': async ({ params, body, request }, app) => {
    const share = await openShare(app, params.secret);
    await checkPassword(app, share, { password: body.password, address: request.ip });
    const { total, episodes } = await videosOf(app, share, pageRequest(body.page, pageSize));
    if (body.page <= 1) await countView(app, share.number);
    const base = `${request.basePath}/shared/${params.secret}/${accessKey(app, share)}`;
    const fileUrl = fileUrls(base);
    return {
      type: share.type,
      name: share.name,
      expires: share.expiresAt,
      download: share.allowsDownload === 1,
      total,
      videos: episodes.map((video) => shapeVideo(video, fileUrl)),
      m3u_url: `${base}/list.m3u8`,
    };
  },

  'GET /shared/:secret/': async ({ params, request, reply }, app) => {
    reply.headers({ 'X-Robots-Tag': 'noindex', 'Cache-Control': 'no-cache' });
    const isPage = acceptsHtml(request);
    const share = await openShare(app, params.secret).catch((error: unknown) => {
      // The page shows the text of the error itself.
      if (!isPage || !(error instanceof HttpError)) throw error;
      reply.code(error.status);
      return null;
    });
    const address = urlOf(originOf(request), params.secret);
    const isList = share?.type === 'playlist' && isYtdlp(request);
    if (isPage && !isList)
      return void request.server.sendSharedPage(request, reply, share ? await metadataOf(app, share, address) : '');
    if (share!.passwordHash !== null) throw forbidden('error.link-no-password');
    const [video, ...others] = (await videosOf(app, share!, { size: 2, from: 0 })).episodes;
    await countView(app, share!.number);
    const base = `${address}/${accessKey(app, share!)}`;
    if (share!.type === 'video' && video && others.length === 0)
      void reply.redirect(fileUrls(base)(video, extensionOf(video)), 302);
    else void reply.redirect(`${base}/list.m3u8`, 302);
  },

  'GET /shared/:secret/:access/list.m3u8/': async ({ params, request, reply }, app) => {
    const share = await openShare(app, params.secret);
    checkAccess(app, share, params.access);
    const videos =
      share.type === 'video'
        ? await loadEpisodes(app.db, [share.targetId])
        : await findMedia(app.db, {
            accountId: share.accountId,
            filter: VideoFilter.parse({ playlist: share.targetId }),
            page: { size: maxEntries, from: 0 },
          });
    const fileUrl = fileUrls(`${urlOf(originOf(request), params.secret)}/${params.access}`);
    const entries = videos.map((video) => ({
      id: video.id,
      title: share.type === 'video' ? video.title : `${video.channelName} - ${video.title}`,
      durationSeconds: video.durationSeconds,
      url: fileUrl(video, extensionOf(video)),
    }));
    sendList(request, reply, share.name, entries);
  },

  'GET /shared/:secret/:access/:video/:name/': async ({ params, request, reply }, app) => {
    const share = await openShare(app, params.secret);
    checkAccess(app, share, params.access);
    if (!(await includesVideo(app.db, share, params.video))) throw notFound('error.video');
    const { video, rest } = await findNamedVideo(app, params.video, params.name);
    const isDownload = new URL(request.url, 'http://archive').searchParams.has('download');
    if (isDownload && share.allowsDownload === 0) throw new HttpError(403, message('error.link-no-download'), { key: 'detail' });
    const attachment = isDownload ? `${video.title}${extensionOf(video)}` : undefined;
    await sendVideoFile(app, { request, reply, accountId: share.accountId }, { video, rest, attachment, isDirect: true });
  },
});
