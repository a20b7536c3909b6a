import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Playlist } from '#contract/playlist.ts';
import type { Video } from '#contract/video.ts';
import { call } from '#web/api/call.ts';

export interface PlaylistFilter {
  channel?: string | undefined;
  subscribed?: boolean | undefined;
  type?: Playlist['playlist_type'] | undefined;
}

export const playlistList = (page: number, filter: PlaylistFilter) =>
  queryOptions({
    queryKey: ['playlist', 'list', page, filter],
    queryFn: ({ signal }) => call('GET /api/playlist/', { query: { page: page || undefined, ...filter }, signal }),
    placeholderData: keepPreviousData,
  });

/** All playlists that people made themselves. */
export const customPlaylists = queryOptions({
  queryKey: ['playlist', 'custom'],
  queryFn: async ({ signal }) => {
    const all: Playlist[] = [];
    for (let page = 1; ; page++) {
      const { data, paginate } = await call('GET /api/playlist/', { query: { page, type: 'custom' }, signal });
      all.push(...data);
      if (data.length === 0 || all.length >= paginate.total_hits) return all;
    }
  },
});

export const playlistQuery = (id: string) =>
  queryOptions({
    queryKey: ['playlist', 'one', id],
    queryFn: ({ signal }) => call('GET /api/playlist/:id/', { params: { id }, signal }),
  });

/** Every video of a playlist that is here, in its order. */
export const playlistVideos = (id: string) =>
  queryOptions({
    queryKey: ['playlist', 'videos', id],
    queryFn: async ({ signal }) => {
      const all: Video[] = [];
      for (let page = 1; ; page++) {
        const { data, paginate } = await call('GET /api/video/', { query: { playlist: id, page }, signal });
        all.push(...data);
        if (data.length === 0 || all.length >= paginate.total_hits) return all;
      }
    },
    staleTime: 0,
  });
