import { videoCalls, type Comment, type VideoFilter } from '#contract/video.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { signatureExpiry, createUrlSigner } from '../../platform/http/auth/signed-urls.ts';
import { notFound } from '../../platform/http/http-error.ts';
import { paginate, pageRequest } from '../../platform/http/paging.ts';
import { routes, type User } from '../../platform/http/route.ts';
import { RawJson } from '../../platform/http/raw-json.ts';
import { playlistNeighbours } from '../../archive/playlist/navigation.ts';
import { playlistExists } from '../../archive/playlist/store.ts';
import { confirmDeletion } from '../user/confirm-deletion.ts';
import { listFacets } from './list/facets.ts';
import { deleteIfExists, deleteVideo } from '../trash/delete-video.ts';
import { refuseFilter } from './list/refuse-filter.ts';
import { listVideos } from './list/list-videos.ts';
import { markWatched } from './watch/mark-watched.ts';
import { deleteCopies, largestCopies, sumCopies } from './copies-store.ts';
import { describeChat, exportChat, searchChat, sendChunk } from './read-chat.ts';
import { protectVideos } from './protect.ts';
import { startFetchingChat } from './fetch-chats-task.ts';
import { startFetchingCopies } from './fetch-copies-task.ts';
import { startFetchingSounds } from './fetch-sounds-task.ts';
import { editMusic } from './edit-music.ts';
import { measureAgain } from './measure-loudness.ts';
import { declineUpgrade, keepBothEditions, replaceByUpgrade } from './upgrade.ts';
import { remuxVideo } from './remux-video.ts';
import { saveProgress } from './watch/save-progress.ts';
import { listSimilarVideos } from './similar-videos.ts';
import { totalSizeOf } from '../../archive/queries/total-size.ts';
import { loadVideo } from '../../archive/video-json/load-videos.ts';
import { findDuration, privatePlaylistsOf } from '../../archive/video/store.ts';
import { serializedComments } from '../../archive/video-json/comments-json.ts';
import { deletePosition } from '../../archive/video/watch-store.ts';

type Copy = Awaited<ReturnType<typeof largestCopies>>[number];

interface ListRequest {
  query: VideoFilter;
  user: User;
  url: URL;
}

async function replyWithVideos({ query, user, url }: ListRequest, { db }: AppContext) {
  refuseFilter(user, query);
  if (query.playlist && !(await playlistExists(db, user, query.playlist))) throw notFound('error.playlist');
  const page = pageRequest(query.page, user.pageSize);
  const { total, videos } = await listVideos(db, { accountId: user.id, filter: query, page });
  return { data: videos, paginate: paginate(total, query.page, user.pageSize, url) };
}

const maxCopiesListed = 100;

const shapeCopy = ({ id, title, channelName, width, height, sizeBytes, fetchedAt }: Copy) => ({
  youtube_id: id,
  title,
  channel_name: channelName,
  height: Math.min(width, height),
  media_size: sizeBytes,
  fetched_at: fetchedAt,
});

