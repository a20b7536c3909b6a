import type { Playlist } from '#contract/playlist.ts';
import { isoTime } from '../time-text.ts';
import type { PlaylistRow } from './store.ts';

export const shapePlaylist = (row: PlaylistRow): Playlist => ({
  playlist_id: row.id,
  playlist_name: row.name,
  playlist_type: row.kind,
  playlist_active: row.isActive === 1,
  playlist_subscribed: row.isSubscribed === 1,
  playlist_channel: row.channelName,
  playlist_channel_id: row.channelId,
  playlist_description: row.description,
  playlist_thumbnail: `/cache/playlists/${row.id}.jpg`,
  playlist_last_refresh: isoTime(row.refreshedAt),
  playlist_sort_order: row.sortOrder,
  playlist_entries: row.entries as unknown as Playlist['playlist_entries'], // they are written already
  _index: 'ta_playlist',
  _score: 0,
});
