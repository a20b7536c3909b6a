import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Album } from '#contract/album.ts';
import { call } from '#web/api/call.ts';
import { pathOfPlaylist } from '#web/api/paths.ts';
import { pathOfFilter } from '#web/api/queries/video-filter.ts';

export const albumList = (page: number) =>
  queryOptions({
    queryKey: ['video', 'albums', page],
    queryFn: ({ signal }) => call('GET /api/album/', { query: { page: page || undefined }, signal }),
    placeholderData: keepPreviousData,
  });

/** Path of the tracks of an album in their order: that of a playlist, or else of publishing. */
export const pathOfAlbum = ({ album, artist, playlist }: Album) =>
  playlist === null
    ? pathOfFilter({ album, ...(artist !== null && { artist }), sort: 'published', order: 'asc' })
    : pathOfPlaylist(playlist);
