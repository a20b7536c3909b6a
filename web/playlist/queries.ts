import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Playlist } from '#contract/playlist.ts';
import type { Video } from '#contract/video.ts';
import { call } from '#web/api/call.ts';
import { askAgain } from '#web/api/client.ts';
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

export const holds = (playlist: Playlist, { youtube_id: id }: Video) =>
  playlist.playlist_entries.some((entry) => entry.youtube_id === id);

/** Puts a video at the end of a playlist of one's own, or takes it out. */
export const putIntoPlaylist = (id: string, { youtube_id: video }: Video, isIn: boolean) =>
  call('POST /api/playlist/custom/:id/', { params: { id }, body: { action: isIn ? 'create' : 'remove', video_id: video } });

/** Videos tell of their playlists, and are asked for again too; done when the playlists are there. */
export function askForPlaylistsAgain() {
  void askAgain('video');
  return askAgain('playlist');
}

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
