import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Playlist } from '#contract/playlist.ts';
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

/** How many videos of a playlist are here, and how much they are. */
export const playlistSize = (id: string) =>
  queryOptions({
    queryKey: ['playlist', 'size', id],
    queryFn: async ({ signal }) => {
      let bytes = 0;
      for (let page = 1, seen = 0; ; page++) {
        const { data, paginate } = await call('GET /api/video/', { query: { playlist: id, page }, signal });
        for (const video of data) bytes += video.media_size;
        seen += data.length;
        if (data.length === 0 || seen >= paginate.total_hits) return { count: paginate.total_hits, bytes };
      }
    },
    staleTime: 0,
  });
