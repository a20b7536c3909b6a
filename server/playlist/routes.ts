import { playlistCalls } from '#contract/playlist.ts';
import { paginate, pageRequest } from '../http/paging.ts';
import { notFound } from '../http/problem.ts';
import { routes } from '../http/route.ts';
import { shapePlaylist } from './shape.ts';
import { countPlaylists, findPlaylist, listPlaylists } from './store.ts';

export const playlistRoutes = routes(playlistCalls, {
  'GET /api/playlist/': async ({ query, user, url }, { db }) => {
    const total = await countPlaylists(db, query);
    const playlists = await listPlaylists(db, query, pageRequest(query.page, user.pageSize));
    return { data: playlists.map(shapePlaylist), paginate: paginate(total, query.page, user.pageSize, url) };
  },

  'GET /api/playlist/:id/': async ({ params }, { db }) => {
    const playlist = await findPlaylist(db, params.id);
    if (!playlist) throw notFound('playlist');
    return shapePlaylist(playlist);
  },
});