export const videoRoutes = routes(videoCalls, {
  'GET /api/video/': replyWithVideos,
  'GET /api/channel/:id/video/': (request, app) =>
    replyWithVideos({ ...request, query: { ...request.query, channel: request.params.id } }, app),
  'GET /api/playlist/:id/video/': (request, app) =>
    replyWithVideos({ ...request, query: { ...request.query, playlist: request.params.id } }, app),

  'GET /api/video/facets/': ({ query }, { db }) => listFacets(db, query.tag),

  'GET /api/video/:id/': async ({ params, user }, { db }) => {
    const [video, own] = await Promise.all([loadVideo(db, user.id, params.id), privatePlaylistsOf(db, user, params.id)]);
    if (!video) throw notFound('error.video');
    if (own.length === 0) return video;
    const parsed = video.parse();
    return { ...parsed, playlist: [...parsed.playlist, ...own] };
  },

  'POST /api/video/:id/protect/': async ({ params, body }, app) => {
    if ((await protectVideos(app, [params.id], body.is_protected)) === 0) throw notFound('error.video');
    return body;
  },

  'DELETE /api/video/:id/': async ({ params, query, user, request }, app) => {
    await confirmDeletion(app, { user, request }, await totalSizeOf(app.db, [params.id]));
    await deleteVideo(app, params.id, { andIgnore: query.ignore, by: user.name });
  },

  'POST /api/video/delete/': async ({ body, user, request }, app) => {
    await confirmDeletion(app, { user, request }, await totalSizeOf(app.db, body.ids));
    let videos = 0;
    for (const id of new Set(body.ids)) if (await deleteIfExists(app, id, { by: user.name })) videos++;
    return { videos };
  },

  'POST /api/video/:id/progress/': ({ params, body, user }, app) => saveProgress(app, user.id, params.id, body.position),

  'DELETE /api/video/:id/progress/': async ({ params, user }, { db, now, events }) => {
    await deletePosition(db, user.id, params.id, now());
    events.announceTo(user.id, 'video');
  },

  'GET /api/video/:id/link/': async ({ params, user }, app) => {
    const video = await loadVideo(app.db, user.id, params.id);
    if (!video) throw notFound('error.video');
    const { media_url, vid_thumb_url, subtitles, player } = video.parse();
    const sign = await createUrlSigner(app, { accountId: user.id, tokenHash: user.tokenHash });
    return {
      media_url: sign(media_url, player.duration),
      vid_thumb_url: sign(vid_thumb_url, player.duration),
      subtitles: subtitles.map((one) => ({ lang: one.lang, name: one.name, media_url: sign(one.media_url, player.duration) })),
      expires: signatureExpiry(app.now(), player.duration),
    };
  },

  'POST /api/video/:id/remux/': async ({ params }, { db, tasks }) => {
    if (!(await findDuration(db, params.id))) throw notFound('error.video');
    const { id } = await tasks.start(remuxVideo, { id: params.id });
    return { task_id: id, status: 'PENDING' };
  },

  'POST /api/video/:id/music/': async ({ params, body }, app) => ({ music: await editMusic(app, params.id, body.music) }),

  'POST /api/video/:id/loudness/': ({ params }, app) => measureAgain(app, params.id),

  'POST /api/video/sounds/': ({ body: { ids, ...wanted } }, app) => startFetchingSounds(app, [...new Set(ids)], wanted),

  'POST /api/video/:id/upgrade/': ({ params, body: { action } }, app) =>
    ({ replace: replaceByUpgrade, keep_both: keepBothEditions, decline: declineUpgrade })[action](app, params.id),

  'GET /api/video/:id/chat/': ({ params }, app) => describeChat(app, params.id),

  'GET /api/video/:id/chat/:n/': async ({ params, request, reply }, app) => {
    await sendChunk(app, params.id, params.n, { request, reply });
  },

  'GET /api/video/:id/chat/search/': ({ params, query, request, reply }, app) =>
    searchChat(app, params.id, query.query, { request, reply }),

  'GET /api/video/:id/chat/export/': async ({ params, query, request, reply }, app) => {
    await exportChat(app, params.id, query.format, { request, reply });
  },

  'POST /api/video/:id/chat/': ({ params }, app) => startFetchingChat(app, params.id),

  'POST /api/video/copies/': ({ body: { ids } }, app) => startFetchingCopies(app, [...new Set(ids)]),

  'GET /api/video/copies/': async (_, { db }) => {
    const [{ videos: count, sizeBytes }, copies] = await Promise.all([sumCopies(db), largestCopies(db, maxCopiesListed)]);
    return { count, media_size: sizeBytes, data: copies.map(shapeCopy) };
  },

  'POST /api/video/copies/delete/': async ({ body: { ids } }, app) => {
    const { videos: count, sizeBytes } = await deleteCopies(app, [...new Set(ids)]);
    return { count, media_size: sizeBytes };
  },

  'GET /api/video/:id/similar/': ({ params, user }, { db }) => listSimilarVideos(db, user.id, params.id),

  'GET /api/video/:id/comment/': async ({ params }, { db }) => {
    const comments = await serializedComments(db, params.id);
    if (comments === null) throw notFound('error.video');
    return new RawJson<Comment[]>(comments);
  },

  'GET /api/video/:id/nav/': async ({ params, user: { id, isStaff } }, { db }) => {
    if (!(await findDuration(db, params.id))) throw notFound('error.video');
    return playlistNeighbours(db, { videoId: params.id, viewer: { id, isStaff } });
  },

  'POST /api/watched/': async ({ body, user }, app) => {
    await markWatched(app, user, body.id, body.is_watched);
    return body;
  },
});
