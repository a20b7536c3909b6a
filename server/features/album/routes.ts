import { albumCalls } from '#contract/album.ts';
import { paginate, pageRequest } from '../../platform/http/paging.ts';
import { routes } from '../../platform/http/route.ts';
import { countAlbumNames, listAlbums } from './list-albums.ts';

export const albumRoutes = routes(albumCalls, {
  'GET /api/album/': async ({ query, user, url }, { db }) => {
    const [total, data] = await Promise.all([countAlbumNames(db), listAlbums(db, pageRequest(query.page, user.pageSize))]);
    return { data, paginate: paginate(total, query.page, user.pageSize, url) };
  },
});
