import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Playlist } from '#contract/playlist.ts';
import type { Video } from '#contract/video.ts';
import { call } from '#web/api/call.ts';
import { invalidateTopics } from '#web/api/client.ts';
import { fetchAllPages } from '#web/api/fetch-all-pages.ts';

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

/** Custom playlists that the user may change. */
export const customPlaylists = queryOptions({
  queryKey: ['playlist', 'custom'],
  queryFn: ({ signal }) => fetchAllPages((page) => call('GET /api/playlist/', { query: { page, type: 'custom' }, signal })),
  select: (all) => all.filter((playlist) => playlist.playlist_can_edit),
});

export const playlistContains = (playlist: Playlist, { youtube_id: id }: Video) =>
  playlist.playlist_entries.some((entry) => entry.youtube_id === id);

/** Appends a video to a custom playlist or removes it. */
export const setInPlaylist = (id: string, { youtube_id: video }: Video, isIn: boolean) =>
  call('POST /api/playlist/custom/:id/', { params: { id }, body: { action: isIn ? 'create' : 'remove', video_id: video } });

/** Invalidates playlists and videos, which contain their playlists. Resolves when the playlists are refetched. */
export function invalidatePlaylists() {
  void invalidateTopics('video');
  return invalidateTopics('playlist');
}

export const playlistQuery = (id: string) =>
  queryOptions({
    queryKey: ['playlist', 'one', id],
    queryFn: ({ signal }) => call('GET /api/playlist/:id/', { params: { id }, signal }),
  });

/** All archived videos of a playlist, in order. */
export const playlistVideos = (id: string) =>
  queryOptions({
    queryKey: ['playlist', 'videos', id],
    queryFn: ({ signal }) => fetchAllPages((page) => call('GET /api/video/', { query: { playlist: id, page }, signal })),
    staleTime: 0,
  });
