import { playlistCalls } from '#contract/playlist.ts';
import { paginate, pageRequest } from '../http/paging.ts';
import { subscribeTo } from '../channel/subscribe.ts';
import type { Db } from '../db/db.ts';
import { notFound, refused } from '../http/problem.ts';
import { routes } from '../http/route.ts';
import { confirmDeletion } from '../user/confirm.ts';
import { preferencesOf } from '../user/preferences.ts';
import { sumOf } from '../video/sum-of.ts';
import { changeCustom, makeCustom, setSortOrder } from './custom.ts';
import { archivedOf, deletePlaylist } from './delete-playlist.ts';
import { shapePlaylist } from './shape.ts';
import { countPlaylists, findPlaylist, listPlaylists } from './store.ts';

async function found(db: Db, id: string) {
  const playlist = await findPlaylist(db, id);
  if (!playlist) throw notFound('playlist');
  return shapePlaylist(playlist);
}

export const playlistRoutes = routes(playlistCalls, {
  'GET /api/playlist/': async ({ query, user, url }, { db }) => {
    const total = await countPlaylists(db, query);
    const playlists = await listPlaylists(db, query, pageRequest(query.page, user.pageSize));
    return { data: playlists.map(shapePlaylist), paginate: paginate(total, query.page, user.pageSize, url) };
  },

  'POST /api/playlist/': async ({ body }, { tasks }) => {
    const texts = body.data.map((one) => one.playlist_id);
    const { id } = await tasks.start(subscribeTo, { kind: 'playlist', texts });
    return { message: 'playlist subscribe task started', task_id: id };
  },

  'POST /api/playlist/custom/': async ({ body }, archive) => found(archive.db, await makeCustom(archive, body.playlist_name)),

  'POST /api/playlist/custom/:id/': async ({ params, body, user }, archive) => {
    const { hide_watched: hides } = await preferencesOf(archive.db, user.id);
    const change = { action: body.action, videoId: body.video_id, hiddenFor: hides ? user.id : null };
    await changeCustom(archive, params.id, change);
    return found(archive.db, params.id);
  },

  'GET /api/playlist/:id/': ({ params }, { db }) => found(db, params.id),

  'POST /api/playlist/:id/': async ({ params, body }, archive) => {
    const { db, announce } = archive;
    const playlist = await findPlaylist(db, params.id);
    if (!playlist) throw notFound('playlist');
    if (playlist.kind === 'custom') throw refused(`playlist with ID ${params.id} is custom`);
    const { playlist_subscribed: subscribed, playlist_sort_order: order } = body;
    if (subscribed === undefined && order === undefined) throw refused('expect playlist_subscribed or playlist_sort_order');
    if (subscribed !== undefined)
      await db
        .updateTable('playlist')
        .set({ isSubscribed: subscribed ? 1 : 0 })
        .where('id', '=', params.id)
        .execute();
    if (order) await setSortOrder(archive, params.id, order);
    announce('playlist');
    return found(db, params.id);
  },

  'DELETE /api/playlist/:id/': async ({ params, query, user, request }, archive) => {
    const { delete_videos: withVideos } = query;
    if (withVideos)
      await confirmDeletion(archive, { user, request }, await sumOf(archive.db, await archivedOf(archive.db, params.id)));
    await deletePlaylist(archive, params.id, { withVideos, by: user.name });
  },
});
