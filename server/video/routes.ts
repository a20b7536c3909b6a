import { videoCalls, type Comment } from '#contract/video.ts';
import { linkEnds, linkSigner } from '../http/links.ts';
import { notFound, refused } from '../http/problem.ts';
import { paginate, pageRequest } from '../http/paging.ts';
import { routes } from '../http/route.ts';
import { Written } from '../http/written.ts';
import { neighboursOf } from '../playlist/navigation.ts';
import { playlistExists } from '../playlist/exists.ts';
import { confirmDeletion } from '../user/confirm.ts';
import { facetsHere } from './facets.ts';
import { deleteIfThere, deleteVideo } from './delete-video.ts';
import { listPage } from './list-page.ts';
import { markWatched } from './mark-watched.ts';
import { keepVideos } from './keep.ts';
import { remuxVideo } from './remux-video.ts';
import { saveProgress } from './save-progress.ts';
import { similarVideos } from './similar-videos.ts';
import { sumOf } from './sum-of.ts';
import { showVideo, writtenVideos } from './show.ts';
import { findDuration } from './store.ts';
import { writtenComments } from './written-comments.ts';
import { dropPosition } from './watch-store.ts';

export const videoRoutes = routes(videoCalls, {
  'GET /api/video/': async ({ query, user, url }, { db }) => {
    if (query.playlist && !(await playlistExists(db, query.playlist))) throw refused('playlist not found');
    const list = listPage(db, user.id, query, pageRequest(query.page, user.pageSize));
    const [hits, videos] = await Promise.all([list.hits, list.videos]);
    return { data: videos, paginate: paginate(hits.total, query.page, user.pageSize, url) };
  },

  'GET /api/video/facets/': ({ query }, { db }) => facetsHere(db, query.tag),

  'GET /api/video/:id/': async ({ params, user }, { db }) => {
    const [video] = await writtenVideos(db, user.id, [params.id]);
    if (!video) throw notFound('video');
    return video;
  },

  'POST /api/video/:id/keep/': async ({ params, body }, archive) => {
    if ((await keepVideos(archive, [params.id], body.is_kept)) === 0) throw notFound('video');
    return body;
  },

  'DELETE /api/video/:id/': async ({ params, query, user, request }, archive) => {
    await confirmDeletion(archive, { user, request }, await sumOf(archive.db, [params.id]));
    await deleteVideo(archive, params.id, { andIgnore: query.ignore, by: user.name });
  },

  'POST /api/video/delete/': async ({ body, user, request }, archive) => {
    await confirmDeletion(archive, { user, request }, await sumOf(archive.db, body.ids));
    let videos = 0;
    for (const id of new Set(body.ids)) if (await deleteIfThere(archive, id, { by: user.name })) videos++;
    return { videos };
  },

  'POST /api/video/:id/progress/': ({ params, body, user }, archive) => saveProgress(archive, user.id, params.id, body.position),

  'DELETE /api/video/:id/progress/': async ({ params, user }, { db, now, events }) => {
    await dropPosition(db, user.id, params.id, now());
    events.announceTo(user.id, 'video');
  },

  'GET /api/video/:id/link/': async ({ params, user }, archive) => {
    const video = await showVideo(archive.db, user.id, params.id);
    if (!video) throw notFound('video');
    const { media_url, vid_thumb_url, subtitles, player } = video;
    const sign = await linkSigner(archive, { accountId: user.id, tokenHash: user.tokenHash });
    return {
      media_url: sign(media_url, player.duration),
      vid_thumb_url: sign(vid_thumb_url, player.duration),
      subtitles: subtitles.map((one) => ({ lang: one.lang, name: one.name, media_url: sign(one.media_url, player.duration) })),
      expires: linkEnds(archive.now(), player.duration),
    };
  },

  'POST /api/video/:id/remux/': async ({ params }, { db, tasks }) => {
    if (!(await findDuration(db, params.id))) throw notFound('video');
    const { id } = await tasks.start(remuxVideo, { id: params.id });
    return { task_id: id, status: 'PENDING' };
  },

  'GET /api/video/:id/similar/': ({ params, user }, { db }) => similarVideos(db, user.id, params.id),

  'GET /api/video/:id/comment/': async ({ params }, { db }) => {
    const comments = await writtenComments(db, params.id);
    if (comments === null) throw notFound('video');
    return new Written([comments]) as unknown as Comment[];
  },

  'GET /api/video/:id/nav/': async ({ params }, { db }) => {
    if (!(await findDuration(db, params.id))) throw notFound('video');
    return neighboursOf(db, params.id);
  },

  'POST /api/watched/': async ({ body, user }, archive) => {
    await markWatched(archive, user.id, body.id, body.is_watched);
    return body;
  },
});
