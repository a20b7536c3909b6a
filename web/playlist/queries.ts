import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '#web/api/call.ts';

export interface PlaylistFilter {
  channel?: string;
}

export const playlistList = (page: number, filter: PlaylistFilter) =>
  queryOptions({
    queryKey: ['playlist', 'list', page, filter],
    queryFn: ({ signal }) => call('GET /api/playlist/', { query: { page: page || undefined, ...filter }, signal }),
    placeholderData: keepPreviousData,
  });

export const playlistQuery = (id: string) =>
  queryOptions({
    queryKey: ['playlist', 'one', id],
    queryFn: ({ signal }) => call('GET /api/playlist/:id/', { params: { id }, signal }),
  });
