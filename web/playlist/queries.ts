import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Playlist } from '#contract/playlist.ts';
import { call } from '#web/api/call.ts';
import { everyPage } from '#web/api/every-page.ts';

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
  queryFn: ({ signal }) => everyPage((page) => call('GET /api/playlist/', { query: { page, type: 'custom' }, signal })),
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
    queryFn: ({ signal }) => everyPage((page) => call('GET /api/video/', { query: { playlist: id, page }, signal })),
    staleTime: 0,
  });
